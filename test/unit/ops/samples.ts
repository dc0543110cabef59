/** Random operands inside every primitive's domain and away from its kinks, and the special doubles. */
import type { ScalarPrimitive } from "../../../engine/ops/primitive.js";

export type Operands = readonly [number, number, number];

interface Region {
  /** interval an operand is drawn from, by slot; [-2.5, 2.5] if absent */
  readonly ranges?: readonly (readonly [number, number])[];
  /** what becomes of operand 0 as drawn (a condition, an order) */
  readonly snap?: (a: number) => number;
  /** false where a neighbourhood of radius 0.02 holds a kink, a pole or the edge of the domain */
  readonly smooth?: (a: number, b: number, c: number) => boolean;
}

const GAP = 0.02;
const away = (x: number, ...points: number[]): boolean => points.every((p) => Math.abs(x - p) > GAP);
const offInteger = (x: number): boolean => away(x - Math.floor(x), 0, 1);
const positive: Region = { ranges: [[0.1, 6]] };
const unit: Region = { ranges: [[-0.95, 0.95]] };
const offZero: Region = { smooth: (a) => away(a, 0) };

const regions: Readonly<Record<string, Region>> = {
  div: { smooth: (_a, b) => Math.abs(b) > 0.2 },
  reciprocal: { smooth: (a) => Math.abs(a) > 0.2 },
  mod: { smooth: (a, b) => Math.abs(b) > 0.4 && Math.abs(offset(a / b)) > 0.1 },
  floorMod: { smooth: (a, b) => Math.abs(b) > 0.4 && Math.abs(offset(a / b)) > 0.1 },
  pow: { ranges: [[0.2, 3]] },
  sqrt: positive,
  rsqrt: positive,
  cbrt: { smooth: (a) => Math.abs(a) > 0.2 },
  log: positive,
  log2: positive,
  log10: positive,
  log1p: { ranges: [[-0.9, 5]] },
  tan: { ranges: [[-1.3, 1.3]] },
  asin: { ranges: [[-0.9, 0.9]] },
  acos: { ranges: [[-0.9, 0.9]] },
  atanh: { ...unit, smooth: (a) => Math.abs(a) < 0.9 },
  acosh: { ranges: [[1.2, 6]] },
  hypot: { smooth: (a, b) => Math.hypot(a, b) > 0.3 },
  atan2: { smooth: (a, b) => Math.hypot(a, b) > 0.3 && !(b < 0 && Math.abs(a) < GAP) },
  floor: { smooth: offInteger },
  ceil: { smooth: offInteger },
  trunc: { smooth: offInteger },
  round: { smooth: (a) => offInteger(a + 0.5) },
  abs: offZero,
  sign: offZero,
  relu: offZero,
  leakyRelu: offZero,
  elu: offZero,
  min: { smooth: (a, b) => away(a, b) },
  max: { smooth: (a, b) => away(a, b) },
  clip: { smooth: (x, lo, hi) => away(x, lo, hi) && away(lo, hi) },
  // symmetric differences in the condition are 0 at either value
  where: { snap: (cond) => (cond > 0 ? 1 : 0) },
  lgamma: { ranges: [[-4, 12]], smooth: (a) => a > 0.1 || Math.abs(offset(a)) > 0.1 },
  polygamma: {
    ranges: [
      [1, 4],
      [-4, 12],
    ],
    snap: Math.round,
    // differences of the higher orders need more room beside a pole
    smooth: (_n, x) => x > 0.6 || (x < 0 && Math.abs(offset(x)) > 0.35),
  },
  digamma: { ranges: [[-4, 12]], smooth: (a) => a > 0.2 || Math.abs(offset(a)) > 0.15 },
};

function offset(x: number): number {
  return x - Math.round(x);
}

/** A small seeded generator (mulberry32), so that a failure can be repeated. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` points where the primitive is smooth in a neighbourhood. */
export function smoothPoints(row: ScalarPrimitive, count: number): Operands[] {
  const region = regions[row.name] ?? {};
  const next = random(1 + row.name.length * 7919);
  const points: Operands[] = [];
  while (points.length < count) {
    const [drawn, b, c] = [0, 1, 2].map((slot) => {
      const [lo, hi] = region.ranges?.[slot] ?? [-2.5, 2.5];
      return slot < row.arity ? lo + (hi - lo) * next() : 0;
    });
    const a = region.snap?.(drawn) ?? drawn;
    if (region.smooth?.(a, b, c) ?? true) points.push([a, b, c]);
  }
  return points;
}

export const SPECIAL = [
  0,
  -0,
  1,
  -1,
  0.5,
  -2,
  3,
  Infinity,
  -Infinity,
  NaN,
  5e-324,
  -5e-324,
  2.2250738585072014e-308,
  1e-300,
  -1e300,
  1e300,
  1e200,
  1e-200,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
] as const;

/** All combinations of special operands. */
export function specialPoints(row: ScalarPrimitive): Operands[] {
  const others = (slot: number): readonly number[] => (slot < row.arity ? SPECIAL : [0]);
  return SPECIAL.flatMap((a) => others(1).flatMap((b) => others(2).map((c): Operands => [a, b, c])));
}
