import { audit } from "backsweep";
import { Program } from "./wrong-local";

let program = new Program();

export const wrongLocal = audit<number>({
  begin() {
    program = new Program();
  },
  leaf: (value) => program.input(value),
  operations: {
    add: (a, b) => program.apply("add", a, b),
    sub: (a, b) => program.apply("sub", a, b),
    mul: (a, b) => program.apply("mul", a, b),
    div: (a, b) => program.apply("div", a, b),
  },
  backward: (output) => program.backward(output),
  gradient: (node) => program.adjoints[node],
  value: (node) => program.entries[node].value,
});
