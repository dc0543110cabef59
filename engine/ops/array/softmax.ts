/** Log-sum-exp and softmax: shifted by the largest element, so that no exponential overflows. */
import { Op } from "../../kernels/kernels.js";
import { sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { axesOf, reductionOf } from "./axes.js";
import { combined } from "./elementwise.js";
import { byGroup, reduceGroups } from "./groups.js";
import type { NumericAlgebra } from "./numeric.js";
import { defineArray, type ArrayPrimitive, type Params } from "./row.js";
import { shifted, type Shifted } from "./shifted.js";

function largestOf(data: Float64Array, start: number, n: number): number {
  let best = -Infinity;
  for (let j = start; j < start + n; j++) best = Math.max(best, data[j]);
  return best;
}

export function logSumExp(data: Float64Array, start: number, n: number): number {
  const shift = largestOf(data, start, n);
  // all -Infinity, an infinite element, NaN: nothing to shift by
  if (!Number.isFinite(shift)) return shift;
  let sum = 0;
  for (let j = start; j < start + n; j++) sum += Math.exp(data[j] - shift);
  return shift + Math.log(sum);
}

function sameShapeFor(name: string): (shapes: readonly Shape[], params: Params) => Shape {
  return ([x], params) => {
    axesOf(name, params.axis ?? -1, x);
    return x;
  };
}

/** The shifted exponentials over trailing axes; null for others, for single elements and where there is nothing to shift by. */
function trailing(x: NDArray, axes: readonly number[], k: NumericAlgebra, keep: boolean): Shifted | null {
  const { shape } = x;
  const first = shape.length - axes.length;
  if (axes.length === 0 || axes.some((axis, i) => axis !== first + i)) return null;
  const n = sizeOf(shape.slice(first));
  return n < 2 || x.data.length === 0 ? null : shifted(x.data, n, k, keep);
}

/** The axis of a softmax: the last where none is given. */
const axisOf = (params: Params): unknown => params.axis ?? -1;

/** g less its mean: a constant tangent changes no probability, exactly and not to rounding. */
function varying<T>(k: Algebra<T>, g: T, axes: readonly number[]): T {
  return k.apply("centre", [g], { axis: axes });
}

/** y (g - sum(g y)): the softmax's Jacobian is symmetric, so this is the push as well. */
function softmaxPull<T>(k: Algebra<T>, g: T, y: T, params: Params): T {
  const axes = axesOf("softmax", axisOf(params), k.shape(y));
  const c = varying(k, g, axes);
  return k.mul(y, k.sub(c, k.sum(k.mul(c, y), axes, true)));
}

export const softmaxes: readonly ArrayPrimitive[] = [
  defineArray({
    name: "logsumexp",
    operands: ["x"],
    shape: ([x], params) => reductionOf("logsumexp", params, x).shape,
    value([x], params, _shape, k) {
      const axes = axesOf("logsumexp", params.axis, x.shape);
      const made = k.kernels === null || k.round !== null ? null : trailing(x, axes, k, true);
      if (made === null) return reduceGroups(x, axes, logSumExp);
      const { shifts, sums } = made;
      const out = k.alloc(sums.length);
      for (let i = 0; i < out.length; i++) out[i] = shifts[i] + Math.log(sums[i]);
      return out;
    },
    pull(_slot, k, g, [x], _output, params) {
      const made =
        k.kernels === null ? null : trailing(x, axesOf("logsumexp", params.axis, x.shape), k, false);
      if (made === null) return undefined;
      const { n, e, sums } = made;
      const scale = k.alloc(sums.length);
      for (let i = 0; i < scale.length; i++) scale[i] = g.data[i] / sums[i];
      const groups = { shape: [scale.length, n], data: e };
      const data = combined(Op.mul, { shape: [scale.length, 1], data: scale }, groups, groups.shape, k);
      return data === null ? undefined : { shape: x.shape, data };
    },
    vjp(_slot, k, g, [x], output, params) {
      const { kept } = reductionOf("logsumexp", params, k.shape(x));
      return k.mul(k.reshape(g, kept), k.unary("exp", k.sub(x, k.reshape(output, kept))));
    },
    jvp(k, [t], [x], output, params) {
      if (t === null) return null;
      const { kept, axes } = reductionOf("logsumexp", params, k.shape(x));
      // the logarithm of an empty sum has no derivative
      if (axes.some((axis) => k.shape(x)[axis] === 0)) return k.filled(k.shape(output), NaN);
      const weights = k.unary("exp", k.sub(x, k.reshape(output, kept)));
      return k.reshape(k.sum(k.mul(t, weights), axes), k.shape(output));
    },
    saves: () => [0, "output"],
    cost: ([x], shape) => 4 * sizeOf(x) + sizeOf(shape),
    formula: "log(sum(exp(x), axis))",
    rule: "g exp(x - y)",
    doc: "Logarithm of a sum of exponentials; -Infinity over an empty axis.",
  }),
  defineArray({
    name: "softmax",
    operands: ["x"],
    shape: sameShapeFor("softmax"),
    value: ([x], params) =>
      byGroup(x, axesOf("softmax", axisOf(params), x.shape), (from, to, start, n) => {
        const shift = largestOf(from, start, n);
        let sum = 0;
        for (let j = start; j < start + n; j++) sum += to[j] = Math.exp(from[j] - shift);
        for (let j = start; j < start + n; j++) to[j] /= sum;
      }),
    vjp: (_slot, k, g, _operands, output, params) => softmaxPull(k, g, output, params),
    jvp: (k, [t], _operands, output, params) => (t === null ? null : softmaxPull(k, t, output, params)),
    saves: () => ["output"],
    cost: ([x]) => 5 * sizeOf(x),
    formula: "exp(x) / sum(exp(x), axis)",
    rule: "y (g - sum(g y, axis))",
    doc: "Softmax along an axis, the last by default.",
  }),
  defineArray({
    name: "logSoftmax",
    operands: ["x"],
    shape: sameShapeFor("logSoftmax"),
    value: ([x], params) =>
      byGroup(x, axesOf("logSoftmax", axisOf(params), x.shape), (from, to, start, n) => {
        const shift = largestOf(from, start, n);
        let sum = 0;
        for (let j = start; j < start + n; j++) sum += Math.exp(from[j] - shift);
        const log = Math.log(sum);
        // shift first: x - (shift + log) would round the shift into the logarithm
        for (let j = start; j < start + n; j++) to[j] = from[j] - shift - log;
      }),
    vjp(_slot, k, g, _operands, output, params) {
      const axes = axesOf("logSoftmax", axisOf(params), k.shape(output));
      return k.sub(g, k.mul(k.unary("exp", output), k.sum(g, axes, true)));
    },
    jvp(k, [t], _operands, output, params) {
      if (t === null) return null;
      const axes = axesOf("logSoftmax", axisOf(params), k.shape(output));
      const c = varying(k, t, axes);
      return k.sub(c, k.sum(k.mul(c, k.unary("exp", output)), axes, true));
    },
    saves: () => ["output"],
    cost: ([x]) => 5 * sizeOf(x),
    formula: "x - logsumexp(x, axis)",
    rule: "g - exp(y) sum(g, axis)",
    doc: "Logarithm of the softmax along an axis, the last by default.",
  }),
];
