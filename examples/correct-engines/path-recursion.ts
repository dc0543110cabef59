/** Pull form: a gradient is the sum over the uses of a node, recursively up every path, each node's sum kept. */
export class Quantity {
  readonly uses: { readonly by: Quantity; readonly local: number }[] = [];
  private sum: number | null = null;

  constructor(readonly value: number) {}

  static from(value: number, ...operands: (readonly [Quantity, number])[]): Quantity {
    const out = new Quantity(value);
    for (const [operand, local] of operands) operand.uses.push({ by: out, local });
    return out;
  }

  forget(): void {
    this.sum = null;
  }

  /** d output / d this */
  gradient(output: Quantity): number {
    if (this === output) return 1;
    if (this.sum === null) {
      let sum = 0;
      for (const { by, local } of this.uses) sum += local * by.gradient(output);
      this.sum = sum;
    }
    return this.sum;
  }
}
