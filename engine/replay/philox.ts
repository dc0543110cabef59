/**
 * Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
 * 1, 2, 3" (SC 2011). A draw depends only on key and counter, so a replay in any order draws the same.
 */
const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;

export type Block = readonly [number, number, number, number];

/** High 32 bits of the product of two unsigned 32-bit integers. */
function mulHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const low = aLow * bLow;
  const cross1 = aHigh * bLow + (low >>> 16);
  const cross2 = aLow * bHigh + (cross1 & 0xffff);
  return (aHigh * bHigh + Math.floor(cross1 / 0x10000) + Math.floor(cross2 / 0x10000)) >>> 0;
}

/** Four random 32-bit words for a counter of four words and a key of two. */
export function philox(counter: Block, key: readonly [number, number]): Block {
  let [c0, c1, c2, c3] = counter;
  let [k0, k1] = key;
  for (let round = 0; round < 10; round++) {
    const high0 = mulHigh(M0, c0);
    const low0 = Math.imul(M0, c0) >>> 0;
    const high1 = mulHigh(M1, c2);
    const low1 = Math.imul(M1, c2) >>> 0;
    [c0, c1, c2, c3] = [(high1 ^ c1 ^ k0) >>> 0, low1, (high0 ^ c3 ^ k1) >>> 0, low0];
    k0 = (k0 + W0) >>> 0;
    k1 = (k1 + W1) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/** A double in [0, 1) of 53 random bits from the first two words. */
export function philoxUniform(block: Block): number {
  return ((block[0] >>> 5) * 0x4000000 + (block[1] >>> 6)) / 0x20000000000000;
}
