/** A topological order, operands first, that nobody turned round. */
export interface Node {
  readonly value: number;
  grad: number;
  readonly inputs: readonly Node[];
  readonly rule: (g: number) => readonly number[];
}

const node = (value: number, inputs: readonly Node[], rule: Node["rule"]): Node => ({
  value,
  grad: 0,
  inputs,
  rule,
});

export const leaf = (value: number): Node => node(value, [], () => []);
export const add = (a: Node, b: Node): Node => node(a.value + b.value, [a, b], (g) => [g, g]);
export const mul = (a: Node, b: Node): Node =>
  node(a.value * b.value, [a, b], (g) => [g * b.value, g * a.value]);
export const exp = (a: Node): Node => {
  const y = Math.exp(a.value);
  return node(y, [a], (g) => [g * y]);
};

export function backward(output: Node): void {
  const order: Node[] = [];
  const marked = new Set<Node>();
  (function visit(at: Node): void {
    if (marked.has(at)) return;
    marked.add(at);
    at.inputs.forEach(visit);
    order.push(at);
  })(output);
  output.grad = 1;
  // fault: operands come before the nodes that use them
  for (const at of order) {
    const parts = at.rule(at.grad);
    at.inputs.forEach((input, i) => {
      input.grad += parts[i];
    });
  }
}
