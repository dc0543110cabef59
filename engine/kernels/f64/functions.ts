// Generated from ../f32/functions.ts by scripts/kernels.mjs.
/** Loops over the functions of Math, one for each, so that each call site sees one function and one kind of array. */
import { Op, opName } from "../codes.js";
import { refuse } from "../check.js";

type Floats = Float64Array;
type Loop = (out: Floats, o: number, a: Floats, p: number, n: number) => void;

const loops: Loop[] = [];
loops[Op.exp] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.exp(a[p + i]);
};
loops[Op.expm1] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.expm1(a[p + i]);
};
loops[Op.log] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.log(a[p + i]);
};
loops[Op.log1p] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.log1p(a[p + i]);
};
loops[Op.log2] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.log2(a[p + i]);
};
loops[Op.log10] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.log10(a[p + i]);
};
loops[Op.tanh] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.tanh(a[p + i]);
};
loops[Op.sigmoid] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i];
    const e = Math.exp(-Math.abs(x));
    out[o + i] = x >= 0 ? 1 / (1 + e) : e / (1 + e);
  }
};
loops[Op.softplus] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) {
    const x = a[p + i];
    const tail = Math.log1p(Math.exp(-Math.abs(x)));
    out[o + i] = x > 0 ? x + tail : tail;
  }
};
loops[Op.sin] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.sin(a[p + i]);
};
loops[Op.cos] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.cos(a[p + i]);
};
loops[Op.tan] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.tan(a[p + i]);
};
loops[Op.asin] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.asin(a[p + i]);
};
loops[Op.acos] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.acos(a[p + i]);
};
loops[Op.atan] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.atan(a[p + i]);
};
loops[Op.sinh] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.sinh(a[p + i]);
};
loops[Op.cosh] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.cosh(a[p + i]);
};
loops[Op.asinh] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.asinh(a[p + i]);
};
loops[Op.acosh] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.acosh(a[p + i]);
};
loops[Op.atanh] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.atanh(a[p + i]);
};
loops[Op.cbrt] = (out, o, a, p, n) => {
  for (let i = 0; i < n; i++) out[o + i] = Math.cbrt(a[p + i]);
};

/** The loop of a function of JavaScript. */
export function functionLoop(op: number): Loop {
  return loops[op] ?? refuse("unary", `${opName(op)} is not a function`);
}
