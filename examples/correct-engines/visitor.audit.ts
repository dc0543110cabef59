import { audit } from "backsweep";
import { Constant, Product, Sine, Sum, Visitor, type Operation } from "./visitor";

export const visitor = audit<Operation>({
  leaf: (value) => new Constant(value),
  operations: {
    add: (a, b) => new Sum(a, b),
    mul: (a, b) => new Product(a, b),
    sin: (a) => new Sine(a),
  },
  backward: (output) => new Visitor().backward(output),
  gradient: (node) => node.adjoint,
  value: (node) => node.value,
  reset: () => undefined,
});
