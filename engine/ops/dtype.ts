/**
 * Number formats: rounding a double to f64, f32, f16 (IEEE binary16) or bf16 (8 exponent bits, 8 significant bits), to
 * nearest, ties to even, with gradual underflow and overflow to Infinity. One rounding from the double, never two: going
 * through f32 would move values that lie just off a tie.
 */
import type { Dtype } from "../trace/trace.js";

export type Rounder = (x: number) => number;

interface Format {
  readonly bytes: number;
  /** significant bits, the hidden one included */
  readonly precision: number;
  /** exponents of the smallest and the largest normal number */
  readonly minExponent: number;
  readonly maxExponent: number;
}

const formats: Readonly<Record<Dtype, Format>> = {
  f64: { bytes: 8, precision: 53, minExponent: -1022, maxExponent: 1023 },
  f32: { bytes: 4, precision: 24, minExponent: -126, maxExponent: 127 },
  f16: { bytes: 2, precision: 11, minExponent: -14, maxExponent: 15 },
  bf16: { bytes: 2, precision: 8, minExponent: -126, maxExponent: 127 },
};

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
/** Which of the two words holds sign and exponent, depends on the byte order. */
const HIGH = ((): 0 | 1 => {
  double[0] = 1;
  return words[1] === 0 ? 0 : 1;
})();

/** The power of two not above |x| (0 for a subnormal double). */
function powerOfTwo(x: number): number {
  double[0] = x;
  words[HIGH] &= 0x7ff00000;
  words[1 - HIGH] = 0;
  return double[0];
}

/**
 * Rounding to a format narrower than f32. Adding M = 2^52 units of the last place to |x| leaves a sum whose own last
 * place is that unit, so the hardware rounds there, ties to even; subtracting M is exact.
 */
function narrow({ precision, minExponent, maxExponent }: Format): Rounder {
  const smallestNormal = 2 ** minExponent;
  const limit = 2 ** (maxExponent + 1);
  const shift = 2 ** (53 - precision);
  return (x) => {
    const size = Math.abs(x);
    if (!(size < limit)) return x === x ? (x < 0 ? -Infinity : Infinity) : NaN;
    if (size === 0) return x;
    const m = Math.max(powerOfTwo(size), smallestNormal) * shift;
    const rounded = size + m - m;
    const r = rounded < limit ? rounded : Infinity;
    return x < 0 ? -r : r;
  };
}

const rounders: Readonly<Record<Dtype, Rounder>> = {
  f64: (x) => x,
  f32: Math.fround,
  f16: narrow(formats.f16),
  bf16: narrow(formats.bf16),
};

function known<T>(table: Readonly<Record<Dtype, T>>, dtype: Dtype): T {
  if (!Object.hasOwn(table, dtype)) throw new Error(`no number format named "${String(dtype)}"`);
  return table[dtype];
}

/**
 * The function that rounds a double to the nearest number of a format.
 *
 * @throws Error naming the format if it is unknown.
 */
export function rounder(dtype: Dtype): Rounder {
  return known(rounders, dtype);
}

/**
 * Bytes one number of a format takes.
 *
 * @throws Error naming the format if it is unknown.
 */
export function bytes(dtype: Dtype): number {
  return known(formats, dtype).bytes;
}

/**
 * Distance from |x| to the next larger number of a format (its unit in the last place), the smallest subnormal at 0.
 *
 * @throws Error naming the format if it is unknown.
 */
export function unitInLastPlace(dtype: Dtype, x: number): number {
  const { precision, minExponent } = known(formats, dtype);
  const size = Math.max(powerOfTwo(Math.abs(x)), 2 ** minExponent);
  return size * 2 ** (1 - precision);
}
