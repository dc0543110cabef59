/** Log-sum-exp and softmax: shifted by the largest element, so that no exponential overflows. */
import { sizeOf, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { axesOf, reductionOf } from "./axes.js";
import { byGroup, reduceGroups } from "./groups.js";
import { defineArray, type ArrayPrimitive, type Params } from "./row.js";

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
    value: ([x], params) => reduceGroups(x, axesOf("logsumexp", params.axis, x.shape), logSumExp),
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
