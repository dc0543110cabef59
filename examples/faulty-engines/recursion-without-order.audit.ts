import { audit } from "backsweep";
import { add, backward, leaf, mul, sin, sub, type Cell } from "./recursion-without-order";

export const recursionWithoutOrder = audit({
  leaf,
  operations: { add, sub, mul, sin },
  backward,
  gradient: (node: Cell) => node.grad,
  value: (node: Cell) => node.value,
});
