import { audit } from "backsweep";
import { Tape } from "./stale-gradients";

let tape = new Tape();

export const staleGradients = audit<number>({
  begin() {
    tape = new Tape();
  },
  leaf: (value) => tape.input(value),
  operations: {
    add: (a, b) => tape.add(a, b),
    mul: (a, b) => tape.mul(a, b),
    tanh: (a) => tape.tanh(a),
  },
  backward: (output) => tape.backward(output),
  gradient: (node) => tape.gradients[node],
  value: (node) => tape.values[node],
  reset: () => tape.zeroGradients(),
});
