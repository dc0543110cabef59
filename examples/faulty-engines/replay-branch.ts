/** A sweep that evaluates again what it needs, with a function that branches on a counter of its own calls. */
export interface Step {
  readonly value: number;
  grad: number;
  readonly operands: readonly Step[];
  readonly again: () => readonly number[];
}

let calls = 0;

const step = (value: number, operands: readonly Step[], again: Step["again"]): Step => ({
  value,
  grad: 0,
  operands,
  again,
});

export const leaf = (value: number): Step => step(value, [], () => []);
export const add = (a: Step, b: Step): Step => step(a.value + b.value, [a, b], () => [1, 1]);
export const mul = (a: Step, b: Step): Step => step(a.value * b.value, [a, b], () => [b.value, a.value]);

/** Doubles every other time, and halves in between. */
function factor(): number {
  calls++;
  return calls % 2 === 0 ? 2 : 0.5;
}

export function gate(a: Step): Step {
  return step(a.value * factor(), [a], () => [factor()]); // fault: the other branch
}

export function backward(output: Step): void {
  const order: Step[] = [];
  const seen = new Set<Step>();
  const visit = (node: Step): void => {
    if (seen.has(node)) return;
    seen.add(node);
    node.operands.forEach(visit);
    order.push(node);
  };
  visit(output);
  output.grad = 1;
  for (const node of order.reverse()) {
    const locals = node.again();
    node.operands.forEach((operand, i) => {
      operand.grad += node.grad * locals[i];
    });
  }
}
