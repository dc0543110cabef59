import { audit } from "backsweep";
import { add, backward, exp, leaf, mul, type Node } from "./post-order";

export const postOrder = audit({
  leaf,
  operations: { add, mul, exp },
  backward,
  gradient: (node: Node) => node.grad,
  value: (node: Node) => node.value,
});
