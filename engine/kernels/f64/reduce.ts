// Generated from ../f32/reduce.ts by scripts/kernels.mjs.
/** Reductions in JavaScript, in the order that kernels.ts states. */
import { BLOCK } from "../layout.js";

type Floats = Float64Array;

/** Sums of blocks, combined as a binary counter carries. 2^48 blocks are more than an array can have. */
export class Pairwise {
  private readonly partial = new Float64Array(48);
  private top = 0;
  private blocks = 0;

  push(sum: number): void {
    let value = sum;
    let carry = ++this.blocks;
    while (carry % 2 === 0) {
      value = this.partial[--this.top] + value;
      carry /= 2;
    }
    this.partial[this.top++] = value;
  }

  /** The whole sum; starts anew. */
  total(): number {
    let value = 0;
    if (this.top > 0) {
      value = this.partial[--this.top];
      while (this.top > 0) value = this.partial[--this.top] + value;
    }
    this.blocks = 0;
    return value;
  }
}

const lanes = new Float64Array(8);

function sumOfLanes(): number {
  const low = lanes[0] + lanes[1] + (lanes[2] + lanes[3]);
  return low + (lanes[4] + lanes[5] + (lanes[6] + lanes[7]));
}

/** Sum of a[from, to), at most a block. */
export function blockSum(a: Floats, from: number, to: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s4 = 0;
  let s5 = 0;
  let s6 = 0;
  let s7 = 0;
  let i = from;
  for (; i + 8 <= to; i += 8) {
    s0 = s0 + a[i];
    s1 = s1 + a[i + 1];
    s2 = s2 + a[i + 2];
    s3 = s3 + a[i + 3];
    s4 = s4 + a[i + 4];
    s5 = s5 + a[i + 5];
    s6 = s6 + a[i + 6];
    s7 = s7 + a[i + 7];
  }
  lanes[0] = s0;
  lanes[1] = s1;
  lanes[2] = s2;
  lanes[3] = s3;
  lanes[4] = s4;
  lanes[5] = s5;
  lanes[6] = s6;
  lanes[7] = s7;
  for (let lane = 0; i < to; i++, lane++) lanes[lane] += a[i];
  return sumOfLanes();
}

function blockDot(a: Floats, b: Floats, from: number, to: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s4 = 0;
  let s5 = 0;
  let s6 = 0;
  let s7 = 0;
  let i = from;
  for (; i + 8 <= to; i += 8) {
    s0 = s0 + a[i] * b[i];
    s1 = s1 + a[i + 1] * b[i + 1];
    s2 = s2 + a[i + 2] * b[i + 2];
    s3 = s3 + a[i + 3] * b[i + 3];
    s4 = s4 + a[i + 4] * b[i + 4];
    s5 = s5 + a[i + 5] * b[i + 5];
    s6 = s6 + a[i + 6] * b[i + 6];
    s7 = s7 + a[i + 7] * b[i + 7];
  }
  lanes[0] = s0;
  lanes[1] = s1;
  lanes[2] = s2;
  lanes[3] = s3;
  lanes[4] = s4;
  lanes[5] = s5;
  lanes[6] = s6;
  lanes[7] = s7;
  for (let lane = 0; i < to; i++, lane++) lanes[lane] += a[i] * b[i];
  return sumOfLanes();
}

const pairwise = new Pairwise();

/** Sum of a[from, to). */
export function sum(a: Floats, from: number, to: number): number {
  if (to - from <= BLOCK) return blockSum(a, from, to);
  for (let i = from; i < to; i += BLOCK) pairwise.push(blockSum(a, i, Math.min(i + BLOCK, to)));
  return pairwise.total();
}

export function dot(a: Floats, b: Floats): number {
  const n = a.length;
  if (n <= BLOCK) return blockDot(a, b, 0, n);
  for (let i = 0; i < n; i += BLOCK) pairwise.push(blockDot(a, b, i, Math.min(i + BLOCK, n)));
  return pairwise.total();
}

export function max(a: Floats, from: number, to: number): number {
  let best = -Infinity;
  for (let i = from; i < to; i++) best = Math.max(best, a[i]);
  return best;
}

export function min(a: Floats, from: number, to: number): number {
  let best = Infinity;
  for (let i = from; i < to; i++) best = Math.min(best, a[i]);
  return best;
}

export function maxAbs(a: Floats): number {
  let best = 0;
  for (let i = 0; i < a.length; i++) best = Math.max(best, Math.abs(a[i]));
  return best;
}

const finite = new Float64Array(BLOCK);
const squares = new Pairwise();

/** sum, sum of squares, min and max of the finite elements, and the number of the others. */
export function statistics(into: Float64Array, a: Floats): void {
  let lo = Infinity;
  let hi = -Infinity;
  let nonfinite = 0;
  const n = a.length;
  for (let i = 0; i < n; i += BLOCK) {
    const length = Math.min(BLOCK, n - i);
    for (let j = 0; j < length; j++) {
      const x = a[i + j];
      if (x - x === 0) {
        finite[j] = x;
        lo = Math.min(lo, x);
        hi = Math.max(hi, x);
      } else {
        finite[j] = 0;
        nonfinite++;
      }
    }
    pairwise.push(blockSum(finite, 0, length));
    squares.push(blockDot(finite, finite, 0, length));
  }
  into[0] = pairwise.total();
  into[1] = squares.total();
  into[2] = lo;
  into[3] = hi;
  into[4] = nonfinite;
}

/** Sum along the middle axis of outer × axis × inner. */
export function sumAxis(out: Floats, a: Floats, outer: number, axis: number, inner: number): void {
  if (inner === 1) {
    for (let o = 0; o < outer; o++) out[o] = sum(a, o * axis, (o + 1) * axis);
    return;
  }
  out.fill(0, 0, outer * inner);
  for (let o = 0; o < outer; o++) {
    const row = o * inner;
    for (let x = 0; x < axis; x++) {
      const from = (o * axis + x) * inner;
      for (let i = 0; i < inner; i++) out[row + i] += a[from + i];
    }
  }
}

export function maxAxis(out: Floats, a: Floats, outer: number, axis: number, inner: number): void {
  out.fill(-Infinity, 0, outer * inner);
  for (let o = 0; o < outer; o++) {
    const row = o * inner;
    for (let x = 0; x < axis; x++) {
      const from = (o * axis + x) * inner;
      for (let i = 0; i < inner; i++) out[row + i] = Math.max(out[row + i], a[from + i]);
    }
  }
}

export function minAxis(out: Floats, a: Floats, outer: number, axis: number, inner: number): void {
  out.fill(Infinity, 0, outer * inner);
  for (let o = 0; o < outer; o++) {
    const row = o * inner;
    for (let x = 0; x < axis; x++) {
      const from = (o * axis + x) * inner;
      for (let i = 0; i < inner; i++) out[row + i] = Math.min(out[row + i], a[from + i]);
    }
  }
}
