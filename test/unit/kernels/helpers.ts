/** The two builds side by side, hard numbers, and comparison bit for bit. */
import { expect } from "vitest";
import { forceJavaScript, kernels, type Kernels } from "../../../engine/kernels/kernels.js";

export type Floats = Float32Array | Float64Array;
export type Format = "float64" | "float32";

const wasm = kernels();
forceJavaScript();
const javascript = kernels();
forceJavaScript(false);

export const { arena } = wasm;

/** One format with both builds, typed loosely so that a test is written once for both formats. */
export interface Bench {
  readonly format: Format;
  readonly wasm: Kernels<Floats & Float64Array>;
  readonly javascript: Kernels<Floats & Float64Array>;
  /** an array of the arena, filled with these numbers */
  inArena(values: ArrayLike<number>): Float64Array;
  /** an ordinary array */
  ordinary(values: ArrayLike<number>): Float64Array;
  /** one rounding to the format */
  round(x: number): number;
}

function bench(format: Format): Bench {
  const double = format === "float64";
  type K = Kernels<Float64Array>;
  return {
    format,
    wasm: (double ? wasm.f64 : wasm.f32) as unknown as K,
    javascript: (double ? javascript.f64 : javascript.f32) as unknown as K,
    inArena: (values) => (double ? arena.copy64(values) : arena.copy32(values)) as Float64Array,
    ordinary: (values) => (double ? Float64Array.from(values) : Float32Array.from(values)) as Float64Array,
    round: double ? (x) => x : Math.fround,
  };
}

export const formats: readonly Bench[] = [bench("float64"), bench("float32")];

/** Both builds are there: a machine without SIMD would test JavaScript against itself. */
export function bothBuilds(): void {
  expect(wasm.backend).toBe("wasm");
  expect(javascript.backend).toBe("javascript");
}

/** Numbers at which arithmetic goes wrong, denormals of both formats among them. */
export const hard = [
  0,
  -0,
  1,
  -1,
  0.1,
  -3.7,
  1e300,
  -1e300,
  1e38,
  -3e38,
  5e-324,
  -5e-324,
  1.4e-45,
  2e-308,
  1e-40,
  Infinity,
  -Infinity,
  NaN,
  2 ** 53,
  -(2 ** 53) - 2,
  0.5,
  -0.5,
  1.5,
  2.5,
  Number.MAX_VALUE,
  Number.EPSILON,
];

/** A generator of reproducible numbers (Marsaglia's xorshift32), a hard one among them now and then. */
export function numbers(seed: number, hardShare = 0.2): () => number {
  let state = (seed * 2654435761) | 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return () =>
    next() < hardShare ? hard[Math.floor(next() * hard.length)] : (next() - 0.5) * 10 ** (next() * 6 - 3);
}

export function fill(n: number, draw: () => number): number[] {
  return Array.from({ length: n }, draw);
}

/** Fails unless two arrays are the same numbers, -0 and NaN told apart; says where they are not. */
export function same(actual: ArrayLike<number>, expected: ArrayLike<number>, what = ""): void {
  let at = actual.length === expected.length ? -1 : Math.min(actual.length, expected.length);
  for (let i = 0; i < actual.length && at < 0; i++) if (!Object.is(actual[i], expected[i])) at = i;
  if (at >= 0)
    expect.fail(`${what}: element ${at} of ${actual.length} is ${actual[at]}, not ${expected[at]}`);
}

/** Lengths around the vector, unrolling, lane and block sizes. */
export const lengths = [
  0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 255, 256, 257, 511, 512, 513, 767, 1024, 1030, 2311,
];
