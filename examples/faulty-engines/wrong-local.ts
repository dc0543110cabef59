/** A tape of operation names. One rule of the table has the wrong sign. */
type Name = "input" | "add" | "sub" | "mul" | "div";

interface Entry {
  readonly name: Name;
  readonly value: number;
  readonly a: number;
  readonly b: number;
}

const values: Readonly<Record<Name, (x: number, y: number) => number>> = {
  input: () => 0,
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
};

export class Program {
  readonly entries: Entry[] = [];
  adjoints: number[] = [];

  input(value: number): number {
    return this.entries.push({ name: "input", value, a: -1, b: -1 }) - 1;
  }

  apply(name: Name, a: number, b: number): number {
    const value = values[name](this.entries[a].value, this.entries[b].value);
    return this.entries.push({ name, value, a, b }) - 1;
  }

  backward(output: number): void {
    this.adjoints = this.entries.map(() => 0);
    this.adjoints[output] = 1;
    for (let i = output; i >= 0; i--) {
      const { name, a, b } = this.entries[i];
      const bar = this.adjoints[i];
      const x = this.entries[a]?.value;
      const y = this.entries[b]?.value;
      switch (name) {
        case "add":
          this.adjoints[a] += bar;
          this.adjoints[b] += bar;
          break;
        case "sub":
          this.adjoints[a] += bar;
          this.adjoints[b] -= bar;
          break;
        case "mul":
          this.adjoints[a] += bar * y;
          this.adjoints[b] += bar * x;
          break;
        case "div":
          this.adjoints[a] += bar / y;
          this.adjoints[b] += (bar * x) / (y * y); // fault: the sign
          break;
      }
    }
  }
}
