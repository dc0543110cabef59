/**
 * The exact sum of doubles, rounded once to a format. Every finite double is a multiple of 2^-1074, so a sum of them is
 * an integer in that unit: a long accumulator (Kulisch, "Computer Arithmetic and Validity", 2008), here a BigInt.
 */
import { rounder } from "../ops/dtype.js";
import type { Dtype } from "../trace/trace.js";

const double = new DataView(new ArrayBuffer(8));
const FRACTION = (1n << 52n) - 1n;

/** A finite double in units of 2^-1074. */
function units(x: number): bigint {
  double.setFloat64(0, x);
  const bits = double.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & FRACTION;
  const magnitude = exponent === 0 ? fraction : ((1n << 52n) | fraction) << BigInt(exponent - 1);
  return x < 0 ? -magnitude : magnitude;
}

/** The double nearest to an integer in units of 2^-1074, ties to even; or with `odd` rounded to odd. */
function toDouble(sum: bigint, odd: boolean): number {
  const magnitude = sum < 0n ? -sum : sum;
  const excess = magnitude.toString(2).length - 53;
  let top = magnitude;
  if (excess > 0) {
    const shift = BigInt(excess);
    top = magnitude >> shift;
    const rest = magnitude - (top << shift);
    const half = 1n << (shift - 1n);
    if (odd) {
      if (rest !== 0n) top |= 1n;
    } else if (rest > half || (rest === half && (top & 1n) === 1n)) top += 1n;
  }
  // two steps: the first power of two alone may lie outside the range
  const exponent = Math.max(excess, 0) - 1074;
  const step = Math.max(exponent, -1000);
  const value = Number(top) * 2 ** step * 2 ** (exponent - step);
  return sum < 0n ? -value : value;
}

/**
 * The sum, exact and then rounded once to `dtype`. A format narrower than f64 is reached over the double rounded to odd,
 * which makes the second rounding right (Boldo and Melquiond 2008). With NaN or infinite terms: what adding them gives.
 */
export function exactSum(terms: readonly number[], dtype: Dtype): number {
  if (!terms.every(Number.isFinite)) return terms.reduce((sum, term) => sum + term, 0);
  let sum = 0n;
  for (const term of terms) sum += units(term);
  return dtype === "f64" ? toDouble(sum, false) : rounder(dtype)(toDouble(sum, true));
}
