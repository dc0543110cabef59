/**
 * The methods of a tensor: rows of the array table with their parameters as a person passes them. Types are in
 * `tensor-types.ts`. An operation on tensors gives a tensor; where a number is meant (`sum()`, `element(i)`, `item()`) it
 * is one, and goes on in ordinary arithmetic.
 */
import "./tensor-names.js";
import "./tensor-types.js";
import { primitives } from "../ops/table.js";
import type { Params } from "../ops/array/row.js";
import { activeRecorder } from "../ops/recorder.js";
import { call } from "../tape/callsite.js";
import { OP_CUT } from "../tape/tape.js";
import { setTensorReadHook, Tensor } from "../tape/tensor.js";
import { BacksweepError } from "../trace/failure.js";
import { checkArguments } from "./arguments.js";
import { callArray, callNumber, type TensorLike } from "./array-calls.js";
import { elementwiseSignature } from "./signatures.js";

// reading elements as plain numbers ends the gradient path there
setTensorReadHook((x, how) => {
  const recorder = activeRecorder();
  if (recorder === null || Tensor.tape(x) !== recorder.tape) return;
  if (recorder.tape.opAt(Tensor.id(x)) === OP_CUT) return;
  recorder.note("cut", Tensor.id(x), call.site, `${how}: no derivative flows through the elements read here`);
});

function method(name: string, fn: (this: Tensor, ...args: never[]) => unknown, arity = 1): void {
  const signature = elementwiseSignature(name, arity);
  const value = function (this: Tensor, ...given: never[]): unknown {
    checkArguments(signature, given);
    return fn.apply(this, given);
  };
  Object.defineProperty(value, "name", { value: name });
  Object.defineProperty(Tensor.prototype, name, { value, writable: true, configurable: true });
}

// element by element
for (const { name, arity } of primitives) {
  if (arity === 1) {
    method(name, function () {
      return callArray(name, [this]);
    });
  } else if (arity === 2 && name !== "min" && name !== "max") {
    method(
      name,
      function (other: TensorLike) {
        return callArray(name, [this, other]);
      },
      arity,
    );
  }
}
method("clip", function (low: TensorLike, high: TensorLike) {
  return callArray("clip", [this, low, high]);
});

/** Reductions: over everything they give a number, with `axis` or `keepdims` a tensor. */
const reductions: Readonly<Record<string, string>> = {
  sum: "sum",
  mean: "mean",
  prod: "prod",
  max: "reduceMax",
  min: "reduceMin",
  logsumexp: "logsumexp",
  var: "var",
  std: "std",
  norm: "norm",
};
for (const [name, row] of Object.entries(reductions)) {
  method(name, function (options: Params = {}) {
    const whole = (options.axis ?? null) === null && options.keepdims !== true;
    return whole ? callNumber(row, [this], options) : callArray(row, [this], options);
  });
}

/** Methods that take one record of options. */
const optioned = ["softmax", "logSoftmax", "cumsum", "cumprod", "logcumsumexp", "sort", "diff", "diag"];
for (const name of [...optioned, "triu", "tril", "cholesky", "pinv"]) {
  method(name, function (options: Params = {}) {
    return callArray(name, [this], options);
  });
}

/** Methods whose first argument is a parameter of this name. */
const named: Readonly<Record<string, string>> = {
  reshape: "shape",
  broadcastTo: "shape",
  slice: "slices",
  tile: "reps",
  squeeze: "axis",
  expandDims: "axis",
};
for (const [name, parameter] of Object.entries(named)) {
  method(name, function (value: unknown) {
    return callArray(name, [this], value === undefined ? {} : { [parameter]: value });
  });
}
method("transpose", function (axes?: readonly number[]) {
  return callArray("transpose", [this], { axes: axes ?? null });
});
method("flip", function (axes: number | readonly number[]) {
  return callArray("flip", [this], { axes: typeof axes === "number" ? [axes] : axes });
});
method("roll", function (shifts: number, axis: number) {
  return callArray("roll", [this], { shifts, axis });
});
method("repeat", function (repeats: number, axis: number) {
  return callArray("repeat", [this], { repeats, axis });
});
method("pad", function (widths: unknown, options: Params = {}) {
  return callArray("pad", [this], { widths, mode: "constant", value: 0, ...options });
});
method("split", function (sizes: readonly number[], axis = 0) {
  if (!Array.isArray(sizes))
    throw new BacksweepError(
      "definition",
      `split: sizes is a list, the length of each part: split([2, 2])`,
      call.site,
    );
  return sizes.map((_, take) => callArray("split", [this], { sizes, axis, take }));
});
method("take", function (index: unknown, axis = 0) {
  return callArray("take", [this], { index, axis });
});
method("gather", function (index: unknown, axis = 0) {
  return callArray("gather", [this], { index, axis });
});
method("at", function (...index: number[]) {
  return callArray("at", [this], { index });
});
method("element", function (...index: number[]) {
  return callNumber("at", [this], { index });
});
method("item", function () {
  return callNumber("reshape", [this], { shape: [] });
});

// products and linear algebra
for (const name of ["matmul", "outer", "kron", "solve"]) {
  method(name, function (other: TensorLike) {
    return callArray(name, [this, other]);
  });
}
method("dot", function (other: TensorLike) {
  return callNumber("dot", [this, other]);
});
for (const name of ["inverse", "expm", "eigvalsh"]) {
  method(name, function () {
    return callArray(name, [this]);
  });
}
for (const name of ["det", "logdet", "trace"]) {
  method(name, function (this: Tensor) {
    return this.rank > 2 ? callArray(name, [this]) : callNumber(name, [this]);
  });
}
method("matrixPower", function (n: number) {
  return callArray("matrixPower", [this], { n });
});
