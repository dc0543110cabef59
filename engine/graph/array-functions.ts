/**
 * Operations on arrays as functions: those of several tensors, and the layers of networks. What a single tensor does by
 * itself is a method of it.
 */
import type { Params } from "../ops/array/row.js";
import { call } from "../tape/callsite.js";
import type { Tensor } from "../tape/tensor.js";
import { BacksweepError } from "../trace/failure.js";
import { checked } from "./arguments.js";
import { callArray, callNumber, type NestedNumbers, type TensorLike } from "./array-calls.js";
import { functionSignatures, type ArrayFunction } from "./signatures.js";
import type { Along } from "./tensor-types.js";

/** Nested numbers or booleans. */
export type Mask = boolean | number | readonly Mask[];

/** A function of arrays, its arguments checked against the table. */
function array<F extends (...given: never[]) => unknown>(name: ArrayFunction, fn: F): F {
  return checked(functionSignatures.get(name)!, fn);
}

/** The arrays that are joined, given as one list. */
function listOf(name: string, arrays: readonly TensorLike[]): readonly TensorLike[] {
  if (Array.isArray(arrays)) return arrays;
  throw new BacksweepError("definition", `${name}: give the arrays as a list, ${name}([a, b])`, call.site);
}

/** Operands without those that were left out. */
function given(...operands: (TensorLike | undefined)[]): TensorLike[] {
  return operands.filter((operand) => operand !== undefined);
}

/** Parameters without those that were left out. */
function set(params: object): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

export const matmul = array("matmul", (a: TensorLike, b: TensorLike): Tensor => callArray("matmul", [a, b]));
/** Inner product of two vectors. */
export const dot = array("dot", (a: TensorLike, b: TensorLike): number => callNumber("dot", [a, b]));
export const outer = array("outer", (a: TensorLike, b: TensorLike): Tensor => callArray("outer", [a, b]));
export const kron = array("kron", (a: TensorLike, b: TensorLike): Tensor => callArray("kron", [a, b]));
/** Sum of products as an equation says, `"ij,jk->ik"`. */
export const einsum = array("einsum", (equation: string, ...operands: TensorLike[]): Tensor =>
  callArray("einsum", operands, { equation }),
);
/** Arrays joined along an axis they have (0 by default). */
export const concat = array("concat", (arrays: readonly TensorLike[], { axis = 0 }: Along = {}): Tensor =>
  callArray("concat", listOf("concat", arrays), { axis }),
);
/** Numbers or arrays of one shape as the entries of a new axis (0 by default). */
export const stack = array("stack", (arrays: readonly TensorLike[], { axis = 0 }: Along = {}): Tensor =>
  callArray("stack", listOf("stack", arrays), { axis }),
);
/** base with updates added at the indices along an axis (torch.scatter_add). */
export const scatterAdd = array(
  "scatterAdd",
  (base: TensorLike, index: NestedNumbers, updates: TensorLike, { axis = 0 }: Along = {}): Tensor =>
    callArray("scatterAdd", [base, updates], { index, axis }),
);
/** base with whole slices added at the indices of an axis. */
export const indexAdd = array(
  "indexAdd",
  (base: TensorLike, index: NestedNumbers, updates: TensorLike, { axis = 0 }: Along = {}): Tensor =>
    callArray("indexAdd", [base, updates], { index, axis }),
);
/** Sums of the slices along the first axis that have the same segment. */
export const segmentSum = array(
  "segmentSum",
  (x: TensorLike, segmentIds: readonly number[], numSegments: number): Tensor =>
    callArray("segmentSum", [x], { segmentIds, numSegments }),
);
/** Solves a x = b. */
export const solve = array("solve", (a: TensorLike, b: TensorLike): Tensor => callArray("solve", [a, b]));
export interface Triangular {
  readonly upper?: boolean;
  readonly transpose?: boolean;
  readonly unitDiagonal?: boolean;
}
/** Solves op(a) x = b where only one triangle of a is read. */
export const triangularSolve = array(
  "triangularSolve",
  (a: TensorLike, b: TensorLike, options: Triangular = {}): Tensor =>
    callArray("triangularSolve", [a, b], set(options)),
);

// losses: `reduction` "mean" (default) and "sum" give a number
export interface Loss {
  readonly reduction?: "mean" | "sum" | "none";
}
function loss(name: string, operands: readonly TensorLike[], params: Params): unknown {
  return params.reduction === "none" ? callArray(name, operands, params) : callNumber(name, operands, params);
}
interface LossOf<Operands extends unknown[], Options> {
  (...args: [...Operands, (Options & { readonly reduction?: "mean" | "sum" })?]): number;
  (...args: [...Operands, Options & { readonly reduction: "none" }]): Tensor;
}
export interface CrossEntropy {
  readonly labelSmoothing?: number;
  readonly ignoreIndex?: number | null;
  readonly axis?: number;
}
/** Cross entropy of logits against class indices, or against probabilities of the logits' shape. */
export const crossEntropy = array(
  "crossEntropy",
  (
    logits: TensorLike,
    target: NestedNumbers,
    options: CrossEntropy & Loss & { readonly probabilities?: boolean } = {},
  ) => {
    const { probabilities = false, ...rest } = options;
    return loss(
      "crossEntropy",
      [logits],
      set({ ...rest, [probabilities ? "targetProbs" : "target"]: target }),
    );
  },
) as LossOf<[logits: TensorLike, target: NestedNumbers], CrossEntropy & { readonly probabilities?: boolean }>;
export const mseLoss = array("mseLoss", (x: TensorLike, y: TensorLike, options: Loss = {}) =>
  loss("mseLoss", [x, y], set(options)),
) as LossOf<[x: TensorLike, y: TensorLike], object>;
export const huberLoss = array(
  "huberLoss",
  (x: TensorLike, y: TensorLike, options: Loss & { readonly delta?: number } = {}) =>
    loss("huberLoss", [x, y], set(options)),
) as LossOf<[x: TensorLike, y: TensorLike], { readonly delta?: number }>;
export const bceWithLogits = array(
  "bceWithLogits",
  (x: TensorLike, target: NestedNumbers, options: Loss = {}) =>
    loss("bceWithLogits", [x], set({ ...options, target })),
) as LossOf<[x: TensorLike, target: NestedNumbers], object>;

// layers
/** x wᵀ + bias; w is [out, in]. */
export const linear = array("linear", (x: TensorLike, w: TensorLike, bias?: TensorLike): Tensor =>
  callArray("linear", given(x, w, bias)),
);
export interface Convolution {
  readonly stride?: number | readonly number[];
  readonly padding?: number | readonly number[];
  readonly dilation?: number | readonly number[];
  readonly groups?: number;
  readonly bias?: TensorLike;
}
function convolve(name: string, x: TensorLike, w: TensorLike, options: Convolution): Tensor {
  const { bias, ...params } = options;
  return callArray(name, given(x, w, bias), set(params));
}
/** x [N, C, L], w [O, C/groups, K] */
export const conv1d = array("conv1d", (x: TensorLike, w: TensorLike, options: Convolution = {}): Tensor =>
  convolve("conv1d", x, w, options),
);
/** x [N, C, H, W], w [O, C/groups, KH, KW] */
export const conv2d = array("conv2d", (x: TensorLike, w: TensorLike, options: Convolution = {}): Tensor =>
  convolve("conv2d", x, w, options),
);
/** x [N, C, L], w [C, O/groups, K] */
export const convTranspose1d = array(
  "convTranspose1d",
  (x: TensorLike, w: TensorLike, options: Convolution & { readonly outputPadding?: number } = {}): Tensor =>
    convolve("convTranspose1d", x, w, options),
);
export interface Pool {
  readonly kernel: number | readonly number[];
  readonly stride?: number | readonly number[];
  readonly padding?: number | readonly number[];
}
export const maxPool1d = array("maxPool1d", (x: TensorLike, options: Pool): Tensor =>
  callArray("maxPool1d", [x], set(options)),
);
export const maxPool2d = array("maxPool2d", (x: TensorLike, options: Pool): Tensor =>
  callArray("maxPool2d", [x], set(options)),
);
type AveragePool = Pool & { readonly countIncludePad?: boolean };
export const avgPool1d = array("avgPool1d", (x: TensorLike, options: AveragePool): Tensor =>
  callArray("avgPool1d", [x], set(options)),
);
export const avgPool2d = array("avgPool2d", (x: TensorLike, options: AveragePool): Tensor =>
  callArray("avgPool2d", [x], set(options)),
);
export interface Normalisation {
  readonly weight?: TensorLike;
  readonly bias?: TensorLike;
  readonly eps?: number;
}
function normalise(name: string, x: TensorLike, options: Normalisation & object): Tensor {
  const { weight, bias, ...params } = options;
  const w = weight ?? (bias === undefined ? undefined : 1);
  const full = w === 1 ? onesLike(bias!) : w;
  return callArray(name, given(x, full, bias), set(params));
}
/** Ones of a shape: the weight where only a bias is given. */
function onesLike(x: TensorLike): Tensor {
  return callArray("add", [callArray("mul", [x, 0]), 1]);
}
/** Over the trailing axes `normalizedShape`, the last one by default. */
export const layerNorm = array(
  "layerNorm",
  (x: TensorLike, options: Normalisation & { readonly normalizedShape?: readonly number[] } = {}): Tensor =>
    normalise("layerNorm", x, options),
);
export const rmsNorm = array(
  "rmsNorm",
  (
    x: TensorLike,
    options: Omit<Normalisation, "bias"> & { readonly normalizedShape?: readonly number[] } = {},
  ): Tensor => normalise("rmsNorm", x, options),
);
export const groupNorm = array(
  "groupNorm",
  (x: TensorLike, options: Normalisation & { readonly groups: number }): Tensor =>
    normalise("groupNorm", x, options),
);
export interface BatchNorm extends Normalisation {
  /** false: with the running statistics; default true: with the batch's */
  readonly training?: boolean;
  readonly runningMean?: readonly number[];
  readonly runningVar?: readonly number[];
}
export const batchNorm = array("batchNorm", (x: TensorLike, options: BatchNorm = {}): Tensor =>
  normalise("batchNorm", x, options),
);
export interface Attention {
  /** default 1 / sqrt(D) */
  readonly scale?: number | null;
  /** true keeps an entry; numbers are added to the scores */
  readonly mask?: Mask | null;
  readonly causal?: boolean;
}
/** softmax(q kᵀ scale + mask) v; q [..., L, D], k [..., S, D], v [..., S, E] */
export const attention = array(
  "attention",
  (q: TensorLike, k: TensorLike, v: TensorLike, options: Attention = {}): Tensor =>
    callArray("attention", [q, k, v], set(options)),
);
/** Rows of a table by index; the row `paddingIdx` takes no derivative. */
export const embedding = array(
  "embedding",
  (
    weight: TensorLike,
    indices: NestedNumbers,
    { paddingIdx = null }: { readonly paddingIdx?: number | null } = {},
  ): Tensor => callArray("embedding", [weight], { indices, paddingIdx }),
);
