/** One list of entries with local derivatives, read backwards. Nodes are indices. */
interface Entry {
  readonly value: number;
  readonly parents: readonly (readonly [number, number])[];
}

export class Tape {
  private readonly entries: Entry[] = [];
  private adjoints: number[] = [];

  push(value: number, ...parents: (readonly [number, number])[]): number {
    this.entries.push({ value, parents });
    return this.entries.length - 1;
  }

  value(i: number): number {
    return this.entries[i].value;
  }

  sweep(output: number): void {
    this.adjoints = new Array<number>(this.entries.length).fill(0);
    this.adjoints[output] = 1;
    for (let i = output; i >= 0; i--) {
      const bar = this.adjoints[i];
      if (bar === 0) continue;
      for (const [p, local] of this.entries[i].parents) this.adjoints[p] += bar * local;
    }
  }

  adjoint(i: number): number {
    return this.adjoints[i];
  }
}
