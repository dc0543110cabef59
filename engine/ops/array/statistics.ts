/** Mean, variance, standard deviation and norms. */
import { shapeText, sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { axesOf, reducedShape, reductionOf } from "./axes.js";
import { defineComposite } from "./composite.js";
import { byGroup, groupsOf, reduceGroups } from "./groups.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

/** Number of elements that a reduction takes together. */
function groupSize(name: string, shape: Shape, params: Params): number {
  return sizeOf(axesOf(name, params.axis, shape).map((axis) => shape[axis]));
}

function correctionOf(name: string, params: Params): number {
  const { correction = 0 } = params;
  if (typeof correction !== "number") throw new ShapeError(`${name}: correction must be a number`);
  return correction;
}

/** x minus its mean over the axes, kept in x's shape. */
function centred<T>(k: Algebra<T>, x: T, params: Params): T {
  return k.apply("centre", [x], { axis: params.axis ?? null });
}

/** The orders of a vector norm the table knows: any number from 1 on, or Infinity (also as text). */
function orderOf(params: Params): number {
  const { ord = 2 } = params;
  const order = ord === "Infinity" ? Infinity : ord;
  if (typeof order !== "number" || !(order >= 1))
    throw new ShapeError(`norm: ord must be a number from 1 on or Infinity, not ${String(ord)}`);
  return order;
}

/** Scaled by the largest magnitude, so that powers neither overflow nor vanish. */
function scaledNorm(data: Float64Array, start: number, n: number, order: number): number {
  let largest = 0;
  for (let j = start; j < start + n; j++) {
    const size = Math.abs(data[j]);
    if (size !== size) return NaN;
    if (size > largest) largest = size;
  }
  if (largest === 0 || largest === Infinity || order === Infinity) return largest;
  // a power of two scales without rounding
  const scale = 2 ** Math.floor(Math.log2(largest));
  const unit = scale > 0 && Number.isFinite(scale) ? scale : largest;
  let sum = 0;
  if (order === 2) for (let j = start; j < start + n; j++) sum += (data[j] / unit) ** 2;
  else for (let j = start; j < start + n; j++) sum += Math.abs(data[j] / unit) ** order;
  return unit * (order === 2 ? Math.sqrt(sum) : sum ** (1 / order));
}

export const statistics: readonly ArrayPrimitive[] = [
  defineComposite({
    name: "mean",
    operands: ["x"],
    check: ([x], params) => void reductionOf("mean", params, x),
    formulaOf(k, [x], params) {
      const n = groupSize("mean", k.shape(x), params);
      return k.div(k.apply("sum", [x], params), k.number(n));
    },
    saves: () => [],
    formula: "sum(x, axis) / n",
    rule: "g / n repeated",
    doc: "Arithmetic mean over axes; NaN over an empty axis.",
  }),
  defineArray({
    name: "centre",
    operands: ["x"],
    shape([x], params) {
      axesOf("centre", params.axis, x);
      return x;
    },
    value: ([x], params) =>
      byGroup(x, axesOf("centre", params.axis, x.shape), (from, to, start, n) => {
        let sum = 0;
        for (let j = start; j < start + n; j++) sum += from[j];
        const mean = sum / n;
        // the rounding of a large mean is the mean of what is left
        let rest = 0;
        for (let j = start; j < start + n; j++) rest += to[j] = from[j] - mean;
        rest /= n;
        for (let j = start; j < start + n; j++) to[j] -= rest;
      }),
    vjp: (_slot, k, g, _operands, _output, params) => k.apply("centre", [g], params),
    jvp: (k, [t], _operands, _output, params) => (t === null ? null : k.apply("centre", [t], params)),
    saves: () => [],
    cost: ([x]) => 4 * sizeOf(x),
    formula: "x - mean(x, axis)",
    rule: "g - mean(g, axis)",
    doc: "Deviation from the mean, the mean's own rounding taken out.",
  }),
  defineComposite({
    name: "var",
    operands: ["x"],
    check: ([x], params) => void [reductionOf("var", params, x), correctionOf("var", params)],
    formulaOf(k, [x], params) {
      const n = groupSize("var", k.shape(x), params) - correctionOf("var", params);
      const { axis = null, keepdims = false } = params;
      return k.div(
        k.apply("sum", [k.unary("square", centred(k, x, params))], { axis, keepdims }),
        k.number(n),
      );
    },
    formula: "sum((x - mean)²) / (n - correction)",
    rule: "2 g (x - mean) / (n - correction)",
    doc: "Variance over axes; `correction` 0 divides by n, 1 by n - 1.",
  }),
  defineComposite({
    name: "std",
    operands: ["x"],
    kinked: true,
    check: ([x], params) => void [reductionOf("std", params, x), correctionOf("std", params)],
    formulaOf(k, [x], params) {
      const n = groupSize("std", k.shape(x), params) - correctionOf("std", params);
      const { axis = null, keepdims = false } = params;
      const size = k.apply("norm", [centred(k, x, params)], { axis, keepdims, ord: 2 });
      return k.div(size, k.number(Math.sqrt(n)));
    },
    formula: "sqrt(var)",
    rule: "g (x - mean) / (n - correction) / y",
    doc: "Standard deviation over axes; derivative 0 at zero variance.",
  }),
  defineArray({
    name: "norm",
    operands: ["x"],
    shape([x], params) {
      orderOf(params);
      return reductionOf("norm", params, x).shape;
    },
    value([x], params) {
      const order = orderOf(params);
      return reduceGroups(x, axesOf("norm", params.axis, x.shape), (data, start, n) =>
        scaledNorm(data, start, n, order),
      );
    },
    vjp(_slot, k, g, [x], output, params) {
      const { kept } = reductionOf("norm", params, k.shape(x));
      return k.mul(k.reshape(g, kept), slopes(k, x, k.reshape(output, kept), params));
    },
    jvp(k, [t], [x], output, params) {
      if (t === null) return null;
      const { kept, axes, shape } = reductionOf("norm", params, k.shape(x));
      const part = k.mul(t, slopes(k, x, k.reshape(output, kept), params));
      return k.reshape(k.sum(part, axes), shape);
    },
    saves: () => [0, "output"],
    cost: ([x]) => 2 * sizeOf(x),
    kink: ([x], params) => normKink(x, params),
    formula: "(sum |x|^ord)^(1 / ord)",
    rule: "g sign(x) (|x| / y)^(ord - 1)",
    doc: "Vector norm over axes, of order 1, 2, any p from 1 on, or Infinity; derivative 0 at zero.",
  }),
];

/** The convention taken where a norm has no derivative: at zeros, and of orders 1 and Infinity on the edges of their balls. */
function normKink(x: NDArray, params: Params): string | null {
  const order = orderOf(params);
  const axes = axesOf("norm", params.axis, x.shape);
  const { count, n, data } = groupsOf(x, axes);
  for (let i = 0; i < count; i++) {
    const sizes = data.subarray(i * n, (i + 1) * n).map(Math.abs);
    const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
    if (n > 0 && largest === 0)
      return `norm of zeros: derivative 0 (shape ${shapeText(reducedShape(x.shape, axes, false))})`;
    if (order === 1 && sizes.includes(0)) return "a zero in a sum of magnitudes: derivative 0 there";
    if (order === Infinity && sizes.indexOf(largest) !== sizes.lastIndexOf(largest))
      return "equal largest magnitudes share the derivative evenly";
  }
  return null;
}

/** Derivative of the norm in every element; `y` is the norm with reduced axes kept. */
function slopes<T>(k: Algebra<T>, x: T, y: T, params: Params): T {
  const order = orderOf(params);
  if (order === 2) return k.apply("divOrZero", [x, y]);
  const sign = k.unary("sign", x);
  if (order === 1) return sign;
  if (order === Infinity) {
    const axis = params.axis ?? null;
    return k.apply("masked", [sign, k.apply("extremeShare", [k.unary("abs", x)], { axis, largest: true })]);
  }
  const ratio = k.apply("divOrZero", [k.unary("abs", x), y]);
  return k.mul(sign, k.apply("pow", [ratio, k.number(order - 1)]));
}
