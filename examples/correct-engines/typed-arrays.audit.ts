import { audit } from "backsweep";
import { Columns } from "./typed-arrays";

let columns = new Columns();

export const typedArrays = audit<number>({
  begin() {
    columns = new Columns();
  },
  leaf: (value) => columns.input(value),
  operations: {
    add: (a, b) => columns.add(a, b),
    mul: (a, b) => columns.mul(a, b),
    exp: (a) => columns.exp(a),
  },
  backward: (output) => columns.backward(output),
  gradient: (node) => columns.gradient(node),
  value: (node) => columns.value(node),
  reset: () => undefined,
});
