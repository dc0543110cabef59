/**
 * Numeric kernels over flat arrays: one interface, one code path per number format, a WebAssembly SIMD build and a
 * JavaScript one whose results are the same bit for bit (a NaN is a NaN, whatever its payload).
 *
 *   const { f64, f32, arena } = kernels();
 *   const c = arena.float64(m * n);                        // contents unspecified; zeros64(n) for zeros
 *   f64.matmul(Product.NN, c, a, b, m, n, k);
 *   f64.binary(Op.mul, out, g, b);
 *   const total = f64.sum(out);
 *
 * Operations are codes (`Op`, codes.ts), so a table of array primitives can hold them as data. Arrays from the arena are
 * worked on in place by WebAssembly; any other array goes the way of JavaScript (matrix products above a size are copied
 * in and out), with the same result. An output may be one of the operands itself; otherwise it must not overlap one.
 * Lengths are checked; a mismatch is an `internal` error that names the kernel.
 *
 * Order of summation, in both builds:
 * - `matmul`: each element of the product is the sum over k ascending, started from +0; with `accumulate` the finished
 *   sum is added to what the output held (cotangent + contribution).
 * - `sum`, `dot`, `sumSquares`, `statistics`, fused sums, and `sumAxis` along the last axis (inner = 1): blocks of `BLOCK`
 *   = 256 elements; in a block, element i goes to lane i mod 8, ascending, lanes started from +0, and the lanes are added
 *   as ((0+1)+(2+3))+((4+5)+(6+7)); the sums of blocks are added pairwise, as a binary counter carries: equal-sized
 *   neighbours first, what is left at the end from the right. The error grows with log n, not with n.
 * - `sumAxis` along another axis: ascending along the axis, started from +0.
 */
import type { Arena } from "./arena.js";
import type { OpCode, ProductKind } from "./codes.js";
import type { Fused, FusedProgram } from "./fuse.js";

export { Op, Product, type OpCode, type ProductKind } from "./codes.js";
export type { Fused, FusedProgram } from "./fuse.js";
export { Arena } from "./arena.js";
export { forceJavaScript, kernels } from "./instance.js";
export { Replay, Replayed, replayCodes, type ReplayColumns, type ReplayRules } from "./replay.js";
export { BLOCK, Statistic, STATISTICS } from "./layout.js";

/** The kernels of one number format, over arrays `A`. */
export interface Kernels<A extends Float32Array | Float64Array> {
  readonly format: "float32" | "float64";
  readonly backend: "wasm" | "javascript";

  /** out[i] = a[i] op b[i], all of one length. */
  binary(op: OpCode, out: A, a: A, b: A): void;
  /** out[i] = a[i] op s. */
  binaryScalar(op: OpCode, out: A, a: A, s: number): void;
  /** out[i] = s op b[i]. */
  scalarBinary(op: OpCode, out: A, s: number, b: A): void;
  /**
   * out[i, j] = a[i * aRow + j * aCol] op b[i * bRow + j * bCol], out of rows × cols, contiguous. Steps 1 and 0 along a
   * row: [m,n] op [n] is (n, 1) and (0, 1), [m,n] op [m,1] is (n, 1) and (1, 0), an outer one (1, 0) and (0, 1). Out may
   * be an operand itself only where that operand is [m,n] too.
   */
  binaryRows(
    op: OpCode,
    out: A,
    a: A,
    b: A,
    rows: number,
    cols: number,
    aRow: number,
    aCol: number,
    bRow: number,
    bCol: number,
  ): void;
  /**
   * out[i] = op a[i]; also the functions from `Op.exp` on, whose values are those of Math (rounded once for float32), also
   * where WebAssembly computes them (native-functions.ts).
   */
  unary(op: OpCode, out: A, a: A): void;
  /** out[i] = f(a[i]), for functions that have no code. */
  map(f: (x: number) => number, out: A, a: A): void;

  /** out[i] = b[i] where condition[i] is neither 0 nor NaN, else c[i]. */
  select(out: A, condition: A, b: A, c: A): void;
  /** y[i] += x[i]. */
  accumulate(y: A, x: A): void;
  /** y[i] += s * x[i]. */
  axpy(y: A, s: number, x: A): void;
  /** y[i] += g[i] * b[i]. */
  accumulateProduct(y: A, g: A, b: A): void;
  /** out[i] = g[i] * (s * x[i]), the contribution through s/2 · x². */
  scaledProduct(out: A, g: A, s: number, x: A): void;
  /** out[i] = g * (s * x[i]), the same for a cotangent that is one number everywhere. */
  scaledBy(out: A, g: number, s: number, x: A): void;
  /** out[i] = g[i] * tanh'(x[i]). */
  tanhPull(out: A, g: A, x: A): void;
  fill(out: A, s: number): void;
  copy(out: A, a: A): void;
  /** out (n×m) = transpose of a (m×n). */
  transpose(out: A, a: A, m: number, n: number): void;

  sum(a: A): number;
  dot(a: A, b: A): number;
  sumSquares(a: A): number;
  /** Greatest element; NaN if there is one; -Infinity for none. */
  max(a: A): number;
  /** Least element; NaN if there is one; Infinity for none. */
  min(a: A): number;
  /** Greatest absolute value; NaN if there is a NaN; 0 for no elements. */
  maxAbs(a: A): number;
  /** Writes the values that `Statistic` names, in one pass. */
  statistics(into: Float64Array, a: A): void;
  /** out[o, i] = sum over x of a[o, x, i], a of outer × axis × inner. */
  sumAxis(out: A, a: A, outer: number, axis: number, inner: number): void;
  maxAxis(out: A, a: A, outer: number, axis: number, inner: number): void;
  minAxis(out: A, a: A, outer: number, axis: number, inner: number): void;

  /**
   * out (m×n) = A·B, Aᵀ·B or A·Bᵀ (`Product`), or += with `accumulate`. Batched: `batch` products whose operands and
   * output stand the given numbers of elements apart (0: the same one each time; an output at step 0 needs `accumulate`).
   */
  matmul(
    kind: ProductKind,
    out: A,
    a: A,
    b: A,
    m: number,
    n: number,
    k: number,
    accumulate?: boolean,
    batch?: number,
    outStep?: number,
    aStep?: number,
    bStep?: number,
  ): void;

  /** Prepares a chain of element-wise operations that runs in one pass through memory (fuse.ts). */
  fuse(program: FusedProgram): Fused<A>;
}

export interface KernelSet {
  readonly backend: "wasm" | "javascript";
  readonly f64: Kernels<Float64Array>;
  readonly f32: Kernels<Float32Array>;
  readonly arena: Arena;
}
