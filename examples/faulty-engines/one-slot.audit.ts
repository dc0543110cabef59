import { audit } from "backsweep";
import { add, backward, leaf, mul, type Item } from "./one-slot";

export const oneSlot = audit({
  leaf,
  operations: { add, mul },
  backward,
  gradient: (node: Item) => node.grad,
  value: (node: Item) => node.value,
});
