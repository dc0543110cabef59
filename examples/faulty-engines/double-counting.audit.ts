import { audit } from "backsweep";
import { add, backward, mul, neg, Term } from "./double-counting";

export const doubleCounting = audit({
  leaf: (value) => new Term(value),
  operations: { add, mul, neg },
  backward,
  gradient: (node: Term) => node.grad,
  value: (node: Term) => node.value,
});
