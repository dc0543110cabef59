/** Operands are kept in a Set, so that x * x has one. */
export class Scalar {
  grad = 0;
  readonly operands: Set<Scalar>;
  private readonly locals: Map<Scalar, number>;

  constructor(
    readonly value: number,
    operands: readonly Scalar[] = [],
    locals: readonly number[] = [],
  ) {
    this.operands = new Set(operands); // fault: a repeated operand is one element
    this.locals = new Map(operands.map((operand, i) => [operand, locals[i]]));
  }

  push(): void {
    for (const operand of this.operands) operand.grad += this.locals.get(operand)! * this.grad;
  }
}

export const add = (a: Scalar, b: Scalar): Scalar => new Scalar(a.value + b.value, [a, b], [1, 1]);
export const mul = (a: Scalar, b: Scalar): Scalar =>
  new Scalar(a.value * b.value, [a, b], [b.value, a.value]);
export const cos = (a: Scalar): Scalar => new Scalar(Math.cos(a.value), [a], [-Math.sin(a.value)]);

export function backward(output: Scalar): void {
  const order: Scalar[] = [];
  const seen = new Set<Scalar>();
  const visit = (node: Scalar): void => {
    if (seen.has(node)) return;
    seen.add(node);
    node.operands.forEach(visit);
    order.unshift(node);
  };
  visit(output);
  output.grad = 1;
  for (const node of order) node.push();
}
