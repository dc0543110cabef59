import { audit } from "backsweep";
import { Quantity } from "./path-recursion";

let output: Quantity | null = null;

export const pathRecursion = audit<Quantity>({
  leaf: (value) => new Quantity(value),
  operations: {
    add: (a, b) => Quantity.from(a.value + b.value, [a, 1], [b, 1]),
    mul: (a, b) => Quantity.from(a.value * b.value, [a, b.value], [b, a.value]),
    neg: (a) => Quantity.from(-a.value, [a, -1]),
    sqrt: (a) => Quantity.from(Math.sqrt(a.value), [a, 0.5 / Math.sqrt(a.value)]),
  },
  backward(node) {
    output = node;
  },
  gradient: (node) => node.gradient(output!),
  value: (node) => node.value,
  reset: (nodes) => nodes.forEach((node) => node.forget()),
});
