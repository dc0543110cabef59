/**
 * The methods of a tensor: rows of the array table with their parameters as a person passes them. Results of rank 0 are
 * numbers, which go on in ordinary arithmetic.
 */
import { primitives } from "../ops/table.js";
import { Tensor } from "../tape/tensor.js";
import { callArray, type TensorLike } from "./array-calls.js";

/** Axes of a reduction; absent: all. `keepdims` keeps them with length 1. */
export interface Reduce {
  readonly axis?: number | readonly number[] | null;
  readonly keepdims?: boolean;
}

type UnaryName =
  | "neg"
  | "abs"
  | "sign"
  | "square"
  | "reciprocal"
  | "exp"
  | "expm1"
  | "log"
  | "log1p"
  | "sqrt"
  | "sin"
  | "cos"
  | "tan"
  | "sinh"
  | "cosh"
  | "tanh"
  | "erf"
  | "sigmoid"
  | "logSigmoid"
  | "softplus"
  | "relu"
  | "gelu"
  | "silu";

declare module "../tape/tensor.js" {
  interface Tensor extends Record<UnaryName, () => Tensor> {
    /** element by element, with broadcasting */
    add(other: TensorLike): Tensor;
    sub(other: TensorLike): Tensor;
    mul(other: TensorLike): Tensor;
    div(other: TensorLike): Tensor;
    pow(exponent: TensorLike): Tensor;
    /** matrix product over the last two axes; of two vectors their dot product, a number */
    matmul(other: Tensor): Tensor;
    /** sum of all elements */
    sum(): number;
    /** sum over axes */
    sum(options: Reduce): Tensor;
    reshape(shape: readonly number[]): Tensor;
    transpose(axes?: readonly number[]): Tensor;
    broadcastTo(shape: readonly number[]): Tensor;
    /** one element, as a number */
    element(...index: number[]): number;
    /** the sub-array at the leading indices */
    at(...index: number[]): Tensor;
  }
}

function method(name: string, fn: (this: Tensor, ...args: never[]) => unknown): void {
  Object.defineProperty(Tensor.prototype, name, { value: fn, writable: true, configurable: true });
}

for (const { name, arity } of primitives) {
  if (arity === 1) {
    method(name, function () {
      return callArray(name, [this]);
    });
  } else if (arity === 2 && name !== "min" && name !== "max") {
    method(name, function (other: TensorLike) {
      return callArray(name, [this, other]);
    });
  }
}

method("matmul", function (other: Tensor) {
  return callArray("matmul", [this, other]);
});
method("sum", function (options: Reduce = {}) {
  return callArray("sum", [this], { axis: options.axis ?? null, keepdims: options.keepdims ?? false });
});
method("reshape", function (shape: readonly number[]) {
  return callArray("reshape", [this], { shape });
});
method("transpose", function (axes?: readonly number[]) {
  return callArray("transpose", [this], { axes: axes ?? null });
});
method("broadcastTo", function (shape: readonly number[]) {
  return callArray("broadcastTo", [this], { shape });
});
method("at", function (...index: number[]) {
  return callArray("at", [this], { index });
});
method("element", function (...index: number[]) {
  return callArray("at", [this], { index });
});
