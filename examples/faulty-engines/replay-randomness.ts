/** Nothing is kept but the operands: the reverse sweep evaluates an operation again. Dropout then draws another mask. */
export class Lazy {
  grad = 0;
  readonly value: number;
  constructor(
    readonly operands: readonly Lazy[],
    readonly evaluate: (operands: readonly Lazy[]) => { value: number; locals: readonly number[] },
  ) {
    this.value = evaluate(operands).value;
  }
}

export const leaf = (value: number): Lazy => new Lazy([], () => ({ value, locals: [] }));
export const add = (a: Lazy, b: Lazy): Lazy =>
  new Lazy([a, b], ([x, y]) => ({ value: x.value + y.value, locals: [1, 1] }));
export const mul = (a: Lazy, b: Lazy): Lazy =>
  new Lazy([a, b], ([x, y]) => ({ value: x.value * y.value, locals: [y.value, x.value] }));
export const dropout = (a: Lazy): Lazy =>
  new Lazy([a], ([x]) => {
    const mask = Math.random() < 0.5 ? 0.5 : 2; // fault: drawn anew in the reverse sweep
    return { value: x.value * mask, locals: [mask] };
  });

export function backward(output: Lazy): void {
  const order: Lazy[] = [];
  const seen = new Set<Lazy>();
  const visit = (node: Lazy): void => {
    if (seen.has(node)) return;
    seen.add(node);
    node.operands.forEach(visit);
    order.push(node);
  };
  visit(output);
  output.grad = 1;
  for (const node of order.reverse()) {
    const { locals } = node.evaluate(node.operands);
    node.operands.forEach((operand, i) => {
      operand.grad += node.grad * locals[i];
    });
  }
}
