import { audit } from "backsweep";
import { add, mul, sweep, Var } from "./aliasing";

export const aliasing = audit({
  leaf: (value) => new Var(value),
  operations: { add, mul },
  backward: sweep,
  gradient: (node: Var) => node.grad?.[0],
  value: (node: Var) => node.value,
});
