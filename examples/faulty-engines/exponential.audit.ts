import { audit } from "backsweep";
import { add, Leaf, mul, sin } from "./exponential";

export const exponential = audit({
  leaf: (value) => new Leaf(value),
  operations: { add, mul, sin },
  backward: (output: Leaf) => output.receive(1),
  gradient: (node: Leaf) => node.total,
  value: (node: Leaf) => node.value,
});
