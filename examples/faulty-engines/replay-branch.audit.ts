import { audit } from "backsweep";
import { add, backward, gate, leaf, mul, type Step } from "./replay-branch";

export const replayBranch = audit({
  leaf,
  operations: { add, mul, gate: { apply: (a: Step) => gate(a), locals: (a, y) => [y / a] } },
  backward,
  gradient: (node: Step) => node.grad,
  value: (node: Step) => node.value,
});
