import { audit } from "backsweep";
import { add, backward, exp, mul, tanh, Value } from "./overwrite";

export const overwrite = audit({
  leaf: (value) => new Value(value),
  operations: { add, mul, tanh, exp },
  backward,
  gradient: (node: Value) => node.grad,
  value: (node: Value) => node.data,
});
