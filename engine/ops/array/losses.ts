/** Losses, as formulas over other rows: `reduction` "mean" (the default), "sum" or "none". */
import { sizeOf, type Shape } from "../../tape/ndarray.js";
import { broadcastShapes } from "./broadcast.js";
import { defineComposite } from "./composite.js";
import { crossEntropy } from "./cross-entropy.js";
import { arrayParam, reduced, reductionIn } from "./loss-params.js";
import { ShapeError, type ArrayPrimitive } from "./row.js";

function pairShape(name: string, shapes: readonly Shape[]): Shape {
  return broadcastShapes(name, shapes);
}

export const losses: readonly ArrayPrimitive[] = [
  crossEntropy,
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
