/** Convolutions (cross-correlation, as networks use the word) in one and two dimensions, and the transposed one. */
import { shapeText, sizeOf, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { defineComposite } from "./composite.js";
import { ShapeError, type ArrayPrimitive, type Params } from "./row.js";
import { windowCounts, windowOf } from "./windows.js";

interface Plan {
  readonly n: number;
  readonly groups: number;
  readonly outChannels: number;
  /** elements of a window, its channels of one group included */
  readonly depth: number;
  readonly out: readonly number[];
  readonly window: Params;
}

function groupsOf(name: string, params: Params): number {
  const { groups = 1 } = params;
  if (typeof groups !== "number" || !Number.isInteger(groups) || groups < 1)
    throw new ShapeError(`${name}: groups must be a positive integer`);
  return groups;
}

function planOf(name: string, dims: number, shapes: readonly Shape[], params: Params): Plan {
  const [x, w, bias] = shapes;
  if (x.length !== dims + 2 || w.length !== dims + 2)
    throw new ShapeError(
      `${name}: expected x [N, C, ${dims === 1 ? "L" : "H, W"}] and weights of as many axes, got ${shapeText(x)} and ${shapeText(w)}`,
    );
  const groups = groupsOf(name, params);
  const [n, channels, ...spatial] = x;
  const [outChannels, perGroup, ...kernel] = w;
  if (perGroup * groups !== channels || outChannels % groups !== 0)
    throw new ShapeError(
      `${name}: ${channels} channels of ${shapeText(x)} in ${groups} group${groups === 1 ? "" : "s"} do not fit weights ${shapeText(w)}`,
    );
  if (bias !== undefined && (bias.length !== 1 || bias[0] !== outChannels))
    throw new ShapeError(`${name}: the bias has the shape ${shapeText(bias)}, expected [${outChannels}]`);
  const window = windowOf(name, kernel, params, dims, "one");
  const out = windowCounts(name, spatial, window);
  return { n, groups, outChannels, depth: perGroup * sizeOf(kernel), out, window: { ...window } };
}

/** Adds one number a channel. */
function biased<T>(k: Algebra<T>, y: T, bias: T | undefined, dims: number): T {
  if (bias === undefined) return y;
  return k.add(y, k.reshape(bias, [k.shape(bias)[0], ...new Array<number>(dims).fill(1)]));
}

function convolution(name: "conv1d" | "conv2d", dims: number): ArrayPrimitive {
  return defineComposite({
    name,
    operands: ["x", "w", "...bias"],
    check: (shapes, params) => void planOf(name, dims, shapes, params),
    formulaOf(k, [x, w, bias], params) {
      const plan = planOf(
        name,
        dims,
        (bias === undefined ? [x, w] : [x, w, bias]).map((operand) => k.shape(operand)),
        params,
      );
      const { n, groups, outChannels, depth, out, window } = plan;
      const patches = k.reshape(k.apply("patches", [x], window), [n, groups, depth, sizeOf(out)]);
      const weights = k.reshape(w, [groups, outChannels / groups, depth]);
      const y = k.reshape(k.matmul(weights, patches), [n, outChannels, ...out]);
      return biased(k, y, bias, dims);
    },
    formula: "sum of w times the window, + bias",
    rule: "x: w spread over the windows; w: g times the windows; bias: sum of g",
    doc: `Convolution over ${dims === 1 ? "one axis, x [N, C, L]" : "two axes, x [N, C, H, W]"}; stride, padding, dilation, groups.`,
  });
}

interface TransposePlan {
  readonly n: number;
  readonly groups: number;
  readonly inner: number;
  readonly depth: number;
  readonly windows: number;
  readonly out: Shape;
  readonly window: Params;
}

function transposePlan(shapes: readonly Shape[], params: Params): TransposePlan {
  const name = "convTranspose1d";
  const [x, w, bias] = shapes;
  if (x.length !== 3 || w.length !== 3)
    throw new ShapeError(
      `${name}: expected x [N, C, L] and w [C, O/groups, K], got ${shapeText(x)} and ${shapeText(w)}`,
    );
  const groups = groupsOf(name, params);
  const [n, channels, length] = x;
  const [fromChannels, perGroup, kernel] = w;
  if (fromChannels !== channels || channels % groups !== 0)
    throw new ShapeError(
      `${name}: the channels of ${shapeText(x)} and ${shapeText(w)} do not fit in ${groups} groups`,
    );
  if (bias !== undefined && (bias.length !== 1 || bias[0] !== perGroup * groups))
    throw new ShapeError(
      `${name}: the bias has the shape ${shapeText(bias)}, expected [${perGroup * groups}]`,
    );
  const window = windowOf(name, [kernel], params, 1, "one");
  const { outputPadding = 0 } = params;
  const extra = (Array.isArray(outputPadding) ? outputPadding[0] : outputPadding) as number;
  const outLength =
    (length - 1) * window.stride[0] - 2 * window.padding[0] + window.dilation[0] * (kernel - 1) + 1 + extra;
  if (outLength < 1) throw new ShapeError(`${name}: the padding leaves nothing of ${shapeText(x)}`);
  return {
    n,
    groups,
    inner: channels / groups,
    depth: perGroup * kernel,
    windows: length,
    out: [n, perGroup * groups, outLength],
    window: { ...window },
  };
}

export const convolutions: readonly ArrayPrimitive[] = [
  convolution("conv1d", 1),
  convolution("conv2d", 2),
  defineComposite({
    name: "convTranspose1d",
    operands: ["x", "w", "...bias"],
    check: (shapes, params) => void transposePlan(shapes, params),
    formulaOf(k, [x, w, bias], params) {
      const plan = transposePlan(
        (bias === undefined ? [x, w] : [x, w, bias]).map((operand) => k.shape(operand)),
        params,
      );
      const { n, groups, inner, depth, windows, out, window } = plan;
      const input = k.reshape(x, [n, groups, inner, windows]);
      const weights = k.reshape(w, [groups, inner, depth]);
      const spread = k.matmul(weights, input, { transposeA: true });
      const kernel = (window.kernel as readonly number[])[0];
      const patches = k.reshape(spread, [n, out[1], kernel, windows]);
      const y = k.apply("scatterBack", [patches], { op: "patches", of: window, shape: out });
      return biased(k, y, bias, 1);
    },
    formula: "w spread over the windows, added, + bias",
    rule: "the convolution of g",
    doc: "Transposed convolution over one axis: the adjoint of conv1d; w is [C, O/groups, K].",
  }),
];
