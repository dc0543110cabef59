/** Every number is rounded to binary32; the second engine keeps its values so, and its gradients in doubles. */
import { audit, type ScalarEngine } from "backsweep";

class Single {
  bar = 0;
  constructor(
    readonly value: number,
    readonly operands: readonly Single[] = [],
    readonly pull: (bar: number) => readonly number[] = () => [],
  ) {}
}

/** `round`: of gradients; values are in binary32 always. */
function engine(round: (x: number) => number): ScalarEngine<Single> {
  const f = Math.fround;
  const make = (value: number, operands: Single[], pull: (bar: number) => number[]): Single =>
    new Single(f(value), operands, (bar) => pull(bar).map(round));
  return {
    leaf: (value) => new Single(f(value)),
    operations: {
      add: (a, b) => make(a.value + b.value, [a, b], (bar) => [bar, bar]),
      sub: (a, b) => make(a.value - b.value, [a, b], (bar) => [bar, -bar]),
      mul: (a, b) => make(a.value * b.value, [a, b], (bar) => [bar * b.value, bar * a.value]),
      div: (a, b) =>
        make(a.value / b.value, [a, b], (bar) => [
          bar / b.value,
          -round(bar * a.value) / round(b.value * b.value),
        ]),
      tanh: (a) => {
        const y = f(Math.tanh(a.value));
        return make(y, [a], (bar) => [bar * round(1 - round(y * y))]);
      },
      sigmoid: (a) => {
        const y = f(1 / f(1 + f(Math.exp(-a.value))));
        return make(y, [a], (bar) => [bar * round(y * round(1 - y))]);
      },
      exp: (a) => {
        const y = f(Math.exp(a.value));
        return make(y, [a], (bar) => [bar * y]);
      },
      log: (a) => make(Math.log(a.value), [a], (bar) => [bar / a.value]),
      relu: (a) => make(Math.max(0, a.value), [a], (bar) => [a.value > 0 ? bar : 0]),
    },
    backward(output) {
      const order: Single[] = [];
      const seen = new Set<Single>();
      const visit = (node: Single): void => {
        if (seen.has(node)) return;
        seen.add(node);
        node.operands.forEach(visit);
        order.push(node);
      };
      visit(output);
      output.bar = 1;
      for (const node of order.reverse())
        node.pull(node.bar).forEach((part, i) => {
          const operand = node.operands[i];
          operand.bar = round(operand.bar + part);
        });
    },
    gradient: (node) => node.bar,
  };
}

export const binary32 = audit(engine(Math.fround));
export const binary32Values = audit(engine((x) => x));
