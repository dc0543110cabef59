/** What a tensor's methods take and give. */
import type { NestedNumbers, TensorLike } from "./array-calls.js";
import type { Tensor as Plain } from "../tape/tensor.js";

/** Axes of a reduction; absent: all. `keepdims` keeps them with length 1. */
export interface Reduce {
  readonly axis?: number | readonly number[] | null;
  readonly keepdims?: boolean;
}

/** Along which axis; the last by default. */
export interface Along {
  readonly axis?: number;
}

/** Start, stop and step along an axis, with Python's meaning; null: the default. */
export type Slice = readonly [start?: number | null, stop?: number | null, step?: number | null];

export interface Padding {
  readonly mode?: "constant" | "reflect" | "edge" | "wrap";
  readonly value?: number;
}

/** Primitives of one operand, element by element. */
type UnaryName =
  | "neg"
  | "abs"
  | "sign"
  | "square"
  | "reciprocal"
  | "exp"
  | "exp2"
  | "expm1"
  | "log"
  | "log1p"
  | "log2"
  | "log10"
  | "sqrt"
  | "rsqrt"
  | "cbrt"
  | "sin"
  | "cos"
  | "tan"
  | "asin"
  | "acos"
  | "atan"
  | "sinh"
  | "cosh"
  | "tanh"
  | "asinh"
  | "acosh"
  | "atanh"
  | "erf"
  | "erfc"
  | "lgamma"
  | "digamma"
  | "sigmoid"
  | "logSigmoid"
  | "softplus"
  | "relu"
  | "gelu"
  | "geluTanh"
  | "silu"
  | "floor"
  | "ceil"
  | "round"
  | "trunc";

/** A reduction: a number over everything, else a tensor. */
interface Reducing {
  (): number;
  (options: Reduce): Plain;
}

declare module "../tape/tensor.js" {
  interface Tensor extends Record<UnaryName, () => Tensor> {
    // element by element, with broadcasting
    add(other: TensorLike): Tensor;
    sub(other: TensorLike): Tensor;
    mul(other: TensorLike): Tensor;
    div(other: TensorLike): Tensor;
    mod(other: TensorLike): Tensor;
    floorMod(other: TensorLike): Tensor;
    pow(exponent: TensorLike): Tensor;
    hypot(other: TensorLike): Tensor;
    atan2(x: TensorLike): Tensor;
    leakyRelu(slope: TensorLike): Tensor;
    elu(alpha: TensorLike): Tensor;
    clip(low: TensorLike, high: TensorLike): Tensor;

    // reductions
    sum: Reducing;
    mean: Reducing;
    prod: Reducing;
    max: Reducing;
    min: Reducing;
    logsumexp: Reducing;
    var: {
      (options?: { readonly correction?: number }): number;
      (options: Reduce & { readonly correction?: number }): Tensor;
    };
    std: {
      (options?: { readonly correction?: number }): number;
      (options: Reduce & { readonly correction?: number }): Tensor;
    };
    norm: {
      (options?: { readonly ord?: number }): number;
      (options: Reduce & { readonly ord?: number }): Tensor;
    };
    softmax(options?: Along): Tensor;
    logSoftmax(options?: Along): Tensor;
    cumsum(options?: Along & { readonly reverse?: boolean }): Tensor;
    cumprod(options?: Along): Tensor;
    logcumsumexp(options?: Along): Tensor;

    // shape
    reshape(shape: readonly number[]): Tensor;
    broadcastTo(shape: readonly number[]): Tensor;
    transpose(axes?: readonly number[]): Tensor;
    squeeze(axis?: number | readonly number[]): Tensor;
    expandDims(axis: number): Tensor;
    /** an entry an axis: `[start, stop, step]`, an index (which drops the axis), or null for all of it */
    slice(slices: readonly (Slice | number | null)[]): Tensor;
    split(sizes: readonly number[], axis?: number): Tensor[];
    pad(widths: readonly (readonly [before: number, after: number])[], options?: Padding): Tensor;
    flip(axes: number | readonly number[]): Tensor;
    roll(shifts: number, axis: number): Tensor;
    tile(reps: readonly number[]): Tensor;
    repeat(repeats: number, axis: number): Tensor;
    sort(options?: Along & { readonly descending?: boolean }): Tensor;
    diff(options?: Along & { readonly n?: number }): Tensor;
    diag(options?: { readonly k?: number }): Tensor;
    triu(options?: { readonly k?: number }): Tensor;
    tril(options?: { readonly k?: number }): Tensor;
    /** whole slices of an axis (0 by default) by index */
    take(index: NestedNumbers, axis?: number): Tensor;
    gather(index: NestedNumbers, axis?: number): Tensor;
    /** the sub-array at the leading indices */
    at(...index: number[]): Tensor;
    /** one element, as a number */
    element(...index: number[]): number;
    /** the one element there is, as a number */
    item(): number;

    // products and linear algebra; leading axes are batches
    matmul(other: TensorLike): Tensor;
    dot(other: TensorLike): number;
    outer(other: TensorLike): Tensor;
    kron(other: TensorLike): Tensor;
    solve(b: TensorLike): Tensor;
    inverse(): Tensor;
    det(): number;
    logdet(): number;
    trace(): number;
    cholesky(options?: { readonly upper?: boolean }): Tensor;
    eigvalsh(): Tensor;
    pinv(options?: { readonly rcond?: number }): Tensor;
    expm(): Tensor;
    matrixPower(n: number): Tensor;
  }
}
