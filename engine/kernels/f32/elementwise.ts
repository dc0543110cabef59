/** Element-wise loops in JavaScript: one monomorphic loop for each operation. */
import { Op, opName } from "../codes.js";
import { refuse } from "../check.js";

type Floats = Float32Array;
/** out[o + i] = a[p + i * sa] op b[q + i * sb] for i < n */
type Binary = (
  out: Floats,
  o: number,
  a: Floats,
  p: number,
  sa: number,
  b: Floats,
  q: number,
  sb: number,
  n: number,
) => void;
type Unary = (out: Floats, o: number, a: Floats, p: number, n: number) => void;

const binaries: Binary[] = [];
binaries[Op.add] = (out, o, a, p, sa, b, q, sb, n) => {
  for (let i = 0; i < n; i++, p += sa, q += sb) out[o + i] = a[p] + b[q];
};
binaries[Op.sub] = (out, o, a, p, sa, b, q, sb, n) => {
  for (let i = 0; i < n; i++, p += sa, q += sb) out[o + i] = a[p] - b[q];
};
binaries[Op.mul] = (out, o, a, p, sa, b, q, sb, n) => {
  for (let i = 0; i < n; i++, p += sa, q += sb) out[o + i] = a[p] * b[q];
};
binaries[Op.div] = (out, o, a, p, sa, b, q, sb, n) => {
  for (let i = 0; i < n; i++, p += sa, q += sb) out[o + i] = a[p] / b[q];
};
binaries[Op.min] = (out, o, a, p, sa, b, q, sb, n) => {
  for (let i = 0; i < n; i++, p += sa, q += sb) out[o + i] = Math.min(a[p], b[q]);
};
binaries[Op.max] = (out, o, a, p, sa, b, q, sb, n) => {
  for (let i = 0; i < n; i++, p += sa, q += sb) out[o + i] = Math.max(a[p], b[q]);
};
binaries[Op.greater] = (out, o, a, p, sa, b, q, sb, n) => {
  for (let i = 0; i < n; i++, p += sa, q += sb) out[o + i] = a[p] > b[q] ? 1 : 0;
};
binaries[Op.greaterEqual] = (out, o, a, p, sa, b, q, sb, n) => {
  for (let i = 0; i < n; i++, p += sa, q += sb) out[o + i] = a[p] >= b[q] ? 1 : 0;
};
binaries[Op.equal] = (out, o, a, p, sa, b, q, sb, n) => {
  for (let i = 0; i < n; i++, p += sa, q += sb) out[o + i] = a[p] === b[q] ? 1 : 0;
};

const unaries: Unary[] = [];
unaries[Op.neg] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = -a[p + i];
};
unaries[Op.abs] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.abs(a[p + i]);
};
unaries[Op.sqrt] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.sqrt(a[p + i]);
};
unaries[Op.square] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = a[p + i] * a[p + i];
};
unaries[Op.copy] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = a[p + i];
};
unaries[Op.reciprocal] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = 1 / a[p + i];
};
unaries[Op.floor] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.floor(a[p + i]);
};
unaries[Op.ceil] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.ceil(a[p + i]);
};
unaries[Op.trunc] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.trunc(a[p + i]);
};
unaries[Op.sign] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.sign(a[p + i]);
};
unaries[Op.relu] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.max(a[p + i], 0);
};
unaries[Op.step] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i];
    out[o + i] = x > 0 ? 1 : x <= 0 ? 0 : NaN;
  }
};

/** The loop of a binary operation. */
export function binaryLoop(op: number): Binary {
  return binaries[op] ?? refuse("binary", `${opName(op)} has not two operands`);
}

/** The loop of a unary operation that WebAssembly has too. */
export function unaryLoop(op: number): Unary {
  return unaries[op] ?? refuse("unary", `${opName(op)} has not one operand`);
}

export function select(
  out: Floats,
  o: number,
  condition: Floats,
  d: number,
  a: Floats,
  p: number,
  b: Floats,
  q: number,
  n: number,
): void {
  for (let i = 0; i < n; i++) out[o + i] = condition[d + i] ? a[p + i] : b[q + i];
}
