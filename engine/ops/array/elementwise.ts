/**
 * Fast paths of element-wise operations: tight loops of their own for the operations that most work is made of, over
 * equal shapes, one scalar operand, or a row or column repeated. The results are those of the general path.
 */
import { Op, type Kernels, type OpCode } from "../../kernels/kernels.js";
import { sameShape, sizeOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { NumericAlgebra } from "./numeric.js";
import { compact, Repeated } from "./repeated.js";

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

/** The basic operations of two operands, by the codes of the kernels. */
export type Basic = typeof Op.add | typeof Op.sub | typeof Op.mul | typeof Op.div;
const binaryOps: Readonly<Record<string, Basic>> = { add: Op.add, sub: Op.sub, mul: Op.mul, div: Op.div };

/** Repeats the second operand with period `n` over the first. */
function rowRight(op: Basic, a: Float64Array, b: Float64Array, out: Float64Array): void {
  const n = b.length;
  for (let at = 0; at < out.length; at += n) {
    if (op === Op.add) for (let i = 0; i < n; i++) out[at + i] = a[at + i] + b[i];
    else if (op === Op.sub) for (let i = 0; i < n; i++) out[at + i] = a[at + i] - b[i];
    else if (op === Op.mul) for (let i = 0; i < n; i++) out[at + i] = a[at + i] * b[i];
    else for (let i = 0; i < n; i++) out[at + i] = a[at + i] / b[i];
  }
}

function rowLeft(op: Basic, a: Float64Array, b: Float64Array, out: Float64Array): void {
  const n = a.length;
  for (let at = 0; at < out.length; at += n) {
    if (op === Op.add) for (let i = 0; i < n; i++) out[at + i] = a[i] + b[at + i];
    else if (op === Op.sub) for (let i = 0; i < n; i++) out[at + i] = a[i] - b[at + i];
    else if (op === Op.mul) for (let i = 0; i < n; i++) out[at + i] = a[i] * b[at + i];
    else for (let i = 0; i < n; i++) out[at + i] = a[i] / b[at + i];
  }
}

function scalarRight(op: Basic, a: Float64Array, b: number, out: Float64Array): void {
  if (op === Op.add) for (let i = 0; i < out.length; i++) out[i] = a[i] + b;
  else if (op === Op.sub) for (let i = 0; i < out.length; i++) out[i] = a[i] - b;
  else if (op === Op.mul) for (let i = 0; i < out.length; i++) out[i] = a[i] * b;
  else for (let i = 0; i < out.length; i++) out[i] = a[i] / b;
}

function scalarLeft(op: Basic, a: number, b: Float64Array, out: Float64Array): void {
  if (op === Op.add) for (let i = 0; i < out.length; i++) out[i] = a + b[i];
  else if (op === Op.sub) for (let i = 0; i < out.length; i++) out[i] = a - b[i];
  else if (op === Op.mul) for (let i = 0; i < out.length; i++) out[i] = a * b[i];
  else for (let i = 0; i < out.length; i++) out[i] = a / b[i];
}

/** True where `small` is the trailing part of `shape`, but for leading lengths of 1, so that it is repeated as one block. */
function isSuffix(small: Shape, shape: Shape): boolean {
  const offset = shape.length - small.length;
  let lead = 0;
  while (lead < small.length && small[lead] === 1) lead++;
  for (let axis = lead; axis < small.length; axis++) if (small[axis] !== shape[axis + offset]) return false;
  return true;
}

/** Operations whose kernels beat a loop here: those that WebAssembly computes itself. */
const kernelUnary: Readonly<Record<string, OpCode>> = {
  neg: Op.neg,
  square: Op.square,
  sqrt: Op.sqrt,
  abs: Op.abs,
  relu: Op.relu,
  exp: Op.exp,
  tanh: Op.tanh,
  sigmoid: Op.sigmoid,
};

/** The elements of an operation of one operand; null where there is no kernel for it and no loop. */
export type UnaryPath = (x: Float64Array, k: NumericAlgebra) => Float64Array | null;

/** The loop of an operation of one operand; null where it has none. */
export function unaryPath(name: string): UnaryPath | null {
  const code = Object.hasOwn(kernelUnary, name) ? kernelUnary[name] : null;
  const loop = Object.hasOwn(unary, name) ? unary[name] : null;
  if (code === null && loop === null) return null;
  return (x, k) => {
    const kernels = code === null ? null : k.fast(x.length);
    if (kernels === null && loop === null) return null;
    const out = k.alloc(x.length);
    if (kernels !== null) kernels.unary(code!, out, x);
    else loop!(x, out);
    return out;
  };
}

/** The code of a basic operation of two operands; null for others. */
export function basicCode(name: string): Basic | null {
  return Object.hasOwn(binaryOps, name) ? binaryOps[name] : null;
}

/** `a op b`, repeated where the operand is and the other is one number. */
export function combine(op: Basic, a: NDArray, b: NDArray, shape: Shape, k: NumericAlgebra): NDArray | null {
  if (a instanceof Repeated && b.shape.length === 0 && k.round === null) {
    const { small } = a;
    const data = combined(op, small, b, small.shape, k);
    if (data !== null) return new Repeated(shape, { shape: small.shape, data }, k.room);
  }
  const data = combined(op, a, b, shape, k);
  return data === null ? null : { shape, data };
}

/** The elements of `a op b`, or null where no fast path fits: neither operand has the shape of the result. */
export function combined(
  op: Basic,
  left: NDArray,
  right: NDArray,
  shape: Shape,
  k: NumericAlgebra,
): Float64Array | null {
  const wholeA = sameShape(left.shape, shape);
  const wholeB = sameShape(right.shape, shape);
  if (!wholeA && !wholeB) return null;
  // one of two repeated operands is written out
  const a = wholeB && !(right instanceof Repeated) ? compact(left) : left;
  const b = wholeA && a === left ? compact(right) : right;
  const all = a === left && wholeA;
  const allB = b === right && wholeB;
  const n = sizeOf(shape);
  const out = k.alloc(n);
  if (n === 0) return out;
  const kernels = k.fast(n);
  if (kernels !== null && byKernels(kernels, op, a, b, all, allB, out)) return out;
  if (all && allB) rowRight(op, a.data, b.data, out);
  else if (all && b.data.length === 1) scalarRight(op, a.data, b.data[0], out);
  else if (allB && a.data.length === 1) scalarLeft(op, a.data[0], b.data, out);
  else if (all && isSuffix(b.shape, shape)) rowRight(op, a.data, b.data, out);
  else if (allB && isSuffix(a.shape, shape)) rowLeft(op, a.data, b.data, out);
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
    const large = wholeA ? a : b;
    const small = wholeA ? b : a;
    if (isSuffix(small.shape, large.shape)) {
      const cols = small.data.length;
      const rows = out.length / cols;
      if (wholeA) kernels.binaryRows(op, out, a.data, b.data, rows, cols, cols, 1, 0, 1);
      else kernels.binaryRows(op, out, a.data, b.data, rows, cols, 0, 1, cols, 1);
    } else if (isPrefix(small.shape, large.shape)) {
      const rows = small.data.length;
      const cols = out.length / rows;
      if (wholeA) kernels.binaryRows(op, out, a.data, b.data, rows, cols, cols, 1, 1, 0);
      else kernels.binaryRows(op, out, a.data, b.data, rows, cols, 1, 0, cols, 1);
    } else return false;
  }
  return true;
}

/** True where `small` is the leading part of `shape` with lengths of 1 behind, so that each element is repeated in its place. */
function isPrefix(small: Shape, shape: Shape): boolean {
  if (small.length !== shape.length) return false;
  let kept = small.length;
  while (kept > 0 && small[kept - 1] === 1) kept--;
  for (let axis = 0; axis < kept; axis++) if (small[axis] !== shape[axis]) return false;
  return true;
}
