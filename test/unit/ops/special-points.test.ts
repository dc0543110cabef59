/** Conventions at signed zeros, infinities, NaN and subnormals, as the reference's README states them. */
import { describe, expect, it } from "vitest";
import { primitive, primitives } from "../../../engine/ops/table.js";

/** name, operands, value, derivatives; undefined: not looked at */
type Row = [string, number[], number | undefined, (number | undefined)[]];

const MAX = Number.MAX_VALUE;
const conventions: Row[] = [
  ["abs", [NaN], NaN, [NaN]],
  ["abs", [-5e-324], 5e-324, [-1]],
  ["abs", [-0], 0, [0]],
  ["sign", [-0], -0, [0]],
  ["sign", [NaN], NaN, [0]],
  ["sqrt", [-0], -0, [-Infinity]],
  ["sqrt", [-1], NaN, [NaN]],
  ["cbrt", [5e-324], undefined, [1.1490942214795806e215]],
  ["relu", [NaN], NaN, [NaN]],
  ["relu", [-0], 0, [0]],
  ["relu", [5e-324], 5e-324, [1]],
  ["leakyRelu", [0, 0.01], 0, [0.01, 0]],
  ["elu", [0, 1.7], 0, [1.7, 0]],
  ["elu", [-40, 1], undefined, [4.248354255291589e-18, undefined]],
  ["clip", [NaN, -1, 1], NaN, [0, 0, 0]],
  ["clip", [-1, -1, 1], -1, [1, 0, 0]],
  ["clip", [-2, -1, 1], -1, [0, 1, 0]],
  ["clip", [2, -1, 1], 1, [0, 0, 1]],
  ["clip", [0, 2, 1], 1, [0, 0, 1]],
  ["max", [0, -0], 0, [0.5, 0.5]],
  ["min", [0, -0], -0, [0.5, 0.5]],
  ["max", [NaN, 1], NaN, [1, 0]],
  ["min", [1, NaN], NaN, [0, 1]],
  ["max", [NaN, NaN], NaN, [0.5, 0.5]],
  ["hypot", [0, 0], 0, [0, 0]],
  ["hypot", [Infinity, 1], Infinity, [NaN, 0]],
  ["hypot", [5e-324, 5e-324], undefined, [Math.SQRT1_2, Math.SQRT1_2]],
  ["atan2", [0, 0], 0, [0, 0]],
  ["atan2", [0, 1e-200], 0, [1e200, -0]],
  ["atan2", [1e-200, 0], Math.PI / 2, [0, -1e200]],
  ["hypot", [1e-200, 0], 1e-200, [1, 0]],
  ["hypot", [0, -1e200], 1e200, [0, -1]],
  ["pow", [0, 0], 1, [0, 0]],
  ["pow", [NaN, 0], 1, [0, NaN]],
  ["pow", [0, -1], Infinity, [-Infinity, -Infinity]],
  ["pow", [-2, 3], -8, [12, NaN]],
  ["pow", [-0, 0.5], 0, [Infinity, 0]],
  ["pow", [-Infinity, 0.5], Infinity, [0, NaN]],
  ["pow", [1, NaN], NaN, [NaN, 0]],
  ["pow", [1, Infinity], NaN, [Infinity, 0]],
  ["pow", [-1, -Infinity], NaN, [-Infinity, NaN]],
  ["mod", [1, 0.1], 0.09999999999999995, [1, -9]],
  ["mod", [-1, 0.1], -0.09999999999999995, [1, 9]],
  ["mod", [1, 0], NaN, [1, -Infinity]],
  ["floorMod", [-1, 0.1], 5.551115123125783e-17, [1, 10]],
  ["floorMod", [-0, 1], -0, [1, 0]],
  ["floorMod", [1, -Infinity], -Infinity, [1, 1]],
  ["floorMod", [-1, Infinity], Infinity, [1, 1]],
  ["div", [0, 5e-324], 0, [Infinity, 0]],
  ["div", [1, 0], Infinity, [Infinity, -Infinity]],
  ["div", [1e-300, 1e-300], 1, [1e300, -1e300]],
  ["round", [0.5], 0, [0]],
  ["round", [1.5], 2, [0]],
  ["round", [2.5], 2, [0]],
  ["round", [-0.5], -0, [0]],
  ["round", [-3.5], -4, [0]],
  ["round", [0.49999999999999994], 0, [0]],
  ["round", [4503599627370495.5], 4503599627370496, [0]],
  ["round", [4503599627370497], 4503599627370497, [0]],
  ["round", [-0], -0, [0]],
  ["trunc", [-0.5], -0, [0]],
  ["trunc", [2.7], 2, [0]],
  ["trunc", [-2.7], -2, [0]],
  ["where", [1, 2, 3], 2, [0, 1, 0]],
  ["where", [0, 2, 3], 3, [0, 0, 1]],
  ["where", [NaN, 2, 3], 3, [0, 0, 1]],
  ["exp2", [10], 1024, [1024 * Math.LN2]],
  ["exp2", [-Infinity], 0, [0]],
  ["lgamma", [1], 0, [-0.5772156649015329]],
  ["lgamma", [2], 0, [0.42278433509846713]],
  ["lgamma", [0], Infinity, [-Infinity]],
  ["lgamma", [-0], Infinity, [Infinity]],
  ["lgamma", [-3], Infinity, [NaN]],
  ["lgamma", [Infinity], Infinity, [Infinity]],
  ["lgamma", [-Infinity], Infinity, [NaN]],
  ["lgamma", [MAX], Infinity, [709.782712893384]],
  ["digamma", [-0], Infinity, [Infinity]],
  ["digamma", [-2], NaN, [Infinity]],
  ["digamma", [-Infinity], NaN, [NaN]],
  ["erf", [Infinity], 1, [0]],
  ["erf", [-0], -0, [2 / Math.sqrt(Math.PI)]],
  ["erfc", [-Infinity], 2, [-0]],
  ["erfc", [30], 0, [0]],
  ["gelu", [-1e300], -0, [0]],
  ["gelu", [Infinity], Infinity, [NaN]],
  ["gelu", [-Infinity], NaN, [NaN]],
  ["geluTanh", [-1e300], -0, [0]],
  ["geluTanh", [MAX], MAX, [1]],
  ["geluTanh", [Infinity], Infinity, [NaN]],
  ["silu", [-1e300], -0, [0]],
  ["sigmoid", [-745], 5e-324, [5e-324]],
  ["sigmoid", [Infinity], 1, [0]],
  ["softplus", [-Infinity], 0, [0]],
  ["logSigmoid", [-Infinity], -Infinity, [1]],
  ["tanh", [-Infinity], -1, [0]],
  ["acosh", [MAX], undefined, [1 / MAX]],
  ["acosh", [-2], NaN, [1 / Math.sqrt(3)]],
  ["acosh", [-1e300], NaN, [0]],
  ["acosh", [0.5], NaN, [NaN]],
  ["log10", [-1], NaN, [-Math.LOG10E]],
  ["asinh", [-Infinity], -Infinity, [0]],
];

const same = (x: number, y: number): boolean =>
  x === y || (x !== x && y !== y) || Math.abs(x - y) <= 1e-15 * Math.abs(y);

describe("special points", () => {
  it.each(conventions)("%s(%j)", (name, [a, b = 0, c = 0], value, derivatives) => {
    const row = primitive(name);
    const y = row.value(a, b, c);
    if (value !== undefined) {
      expect(same(y, value), `value ${y}, expected ${value}`).toBe(true);
      if (value === 0) expect(Object.is(y, value), `sign of ${y}`).toBe(true);
    }
    expect(derivatives.length).toBe(row.arity);
    derivatives.forEach((want, slot) => {
      if (want === undefined) return;
      const got = row.local[slot](a, b, c, y);
      expect(same(got, want), `slot ${slot}: ${got}, expected ${want}`).toBe(true);
    });
  });

  it("has a NaN in, a NaN out for every primitive of one operand, in the derivative too unless that is constant", () => {
    for (const row of primitives.filter((p) => p.arity === 1)) {
      expect(row.value(NaN, 0, 0), row.name).toBeNaN();
      const local = row.local[0](NaN, 0, 0, NaN);
      if (row.saves[0].length > 0) expect(local, row.name).toBeNaN();
    }
  });

  it("leaves odd functions odd and even ones even, to the last bit, with the sign of zero", () => {
    const odd = [
      "sin",
      "tan",
      "asin",
      "atan",
      "sinh",
      "tanh",
      "asinh",
      "atanh",
      "cbrt",
      "erf",
      "trunc",
      "round",
    ];
    for (const name of [...odd, "sign", "neg"]) {
      const { value, local } = primitive(name);
      for (const x of [0, 5e-324, 1e-300, 0.1, 0.7, 0.999]) {
        expect(Object.is(value(-x, 0, 0), -value(x, 0, 0)), `${name}(${x})`).toBe(true);
        expect(local[0](-x, 0, 0, value(-x, 0, 0)) + 0).toBe(local[0](x, 0, 0, value(x, 0, 0)) + 0);
      }
    }
    for (const name of ["cos", "cosh", "abs", "square"]) {
      const { value } = primitive(name);
      for (const x of [0, 5e-324, 0.1, 0.7, 3]) expect(value(-x, 0, 0)).toBe(value(x, 0, 0));
    }
  });
});
