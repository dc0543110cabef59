import { audit } from "backsweep";
import { Num } from "./total-on-arrival";

export const totalOnArrival = audit({
  leaf: (value) => new Num(value),
  operations: {
    add: (a: Num, b: Num) => a.plus(b),
    mul: (a: Num, b: Num) => a.times(b),
    sin: (a: Num) => a.sin(),
  },
  backward(output) {
    output.grad = 1;
    output.backward();
  },
  gradient: (node) => node.grad,
  value: (node) => node.v,
});
