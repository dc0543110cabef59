import { audit } from "backsweep";
import { expr, gradientsOf, type Expr, type Gradients } from "./functional";

let sums: Gradients = {};

export const functional = audit<Expr>({
  leaf: (value) => expr(value),
  operations: {
    add: (a, b) => expr(a.value + b.value, [a, 1], [b, 1]),
    mul: (a, b) => expr(a.value * b.value, [a, b.value], [b, a.value]),
    cube: {
      apply: (a) => expr(a.value ** 3, [a, 3 * a.value ** 2]),
      value: (a) => a ** 3,
      locals: (a) => [3 * a * a],
    },
  },
  backward(output) {
    sums = gradientsOf(output);
  },
  gradient: (node) => sums[node.key],
  value: (node) => node.value,
  reset: () => undefined,
});
