/** Normalisations: deviations from a mean over their root mean square, then a weight and a bias. */
import { sameShape, shapeText, sizeOf, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { defineComposite } from "./composite.js";
import { fromNested, type NDArray } from "../../tape/ndarray.js";
import { ShapeError, type ArrayPrimitive, type Params } from "./row.js";

function epsOf(name: string, params: Params): number {
  const { eps = 1e-5 } = params;
  if (typeof eps !== "number" || !(eps >= 0)) throw new ShapeError(`${name}: eps must be a number from 0 on`);
  return eps;
}

/** x over sqrt(mean of squares + eps) along the axes. */
function scaled<T>(k: Algebra<T>, x: T, axes: readonly number[], eps: number): T {
  const count = sizeOf(axes.map((axis) => k.shape(x)[axis]));
  const mean = k.div(k.sum(k.unary("square", x), axes, true), k.number(count));
  return k.div(x, k.unary("sqrt", k.add(mean, k.number(eps))));
}

/** Weight and bias, each optional, in the shape given. */
function affine<T>(k: Algebra<T>, x: T, [weight, bias]: readonly T[], shape: Shape): T {
  const y = weight === undefined ? x : k.mul(x, k.reshape(weight, shape));
  return bias === undefined ? y : k.add(y, k.reshape(bias, shape));
}

/** The trailing axes that are normalised together. */
function trailing(name: string, shape: Shape, params: Params): number[] {
  const given = params.normalizedShape ?? [shape[shape.length - 1]];
  const wanted = (Array.isArray(given) ? given : [given]) as number[];
  if (wanted.length > shape.length || !sameShape(shape.slice(shape.length - wanted.length), wanted))
    throw new ShapeError(
      `${name}: normalizedShape ${shapeText(wanted)} is not the end of the shape ${shapeText(shape)}`,
    );
  return wanted.map((_, i) => shape.length - wanted.length + i);
}

function checkAffine(name: string, shapes: readonly Shape[], size: number): void {
  shapes.forEach((shape, i) => {
    if (i > 0 && sizeOf(shape) !== size)
      throw new ShapeError(
        `${name}: the ${i === 1 ? "weight" : "bias"} has the shape ${shapeText(shape)}, expected ${size} element${size === 1 ? "" : "s"} for ${shapeText(shapes[0])}`,
      );
  });
}

/** Axes of [N, C, ...] without the channels'. */
const besideChannels = (shape: Shape): number[] => shape.map((_, axis) => axis).filter((axis) => axis !== 1);

/** [C, 1, 1, ...]: one number a channel of [N, C, ...]. */
const perChannel = (shape: Shape): number[] => shape.slice(1).map((length, i) => (i === 0 ? length : 1));

function statistic(name: string, what: string, params: Params, channels: number): NDArray {
  let read: NDArray;
  try {
    read = fromNested(params[what]);
  } catch (error) {
    throw new ShapeError(`${name}: ${what}: ${(error as Error).message}`);
  }
  if (!sameShape(read.shape, [channels]))
    throw new ShapeError(`${name}: ${what} has the shape ${shapeText(read.shape)}, expected [${channels}]`);
  return read;
}

function wantChannels(name: string, shape: Shape): void {
  if (shape.length < 2) throw new ShapeError(`${name}: expected x [N, C, ...], got ${shapeText(shape)}`);
}

export const normalisations: readonly ArrayPrimitive[] = [
  defineComposite({
    name: "layerNorm",
    operands: ["x", "...weight, bias"],
    check(shapes, params) {
      const axes = trailing("layerNorm", shapes[0], params);
      epsOf("layerNorm", params);
      checkAffine("layerNorm", shapes, sizeOf(axes.map((axis) => shapes[0][axis])));
    },
    formulaOf(k, [x, ...rest], params) {
      const shape = k.shape(x);
      const axes = trailing("layerNorm", shape, params);
      const c = k.apply("centre", [x], { axis: axes });
      const y = scaled(k, c, axes, epsOf("layerNorm", params));
      return affine(
        k,
        y,
        rest,
        axes.map((axis) => shape[axis]),
      );
    },
    formula: "(x - mean) / sqrt(var + eps) * weight + bias",
    rule: "by its formula",
    doc: "Layer normalisation over the trailing axes (Ba, Kiros, Hinton 2016).",
  }),
  defineComposite({
    name: "rmsNorm",
    operands: ["x", "...weight"],
    check(shapes, params) {
      const axes = trailing("rmsNorm", shapes[0], params);
      epsOf("rmsNorm", params);
      checkAffine("rmsNorm", shapes, sizeOf(axes.map((axis) => shapes[0][axis])));
    },
    formulaOf(k, [x, ...rest], params) {
      const shape = k.shape(x);
      const axes = trailing("rmsNorm", shape, params);
      return affine(
        k,
        scaled(k, x, axes, epsOf("rmsNorm", params)),
        rest,
        axes.map((axis) => shape[axis]),
      );
    },
    formula: "x / sqrt(mean(x²) + eps) * weight",
    rule: "by its formula",
    doc: "Root-mean-square normalisation over the trailing axes (Zhang and Sennrich 2019).",
  }),
  defineComposite({
    name: "groupNorm",
    operands: ["x", "...weight, bias"],
    check(shapes, params) {
      wantChannels("groupNorm", shapes[0]);
      epsOf("groupNorm", params);
      const { groups } = params;
      if (
        typeof groups !== "number" ||
        !Number.isInteger(groups) ||
        groups < 1 ||
        shapes[0][1] % groups !== 0
      )
        throw new ShapeError(
          `groupNorm: ${shapes[0][1]} channels do not divide into ${String(groups)} groups`,
        );
      checkAffine("groupNorm", shapes, shapes[0][1]);
    },
    formulaOf(k, [x, ...rest], params) {
      const shape = k.shape(x);
      const groups = params.groups as number;
      const grouped = k.reshape(x, [shape[0], groups, sizeOf(shape.slice(1)) / groups]);
      const c = k.apply("centre", [grouped], { axis: 2 });
      const y = k.reshape(scaled(k, c, [2], epsOf("groupNorm", params)), shape);
      return affine(k, y, rest, perChannel(shape));
    },
    formula: "(x - mean) / sqrt(var + eps) by group of channels, * weight + bias",
    rule: "by its formula",
    doc: "Group normalisation of [N, C, ...] (Wu and He 2018).",
  }),
  defineComposite({
    name: "batchNorm",
    operands: ["x", "...weight, bias"],
    check(shapes, params) {
      const [x] = shapes;
      wantChannels("batchNorm", x);
      epsOf("batchNorm", params);
      checkAffine("batchNorm", shapes, x[1]);
      if (params.training !== false) return;
      statistic("batchNorm", "runningMean", params, x[1]);
      statistic("batchNorm", "runningVar", params, x[1]);
    },
    formulaOf(k, [x, ...rest], params) {
      const shape = k.shape(x);
      const eps = epsOf("batchNorm", params);
      const channel = perChannel(shape);
      let y: typeof x;
      if (params.training === false) {
        const mean = k.reshape(k.constant(statistic("batchNorm", "runningMean", params, shape[1])), channel);
        const variance = statistic("batchNorm", "runningVar", params, shape[1]);
        const size = k.constant({ shape: channel, data: variance.data.map((v) => Math.sqrt(v + eps)) });
        y = k.div(k.sub(x, mean), size);
      } else {
        const axes = besideChannels(shape);
        y = scaled(k, k.apply("centre", [x], { axis: axes }), axes, eps);
      }
      return affine(k, y, rest, channel);
    },
    formula: "(x - mean) / sqrt(var + eps) by channel, * weight + bias",
    rule: "by its formula",
    doc: "Batch normalisation of [N, C, ...] (Ioffe and Szegedy 2015); `training` false takes the running statistics.",
  }),
];

/**
 * Running statistics after one training step of batch normalisation: momentum times the batch's, the variance unbiased.
 *
 * @param x [N, C, ...]
 */
export function runningStatistics(
  x: NDArray,
  params: {
    readonly momentum: number;
    readonly runningMean: readonly number[];
    readonly runningVar: readonly number[];
  },
): { readonly mean: number[]; readonly variance: number[] } {
  const [n, channels, ...spatial] = x.shape;
  const inner = sizeOf(spatial);
  const count = n * inner;
  const { momentum } = params;
  const mean: number[] = [];
  const variance: number[] = [];
  for (let c = 0; c < channels; c++) {
    let sum = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < inner; j++) sum += x.data[(i * channels + c) * inner + j];
    const batchMean = sum / count;
    let squares = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < inner; j++) squares += (x.data[(i * channels + c) * inner + j] - batchMean) ** 2;
    mean.push((1 - momentum) * params.runningMean[c] + momentum * batchMean);
    variance.push((1 - momentum) * params.runningVar[c] + (momentum * squares) / (count - 1));
  }
  return { mean, variance };
}
