import { audit } from "backsweep";
import { Tape } from "./tape";

let tape = new Tape();
const v = (i: number): number => tape.value(i);

export const tapeEngine = audit<number>({
  begin() {
    tape = new Tape();
  },
  leaf: (value) => tape.push(value),
  operations: {
    add: (a, b) => tape.push(v(a) + v(b), [a, 1], [b, 1]),
    sub: (a, b) => tape.push(v(a) - v(b), [a, 1], [b, -1]),
    mul: (a, b) => tape.push(v(a) * v(b), [a, v(b)], [b, v(a)]),
    div: (a, b) => tape.push(v(a) / v(b), [a, 1 / v(b)], [b, -v(a) / v(b) ** 2]),
    sin: (a) => tape.push(Math.sin(v(a)), [a, Math.cos(v(a))]),
    exp: (a) => tape.push(Math.exp(v(a)), [a, Math.exp(v(a))]),
    log: (a) => tape.push(Math.log(v(a)), [a, 1 / v(a)]),
  },
  backward: (output) => tape.sweep(output),
  gradient: (node) => tape.adjoint(node),
  value: (node) => tape.value(node),
  reset: () => undefined,
});
