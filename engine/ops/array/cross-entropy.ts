/**
 * Cross entropy of logits: a formula over other rows, and over plain arrays the same in loops of its own, from the exponentials
 * that value and rule share.
 */
import { shapeText, sizeOf, stridesOf, sameShape, type NDArray, type Shape } from "../../tape/ndarray.js";
import { axisOf } from "./axes.js";
import { defineComposite } from "./composite.js";
import { arrayParam, reduced, reductionIn } from "./loss-params.js";
import type { NumericAlgebra } from "./numeric.js";
import { ShapeError, type ArrayPrimitive, type Params } from "./row.js";
import { shifted, type Shifted } from "./shifted.js";

const name = "crossEntropy";

interface Targets {
  /** weight of every logarithm of a probability, in the logits' shape */
  readonly weights: NDArray;
  /** targets that count */
  readonly count: number;
}

/** Class targets, or probabilities, as weights of log-probabilities (label smoothing and ignored targets included). */
function readTargets(shape: Shape, params: Params): Targets {
  const axis = axisOf(name, params.axis ?? -1, shape);
  const classes = shape[axis];
  const rest = shape.filter((_, i) => i !== axis);
  const { labelSmoothing = 0, ignoreIndex = null } = params;
  if (typeof labelSmoothing !== "number" || !(labelSmoothing >= 0 && labelSmoothing <= 1))
    throw new ShapeError(`${name}: labelSmoothing must be between 0 and 1`);
  const even = classes === 0 ? 0 : labelSmoothing / classes;
  const weights = new Float64Array(sizeOf(shape));
  if (params.targetProbs !== undefined && params.targetProbs !== null) {
    const probabilities = arrayParam(name, "targetProbs", params.targetProbs);
    if (shapeText(probabilities.shape) !== shapeText(shape))
      throw new ShapeError(
        `${name}: targetProbs has the shape ${shapeText(probabilities.shape)}, the logits ${shapeText(shape)}`,
      );
    probabilities.data.forEach((p, i) => (weights[i] = (1 - labelSmoothing) * p + even));
    return { weights: { shape, data: weights }, count: sizeOf(rest) };
  }
  const target = arrayParam(name, "target", params.target);
  if (shapeText(target.shape) !== shapeText(rest))
    throw new ShapeError(
      `${name}: target has the shape ${shapeText(target.shape)}, expected ${shapeText(rest)} for logits ${shapeText(shape)}`,
    );
  const strides = stridesOf(shape);
  const inner = strides[axis];
  let count = 0;
  for (let i = 0; i < target.data.length; i++) {
    const index = target.data[i];
    if (index === ignoreIndex) continue;
    if (!Number.isInteger(index) || index < 0 || index >= classes)
      throw new ShapeError(`${name}: target ${index} is no class from 0 to ${classes - 1}`);
    count++;
    const start = Math.floor(i / inner) * inner * classes + (i % inner);
    if (even !== 0) for (let c = 0; c < classes; c++) weights[start + c * inner] = even;
    weights[start + index * inner] += 1 - labelSmoothing;
  }
  return { weights: { shape, data: weights }, count };
}

const read = new WeakMap<Params, { readonly shape: Shape; readonly targets: Targets }>();

/** The targets of a call, read once for each shape of its logits. */
function targetsOf(shape: Shape, params: Params): Targets {
  const known = read.get(params);
  if (known !== undefined && sameShape(known.shape, shape)) return known.targets;
  const targets = readTargets(shape, params);
  read.set(params, { shape, targets });
  return targets;
}

const formula = defineComposite({
  name: "crossEntropy",
  operands: ["logits"],
  check: ([shape], params) => void [targetsOf(shape, params), reductionIn("crossEntropy", params)],
  formulaOf(k, [logits], params) {
    const shape = k.shape(logits);
    const axis = axisOf("crossEntropy", params.axis ?? -1, shape);
    const { weights, count } = targetsOf(shape, params);
    const logs = k.apply("logSoftmax", [logits], { axis });
    const each = k.neg(k.sum(k.apply("masked", [logs, k.constant(weights)]), [axis]));
    return reduced(k, "crossEntropy", each, params, count);
  },
  formula: "-sum(target * logSoftmax(logits))",
  rule: "g (softmax - target), weighted",
  doc: "Cross entropy of logits against class indices (`target`) or probabilities (`targetProbs`).",
});

/** The exponentials of logits whose classes are the last axis, in an algebra that keeps them; null for others. */
function exponentials(x: NDArray, params: Params, k: NumericAlgebra, keep: boolean): Shifted | null {
  const { shape, data } = x;
  const axis = axisOf(name, params.axis ?? -1, shape);
  if (k.kernels === null || k.round !== null || axis !== shape.length - 1 || data.length === 0) return null;
  return shifted(data, shape[axis], k, keep);
}

export const crossEntropy: ArrayPrimitive = {
  ...formula,
  shape([shape], params) {
    const axis = axisOf(name, params.axis ?? -1, shape);
    targetsOf(shape, params);
    return reductionIn(name, params) === "none" ? shape.filter((_, i) => i !== axis) : [];
  },
  value(operands, params, shape, k) {
    const [x] = operands;
    const made = exponentials(x, params, k, true);
    if (made === null) return formula.value(operands, params, shape, k);
    const { weights, count } = targetsOf(x.shape, params);
    const { n, shifts, sums } = made;
    const data = k.alloc(sums.length);
    for (let i = 0, at = 0; i < sums.length; i++) {
      const log = Math.log(sums[i]);
      let sum = 0;
      for (const end = at + n; at < end; at++) {
        const w = weights.data[at];
        if (w !== 0) sum += (x.data[at] - shifts[i] - log) * w;
      }
      data[i] = -sum;
    }
    return reduced(k, name, { shape: x.shape.slice(0, -1), data }, params, count).data;
  },
  /** t - softmax * sum(t), t the cotangent of the logarithms: -w g */
  pull(_slot, k, g, [x], _output, params) {
    const made = exponentials(x, params, k, false);
    if (made === null) return undefined;
    const { weights, count } = targetsOf(x.shape, params);
    const { n, e, sums } = made;
    const reduction = reductionIn(name, params);
    const data = k.alloc(x.data.length);
    for (let i = 0, at = 0; i < sums.length; i++, at += n) {
      const one = g.data[reduction === "none" ? i : 0];
      const c = -(reduction === "mean" ? one / count : one);
      let sum = 0;
      for (let j = at; j < at + n; j++) {
        const w = weights.data[j];
        sum += data[j] = w === 0 ? 0 : c * w;
      }
      const share = sum / sums[i];
      for (let j = at; j < at + n; j++) data[j] -= e[j] * share;
    }
    return { shape: x.shape, data };
  },
};
