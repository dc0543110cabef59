import { audit } from "backsweep";
import { add, backward, cos, mul, Scalar } from "./dropped-branch";

export const droppedBranch = audit({
  leaf: (value) => new Scalar(value),
  operations: { add, mul, cos },
  backward,
  gradient: (node: Scalar) => node.grad,
  value: (node: Scalar) => node.value,
});
