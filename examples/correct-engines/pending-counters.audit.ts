import { audit } from "backsweep";
import { backward, leaf, make, type Node } from "./pending-counters";

let gradients = new Map<Node, number>();

export const pendingCounters = audit<Node>({
  leaf,
  operations: {
    add: (a, b) => make(a.value + b.value, [a, b], [1, 1]),
    mul: (a, b) => make(a.value * b.value, [a, b], [b.value, a.value]),
    cos: (a) => make(Math.cos(a.value), [a], [-Math.sin(a.value)]),
    max: (a, b) => make(Math.max(a.value, b.value), [a, b], a.value > b.value ? [1, 0] : [0, 1]),
  },
  backward(output) {
    gradients = backward(output);
  },
  gradient: (node) => gradients.get(node),
  value: (node) => node.value,
  reset: () => undefined,
});
