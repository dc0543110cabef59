/**
 * Products and quotients that stay 0 where nothing flows: a piece that was not taken contributes exactly 0, whatever the
 * cotangent is.
 */
import { sizeOf } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { broadcastData, broadcastShapes } from "./broadcast.js";
import { defineArray, type ArrayPrimitive } from "./row.js";

function fit<T>(k: Algebra<T>, part: T, output: T, operand: T): T {
  return k.sumTo(k.broadcastTo(part, k.shape(output)), k.shape(operand));
}

export const masks: readonly ArrayPrimitive[] = [
  defineArray({
    name: "masked",
    operands: ["x", "mask"],
    shape: (shapes) => broadcastShapes("masked", shapes),
    value([x, mask], _params, shape) {
      const out = new Float64Array(sizeOf(shape));
      const a = broadcastData(x, shape);
      const m = broadcastData(mask, shape);
      for (let i = 0; i < out.length; i++) out[i] = m[i] === 0 ? 0 : a[i] * m[i];
      return out;
    },
    vjp: (slot, k, g, [x, mask], output) =>
      slot === 1 ? null : fit(k, k.apply("masked", [g, mask]), output, x),
    jvp: (k, [t], [, mask], output) =>
      t === null ? null : k.broadcastTo(k.apply("masked", [t, mask]), k.shape(output)),
    saves: () => [1],
    cost: (_shapes, shape) => sizeOf(shape),
    formula: "mask = 0 ? 0 : x * mask",
    rule: "masked(g, mask)",
    doc: "x times a mask that takes no part in derivatives; exactly 0 where the mask is.",
  }),
  defineArray({
    name: "divOrZero",
    operands: ["a", "b"],
    shape: (shapes) => broadcastShapes("divOrZero", shapes),
    value([x, y], _params, shape) {
      const out = new Float64Array(sizeOf(shape));
      const a = broadcastData(x, shape);
      const b = broadcastData(y, shape);
      for (let i = 0; i < out.length; i++) out[i] = b[i] === 0 ? 0 : a[i] / b[i];
      return out;
    },
    vjp: (slot, k, g, [a, b], output) =>
      slot === 0
        ? fit(k, k.apply("divOrZero", [g, b]), output, a)
        : fit(k, k.neg(k.apply("divOrZero", [k.mul(g, output), b])), output, b),
    jvp: (k, [ta, tb], [, b], output) =>
      k.total([
        ta === null ? null : k.broadcastTo(k.apply("divOrZero", [ta, b]), k.shape(output)),
        tb === null ? null : k.neg(k.apply("divOrZero", [k.mul(tb, output), b])),
      ]),
    saves: (slot) => (slot === 0 ? [1] : [1, "output"]),
    cost: (_shapes, shape) => sizeOf(shape),
    formula: "b = 0 ? 0 : a / b",
    rule: "g / b, -g y / b; 0 where b is 0",
    doc: "Quotient that is 0 where the divisor is 0, with derivative 0 there.",
  }),
];
