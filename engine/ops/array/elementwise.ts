/**
 * Fast paths of element-wise operations: tight loops of their own for the operations that most work is made of, over
 * equal shapes, one scalar operand, or a row repeated over the leading axes. The results are those of the general path.
 */
import { Op, type Kernels, type OpCode } from "../../kernels/kernels.js";
import { sameShape, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { NumericAlgebra } from "./numeric.js";

type Unary = (x: Float64Array, out: Float64Array) => void;

const unary: Readonly<Record<string, Unary>> = {
  neg: (x, out) => {
    for (let i = 0; i < out.length; i++) out[i] = -x[i];
  },
  square: (x, out) => {
    for (let i = 0; i < out.length; i++) out[i] = x[i] * x[i];
  },
  exp: (x, out) => {
    for (let i = 0; i < out.length; i++) out[i] = Math.exp(x[i]);
  },
  log: (x, out) => {
    for (let i = 0; i < out.length; i++) out[i] = Math.log(x[i]);
  },
  sqrt: (x, out) => {
    for (let i = 0; i < out.length; i++) out[i] = Math.sqrt(x[i]);
  },
  tanh: (x, out) => {
    for (let i = 0; i < out.length; i++) out[i] = Math.tanh(x[i]);
  },
  sin: (x, out) => {
    for (let i = 0; i < out.length; i++) out[i] = Math.sin(x[i]);
  },
  cos: (x, out) => {
    for (let i = 0; i < out.length; i++) out[i] = Math.cos(x[i]);
  },
};

type Basic = 0 | 1 | 2 | 3;
const binaryOps: Readonly<Record<string, Basic>> = { add: 0, sub: 1, mul: 2, div: 3 };

/** Repeats the second operand with period `n` over the first. */
function rowRight(op: Basic, a: Float64Array, b: Float64Array, out: Float64Array): void {
  const n = b.length;
  for (let at = 0; at < out.length; at += n) {
    if (op === 0) for (let i = 0; i < n; i++) out[at + i] = a[at + i] + b[i];
    else if (op === 1) for (let i = 0; i < n; i++) out[at + i] = a[at + i] - b[i];
    else if (op === 2) for (let i = 0; i < n; i++) out[at + i] = a[at + i] * b[i];
    else for (let i = 0; i < n; i++) out[at + i] = a[at + i] / b[i];
  }
}

function rowLeft(op: Basic, a: Float64Array, b: Float64Array, out: Float64Array): void {
  const n = a.length;
  for (let at = 0; at < out.length; at += n) {
    if (op === 0) for (let i = 0; i < n; i++) out[at + i] = a[i] + b[at + i];
    else if (op === 1) for (let i = 0; i < n; i++) out[at + i] = a[i] - b[at + i];
    else if (op === 2) for (let i = 0; i < n; i++) out[at + i] = a[i] * b[at + i];
    else for (let i = 0; i < n; i++) out[at + i] = a[i] / b[at + i];
  }
}

function scalarRight(op: Basic, a: Float64Array, b: number, out: Float64Array): void {
  if (op === 0) for (let i = 0; i < out.length; i++) out[i] = a[i] + b;
  else if (op === 1) for (let i = 0; i < out.length; i++) out[i] = a[i] - b;
  else if (op === 2) for (let i = 0; i < out.length; i++) out[i] = a[i] * b;
  else for (let i = 0; i < out.length; i++) out[i] = a[i] / b;
}

function scalarLeft(op: Basic, a: number, b: Float64Array, out: Float64Array): void {
  if (op === 0) for (let i = 0; i < out.length; i++) out[i] = a + b[i];
  else if (op === 1) for (let i = 0; i < out.length; i++) out[i] = a - b[i];
  else if (op === 2) for (let i = 0; i < out.length; i++) out[i] = a * b[i];
  else for (let i = 0; i < out.length; i++) out[i] = a / b[i];
}

/** True where `small` is the trailing part of `shape`, so that it is repeated as one block. */
function isSuffix(small: Shape, shape: Shape): boolean {
  const offset = shape.length - small.length;
  return small.every((length, axis) => length === shape[axis + offset]);
}

/** Operations whose kernels beat a loop here: those that WebAssembly computes itself. */
const kernelUnary: Readonly<Record<string, OpCode>> = {
  neg: Op.neg,
  square: Op.square,
  sqrt: Op.sqrt,
  abs: Op.abs,
  relu: Op.relu,
};
const kernelBinary: readonly OpCode[] = [Op.add, Op.sub, Op.mul, Op.div];

/** The elements, or null where no fast path fits. */
export function elementwise(
  name: string,
  operands: readonly NDArray[],
  shape: Shape,
  k: NumericAlgebra,
): Float64Array | null {
  const [a, b] = operands;
  if (b === undefined) {
    const kernels = k.fast(a.data.length);
    if (kernels !== null && Object.hasOwn(kernelUnary, name)) {
      const out = k.alloc(a.data.length);
      kernels.unary(kernelUnary[name], out, a.data);
      return out;
    }
    if (!Object.hasOwn(unary, name)) return null;
    const out = k.alloc(a.data.length);
    unary[name](a.data, out);
    return out;
  }
  if (!Object.hasOwn(binaryOps, name)) return null;
  const op = binaryOps[name];
  const wholeA = sameShape(a.shape, shape);
  const wholeB = sameShape(b.shape, shape);
  if (!wholeA && !wholeB) return null;
  const out = k.alloc(wholeA ? a.data.length : b.data.length);
  if (out.length === 0) return out;
  const kernels = k.fast(out.length);
  if (kernels !== null && byKernels(kernels, kernelBinary[op], a, b, wholeA, wholeB, out)) return out;
  if (wholeA && wholeB) rowRight(op, a.data, b.data, out);
  else if (wholeA && b.data.length === 1) scalarRight(op, a.data, b.data[0], out);
  else if (wholeB && a.data.length === 1) scalarLeft(op, a.data[0], b.data, out);
  else if (wholeA && isSuffix(b.shape, shape)) rowRight(op, a.data, b.data, out);
  else if (wholeB && isSuffix(a.shape, shape)) rowLeft(op, a.data, b.data, out);
  else return null;
  return out;
}

/** Equal shapes, one number, or one row or column repeated; false for anything else. */
function byKernels(
  kernels: Kernels<Float64Array>,
  op: OpCode,
  a: NDArray,
  b: NDArray,
  wholeA: boolean,
  wholeB: boolean,
  out: Float64Array,
): boolean {
  if (wholeA && wholeB) kernels.binary(op, out, a.data, b.data);
  else if (wholeA && b.data.length === 1) kernels.binaryScalar(op, out, a.data, b.data[0]);
  else if (wholeB && a.data.length === 1) kernels.scalarBinary(op, out, a.data[0], b.data);
  else {
    const [large, small] = wholeA ? [a, b] : [b, a];
    const steps = repeated(large.shape, small.shape);
    if (steps === null) return false;
    const { cols, row, col } = steps;
    const rows = out.length / cols;
    if (wholeA) kernels.binaryRows(op, out, a.data, b.data, rows, cols, cols, 1, row, col);
    else kernels.binaryRows(op, out, a.data, b.data, rows, cols, row, col, cols, 1);
  }
  return true;
}

/** How a smaller array is stepped through beside rows of `cols`: [n] repeated in every row, or [m, 1] along each. */
function repeated(shape: Shape, small: Shape): { cols: number; row: number; col: number } | null {
  if (isSuffix(small, shape)) {
    const cols = small.reduce((product, length) => product * length, 1);
    return { cols, row: 0, col: 1 };
  }
  const cols = shape[shape.length - 1];
  const column =
    small.length === shape.length &&
    small.every((length, axis) => (axis === shape.length - 1 ? length === 1 : length === shape[axis]));
  return column ? { cols, row: 1, col: 0 } : null;
}
