import { graph } from "backsweep";

// One node in both operand slots: two edges between the same two nodes, two contributions.
export const square = graph({ x: 3 }, ({ x }) => {
  const y = x * x;
  return y + y;
});

// The same value under two names is still one node.
export const alias = graph({ x: 3 }, ({ x }) => {
  const same = x;
  return x * same - same;
});
