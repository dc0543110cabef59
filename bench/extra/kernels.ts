/** The product of two 64 x 64 matrices: the engine's kernels against loops in JavaScript. */
import { forceJavaScript, kernels, Product } from "../../engine/kernels/kernels.js";
import { addProduct } from "../hand/product.js";
import { Random } from "../problems/random.js";
import { byTurns } from "./in-process.js";
import type { Figure, Measurement } from "./section.js";

const N = 64;
/** one multiplication and one addition for each of the N^3 terms */
const FLOPS = 2 * N ** 3;

/** The textbook's three loops. */
function naive(out: Float64Array, a: Float64Array, b: Float64Array): number {
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < N; j++) {
      let sum = 0;
      for (let k = 0; k < N; k++) sum += a[i * N + k] * b[k * N + j];
      out[i * N + j] = sum;
    }
  }
  return out[0];
}

export const matrixKernels: Measurement = (options) => {
  const random = new Random(64);
  const left = random.array(N * N, 1);
  const right = random.array(N * N, 1);
  const out = new Float64Array(N * N);
  const { f64, f32, arena } = kernels();
  const [a, b, c] = [arena.float64(N * N), arena.float64(N * N), arena.float64(N * N)];
  const [a32, b32, c32] = [arena.float32(N * N), arena.float32(N * N), arena.float32(N * N)];
  [a, a32].forEach((array) => array.set(left));
  [b, b32].forEach((array) => array.set(right));
  forceJavaScript();
  const fallback = kernels().f64;
  forceJavaScript(false);
  const named: [string, () => number][] = [
    ["three loops, f64", () => naive(out, left, right)],
    [
      "loops in blocks of 4 x 2, f64",
      () => {
        out.fill(0);
        addProduct(out, left, N, 1, right, N, 1, N, N, N);
        return out[0];
      },
    ],
    [
      "kernel in JavaScript, f64",
      () => {
        fallback.matmul(Product.NN, out, left, right, N, N, N);
        return out[0];
      },
    ],
    [
      `kernel in ${f64.backend}, f64`,
      () => {
        f64.matmul(Product.NN, c, a, b, N, N, N);
        return c[0];
      },
    ],
    [
      `kernel in ${f32.backend}, f32`,
      () => {
        f32.matmul(Product.NN, c32, a32, b32, N, N, N);
        return c32[0];
      },
    ],
  ];
  const expected = naive(out, left, right);
  const wrong = named.filter(([, body]) => !(Math.abs(body() - expected) < 1e-5));
  if (wrong.length > 0) throw new Error(`${wrong.map(([name]) => name).join(", ")}: another product`);
  const { ms } = byTurns(
    named.map(([, body]) => body),
    options,
  );
  const figures = named.map(([what], i): Figure => ({ what, value: FLOPS / ms[i] / 1e6, unit: "GFLOP/s" }));
  return Promise.resolve(figures);
};
