/** Each contribution is passed on by itself, along every path: right, and 2^n visits for n diamonds. */
export class Leaf {
  total = 0;
  constructor(
    readonly value: number,
    readonly uses: readonly (readonly [Leaf, number])[] = [],
  ) {}

  receive(part: number): void {
    this.total += part;
    for (const [operand, local] of this.uses) operand.receive(part * local);
  }
}

export const add = (a: Leaf, b: Leaf): Leaf =>
  new Leaf(a.value + b.value, [
    [a, 1],
    [b, 1],
  ]);
export const mul = (a: Leaf, b: Leaf): Leaf =>
  new Leaf(a.value * b.value, [
    [a, b.value],
    [b, a.value],
  ]);
export const sin = (a: Leaf): Leaf => new Leaf(Math.sin(a.value), [[a, Math.cos(a.value)]]);
