/** Losses, as formulas over other rows: `reduction` "mean" (the default), "sum" or "none". */
import { shapeText, sizeOf, stridesOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { axisOf } from "./axes.js";
import { broadcastShapes } from "./broadcast.js";
import { defineComposite } from "./composite.js";
import { fromNested } from "../../tape/ndarray.js";
import { ShapeError, type ArrayPrimitive, type Params } from "./row.js";

function reductionIn(name: string, params: Params): "mean" | "sum" | "none" {
  const { reduction = "mean" } = params;
  if (reduction !== "mean" && reduction !== "sum" && reduction !== "none")
    throw new ShapeError(`${name}: reduction must be "mean", "sum" or "none", not ${String(reduction)}`);
  return reduction;
}

/** Reduces the losses of single elements; a mean divides by `count`. */
function reduced<T>(k: Algebra<T>, name: string, losses: T, params: Params, count: number): T {
  const reduction = reductionIn(name, params);
  if (reduction === "none") return losses;
  const sum = k.sum(losses);
  return reduction === "sum" ? sum : k.div(sum, k.number(count));
}

function pairShape(name: string, shapes: readonly Shape[]): Shape {
  return broadcastShapes(name, shapes);
}

/** A parameter that is nested numbers. */
function arrayParam(name: string, what: string, given: unknown): NDArray {
  try {
    return fromNested(given);
  } catch (error) {
    throw new ShapeError(`${name}: ${what}: ${(error as Error).message}`);
  }
}

interface Targets {
  /** weight of every logarithm of a probability, in the logits' shape */
  readonly weights: NDArray;
  /** targets that count */
  readonly count: number;
}

/** Class targets, or probabilities, as weights of log-probabilities (label smoothing and ignored targets included). */
function targetsOf(shape: Shape, params: Params): Targets {
  const name = "crossEntropy";
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
  target.data.forEach((index, i) => {
    if (index === ignoreIndex) return;
    if (!Number.isInteger(index) || index < 0 || index >= classes)
      throw new ShapeError(`${name}: target ${index} is no class from 0 to ${classes - 1}`);
    count++;
    const start = Math.floor(i / inner) * inner * classes + (i % inner);
    for (let c = 0; c < classes; c++) weights[start + c * inner] = even;
    weights[start + index * inner] += 1 - labelSmoothing;
  });
  return { weights: { shape, data: weights }, count };
}

export const losses: readonly ArrayPrimitive[] = [
  defineComposite({
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
  }),
  defineComposite({
    name: "mseLoss",
    operands: ["x", "y"],
    check: (shapes, params) => void [pairShape("mseLoss", shapes), reductionIn("mseLoss", params)],
    formulaOf(k, [x, y], params) {
      const each = k.unary("square", k.sub(x, y));
      return reduced(k, "mseLoss", each, params, sizeOf(k.shape(each)));
    },
    formula: "(x - y)²",
    rule: "2 g (x - y), weighted",
    doc: "Squared error.",
  }),
  defineComposite({
    name: "huberLoss",
    operands: ["x", "y"],
    check(shapes, params) {
      pairShape("huberLoss", shapes);
      reductionIn("huberLoss", params);
      if (typeof (params.delta ?? 1) !== "number" || !(((params.delta ?? 1) as number) > 0))
        throw new ShapeError("huberLoss: delta must be a positive number");
    },
    formulaOf(k, [x, y], params) {
      const delta = k.number((params.delta ?? 1) as number);
      const size = k.unary("abs", k.sub(x, y));
      const near = k.apply("min", [size, delta]);
      // m²/2 + delta (|d| - m) with m = min(|d|, delta)
      const each = k.add(k.scale(k.unary("square", near), 0.5), k.mul(delta, k.sub(size, near)));
      return reduced(k, "huberLoss", each, params, sizeOf(k.shape(each)));
    },
    formula: "d²/2 within delta, delta (|d| - delta/2) beyond",
    rule: "g clip(d, -delta, delta), weighted",
    doc: "Squared error near 0, linear beyond `delta` (Huber 1964).",
  }),
  defineComposite({
    name: "bceWithLogits",
    operands: ["x"],
    check(shapes, params) {
      const target = arrayParam("bceWithLogits", "target", params.target);
      pairShape("bceWithLogits", [shapes[0], target.shape]);
      reductionIn("bceWithLogits", params);
    },
    formulaOf(k, [x], params) {
      const target = k.constant(arrayParam("bceWithLogits", "target", params.target));
      // log(1 + e^x) - t x
      const each = k.sub(k.unary("softplus", x), k.mul(x, target));
      return reduced(k, "bceWithLogits", each, params, sizeOf(k.shape(each)));
    },
    formula: "softplus(x) - target x",
    rule: "g (sigmoid(x) - target), weighted",
    doc: "Binary cross entropy of logits against targets between 0 and 1.",
  }),
];
