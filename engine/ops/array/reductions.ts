/** Reductions over axes: `axis` a number, a list or null (all), `keepdims` keeps reduced axes with length 1. */
import { sizeOf } from "../../tape/ndarray.js";
import { reductionOf } from "./axes.js";
import { sumToData } from "./broadcast.js";
import { defineArray, type ArrayPrimitive } from "./row.js";

export const reductions: readonly ArrayPrimitive[] = [
  defineArray({
    name: "sum",
    operands: ["x"],
    shape: ([x], params) => reductionOf("sum", params, x).shape,
    value: ([x], params, _shape, k) => sumToData(x, reductionOf("sum", params, x.shape).kept, k.round),
    vjp(_slot, k, g, [x], _output, params) {
      const shape = k.shape(x);
      return k.broadcastTo(k.reshape(g, reductionOf("sum", params, shape).kept), shape);
    },
    jvp: (k, [t], _operands, _output, params) => (t === null ? null : k.apply("sum", [t], params)),
    saves: () => [],
    cost: ([x], shape) => Math.max(0, sizeOf(x) - sizeOf(shape)),
    formula: "sum(x, axis)",
    rule: "g repeated over the summed axes",
    doc: "Sum over axes; 0 over an empty axis.",
  }),
];
