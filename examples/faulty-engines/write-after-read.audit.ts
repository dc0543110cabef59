import { audit } from "backsweep";
import { add, backward, mul, relu, Slot } from "./write-after-read";

export const writeAfterRead = audit({
  leaf: (value) => new Slot(value),
  operations: { add, mul, relu },
  backward,
  gradient: (node: Slot) => node.grad,
  value: (node: Slot) => node.data,
});
