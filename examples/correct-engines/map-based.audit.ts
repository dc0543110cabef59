import { audit } from "backsweep";
import { gradients, term, type Term } from "./map-based";

let sums: ReadonlyMap<number, number> = new Map();

export const mapBased = audit<Term>({
  leaf: (value) => term(value),
  operations: {
    add: (a, b) => term(a.value + b.value, [a, b], (g) => [g, g]),
    sub: (a, b) => term(a.value - b.value, [a, b], (g) => [g, -g]),
    mul: (a, b) => term(a.value * b.value, [a, b], (g) => [g * b.value, g * a.value]),
    sigmoid: (a) => {
      const y = 1 / (1 + Math.exp(-a.value));
      return term(y, [a], (g) => [g * y * (1 - y)]);
    },
  },
  backward(output) {
    sums = gradients(output);
  },
  gradient: (node) => sums.get(node.id),
  value: (node) => node.value,
  reset: () => undefined,
});
