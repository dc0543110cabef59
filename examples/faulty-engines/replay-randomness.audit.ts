import { audit } from "backsweep";
import { add, backward, dropout, leaf, mul, type Lazy } from "./replay-randomness";

export const replayRandomness = audit({
  leaf,
  operations: {
    add,
    mul,
    // what the mask was can be seen from the value
    dropout: { apply: (a: Lazy) => dropout(a), locals: (a, y) => [y / a] },
  },
  backward,
  gradient: (node: Lazy) => node.grad,
  value: (node: Lazy) => node.value,
});
