/**
 * Fast paths of element-wise operations: tight loops of their own for the operations that most work is made of, over
 * equal shapes, one scalar operand, or a row repeated over the leading axes. The results are those of the general path.
 */
import { sameShape, type NDArray, type Shape } from "../../tape/ndarray.js";

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

type Op = 0 | 1 | 2 | 3;
const binaryOps: Readonly<Record<string, Op>> = { add: 0, sub: 1, mul: 2, div: 3 };

/** Repeats the second operand with period `n` over the first. */
function rowRight(op: Op, a: Float64Array, b: Float64Array, out: Float64Array): void {
  const n = b.length;
  for (let at = 0; at < out.length; at += n) {
    if (op === 0) for (let i = 0; i < n; i++) out[at + i] = a[at + i] + b[i];
    else if (op === 1) for (let i = 0; i < n; i++) out[at + i] = a[at + i] - b[i];
    else if (op === 2) for (let i = 0; i < n; i++) out[at + i] = a[at + i] * b[i];
    else for (let i = 0; i < n; i++) out[at + i] = a[at + i] / b[i];
  }
}

function rowLeft(op: Op, a: Float64Array, b: Float64Array, out: Float64Array): void {
  const n = a.length;
  for (let at = 0; at < out.length; at += n) {
    if (op === 0) for (let i = 0; i < n; i++) out[at + i] = a[i] + b[at + i];
    else if (op === 1) for (let i = 0; i < n; i++) out[at + i] = a[i] - b[at + i];
    else if (op === 2) for (let i = 0; i < n; i++) out[at + i] = a[i] * b[at + i];
    else for (let i = 0; i < n; i++) out[at + i] = a[i] / b[at + i];
  }
}

function scalarRight(op: Op, a: Float64Array, b: number, out: Float64Array): void {
  if (op === 0) for (let i = 0; i < out.length; i++) out[i] = a[i] + b;
  else if (op === 1) for (let i = 0; i < out.length; i++) out[i] = a[i] - b;
  else if (op === 2) for (let i = 0; i < out.length; i++) out[i] = a[i] * b;
  else for (let i = 0; i < out.length; i++) out[i] = a[i] / b;
}

function scalarLeft(op: Op, a: number, b: Float64Array, out: Float64Array): void {
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

/** The elements, or null where no fast path fits. */
export function elementwise(name: string, operands: readonly NDArray[], shape: Shape): Float64Array | null {
  const [a, b] = operands;
  if (b === undefined) {
    if (!Object.hasOwn(unary, name)) return null;
    const out = new Float64Array(a.data.length);
    unary[name](a.data, out);
    return out;
  }
  if (!Object.hasOwn(binaryOps, name)) return null;
  const op = binaryOps[name];
  const wholeA = sameShape(a.shape, shape);
  const wholeB = sameShape(b.shape, shape);
  if (!wholeA && !wholeB) return null;
  const out = new Float64Array(wholeA ? a.data.length : b.data.length);
  if (out.length === 0) return out;
  if (wholeA && wholeB) rowRight(op, a.data, b.data, out);
  else if (wholeA && b.data.length === 1) scalarRight(op, a.data, b.data[0], out);
  else if (wholeB && a.data.length === 1) scalarLeft(op, a.data[0], b.data, out);
  else if (wholeA && isSuffix(b.shape, shape)) rowRight(op, a.data, b.data, out);
  else if (wholeB && isSuffix(a.shape, shape)) rowLeft(op, a.data, b.data, out);
  else return null;
  return out;
}
