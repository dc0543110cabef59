/** Equal expressions are one node, neutral operations give their operand back: the graph is not the one that was asked for. */
import { audit } from "backsweep";

interface Expression {
  readonly key: string;
  readonly value: number;
  readonly operands: readonly Expression[];
  readonly locals: readonly number[];
}

let known = new Map<string, Expression>();
let count = 0;
let bars = new Map<Expression, number>();

function make(op: string, value: number, operands: Expression[], locals: number[]): Expression {
  const text = `${op}(${operands.map(({ key }) => key).join()})`;
  let found = known.get(text);
  if (found === undefined) known.set(text, (found = { key: `e${count++}`, value, operands, locals }));
  return found;
}

function ordered(output: Expression): Expression[] {
  const order: Expression[] = [];
  const seen = new Set<Expression>();
  const visit = (at: Expression): void => {
    if (seen.has(at)) return;
    seen.add(at);
    at.operands.forEach(visit);
    order.push(at);
  };
  visit(output);
  return order.reverse();
}

export const interned = audit<Expression>({
  begin() {
    known = new Map();
  },
  leaf: (value) => ({ key: `e${count++}`, value, operands: [], locals: [] }),
  operations: {
    add: (a, b) => make("add", a.value + b.value, [a, b], [1, 1]),
    mul: (a, b) => make("mul", a.value * b.value, [a, b], [b.value, a.value]),
    abs: (a) => (a.value > 0 ? a : make("abs", -a.value, [a], [-1])),
    relu: (a) => (a.value > 0 ? a : make("zero", 0, [], [])),
  },
  backward(output) {
    bars = new Map([[output, 1]]);
    for (const at of ordered(output))
      at.operands.forEach((operand, i) =>
        bars.set(operand, (bars.get(operand) ?? 0) + bars.get(at)! * at.locals[i]),
      );
  },
  gradient: (node) => bars.get(node),
  value: (node) => node.value,
});
