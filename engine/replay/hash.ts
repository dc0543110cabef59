/**
 * A fingerprint of an array's elements, so that a replay can be compared with a first run whose elements were dropped.
 * Two 32-bit lanes over the two words of each double. Every step is invertible in the lanes (xor, odd multiplier, shift
 * as in the finaliser of MurmurHash3, Appleby 2011), so that a change of one element always shows; two changes hide each
 * other with a chance of about 2^-64. Not meant against an adversary.
 */
export type Fingerprint = readonly [number, number];

const EXPONENT = 0x7ff00000;
/** High word of the one NaN that all count as. */
const NAN = 0x7ff80000;

/** Fingerprint of elements, bit for bit but for the payload of NaN: every NaN counts as the same. */
export function fingerprint(data: Float64Array): Fingerprint {
  const words = new Int32Array(data.buffer, data.byteOffset, 2 * data.length);
  let a = data.length | 0;
  let b = 0x3c6ef372;
  for (let i = 0; i < words.length; i += 2) {
    let low = words[i];
    let high = words[i + 1];
    if ((high & EXPONENT) === EXPONENT && Number.isNaN(data[i >> 1])) {
      low = 0;
      high = NAN;
    }
    a = Math.imul(a ^ low ^ b, 0x85ebca6b);
    a ^= a >>> 15;
    b = Math.imul(b ^ high, 0xc2b2ae35) + a;
    b ^= b >>> 13;
  }
  return [a >>> 0, b >>> 0];
}
