import { audit } from "backsweep";
import { Value } from "./closures";

export const closures = audit({
  leaf: (value) => new Value(value),
  operations: {
    add: (a: Value, b: Value) => a.add(b),
    mul: (a: Value, b: Value) => a.mul(b),
    tanh: (a: Value) => a.tanh(),
    relu: (a: Value) => a.relu(),
  },
  backward: (output) => output.backward(),
  gradient: (node) => node.grad,
  value: (node) => node.data,
});
