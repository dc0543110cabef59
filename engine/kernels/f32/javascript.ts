/** The kernels of this format in JavaScript: checks, then a loop. */
import {
  FIRST_FUNCTION,
  FIRST_UNARY,
  Product,
  arity,
  opName,
  type OpCode,
  type ProductKind,
} from "../codes.js";
import { count, reaches, refuse, sameLength } from "../check.js";
import type { Fused, FusedProgram } from "../fuse.js";
import type { Kernels } from "../kernels.js";
import { STATISTICS } from "../layout.js";
import { JavaScriptChain } from "./chain.js";
import { binaryLoop, select, unaryLoop } from "./elementwise.js";
import { functionLoop } from "./functions.js";
import { matmul } from "./matmul.js";
import { tanhSlope } from "../slopes.js";
import * as reduce from "./reduce.js";

const fround = Math.fround; // f32 only

type Floats = Float32Array;

const scalar = new Float32Array(1);

/** The elements that rows × cols steps reach. */
export function extent(rows: number, cols: number, row: number, col: number): number {
  return rows === 0 || cols === 0 ? 0 : (rows - 1) * row + (cols - 1) * col + 1;
}

export class JavaScriptKernels implements Kernels<Floats> {
  readonly format: Kernels<Floats>["format"] = "float32";
  readonly backend: Kernels<Floats>["backend"] = "javascript";

  binary(op: OpCode, out: Floats, a: Floats, b: Floats): void {
    const n = out.length;
    sameLength("binary", a.length, n);
    sameLength("binary", b.length, n);
    binaryLoop(op)(out, 0, a, 0, 1, b, 0, 1, n);
  }

  binaryScalar(op: OpCode, out: Floats, a: Floats, s: number): void {
    sameLength("binaryScalar", a.length, out.length);
    scalar[0] = s;
    binaryLoop(op)(out, 0, a, 0, 1, scalar, 0, 0, out.length);
  }

  scalarBinary(op: OpCode, out: Floats, s: number, b: Floats): void {
    sameLength("scalarBinary", b.length, out.length);
    scalar[0] = s;
    binaryLoop(op)(out, 0, scalar, 0, 0, b, 0, 1, out.length);
  }

  binaryRows(
    op: OpCode,
    out: Floats,
    a: Floats,
    b: Floats,
    rows: number,
    cols: number,
    aRow: number,
    aCol: number,
    bRow: number,
    bCol: number,
  ): void {
    count("binaryRows", rows, cols, aRow, bRow);
    if ((aCol !== 0 && aCol !== 1) || (bCol !== 0 && bCol !== 1))
      refuse("binaryRows", "a step that is not 0 or 1");
    reaches("binaryRows", out.length, rows * cols);
    reaches("binaryRows", a.length, extent(rows, cols, aRow, aCol));
    reaches("binaryRows", b.length, extent(rows, cols, bRow, bCol));
    const loop = binaryLoop(op);
    for (let i = 0; i < rows; i++) loop(out, i * cols, a, i * aRow, aCol, b, i * bRow, bCol, cols);
  }

  unary(op: OpCode, out: Floats, a: Floats): void {
    sameLength("unary", a.length, out.length);
    const loop = op >= FIRST_FUNCTION ? functionLoop(op) : unaryLoop(op);
    loop(out, 0, a, 0, out.length);
  }

  map(f: (x: number) => number, out: Floats, a: Floats): void {
    sameLength("map", a.length, out.length);
    for (let i = 0; i < a.length; i++) out[i] = f(a[i]);
  }

  select(out: Floats, condition: Floats, b: Floats, c: Floats): void {
    const n = out.length;
    sameLength("select", condition.length, n);
    sameLength("select", b.length, n);
    sameLength("select", c.length, n);
    select(out, 0, condition, 0, b, 0, c, 0, n);
  }

  accumulate(y: Floats, x: Floats): void {
    sameLength("accumulate", x.length, y.length);
    for (let i = 0; i < y.length; i++) y[i] += x[i];
  }

  axpy(y: Floats, s: number, x: Floats): void {
    sameLength("axpy", x.length, y.length);
    const factor = fround(s);
    for (let i = 0; i < y.length; i++) y[i] += fround(factor * x[i]);
  }

  accumulateProduct(y: Floats, g: Floats, b: Floats): void {
    sameLength("accumulateProduct", g.length, y.length);
    sameLength("accumulateProduct", b.length, y.length);
    for (let i = 0; i < y.length; i++) y[i] += fround(g[i] * b[i]);
  }

  scaledProduct(out: Floats, g: Floats, s: number, x: Floats): void {
    sameLength("scaledProduct", g.length, out.length);
    sameLength("scaledProduct", x.length, out.length);
    const factor = fround(s);
    for (let i = 0; i < out.length; i++) out[i] = g[i] * fround(factor * x[i]);
  }

  scaledBy(out: Floats, g: number, s: number, x: Floats): void {
    sameLength("scaledBy", x.length, out.length);
    const left = fround(g);
    const factor = fround(s);
    for (let i = 0; i < out.length; i++) out[i] = left * fround(factor * x[i]);
  }

  tanhPull(out: Floats, g: Floats, x: Floats): void {
    sameLength("tanhPull", g.length, out.length);
    sameLength("tanhPull", x.length, out.length);
    for (let i = 0; i < out.length; i++) out[i] = g[i] * fround(tanhSlope(x[i]));
  }

  fill(out: Floats, s: number): void {
    out.fill(s);
  }

  copy(out: Floats, a: Floats): void {
    sameLength("copy", a.length, out.length);
    out.set(a);
  }

  transpose(out: Floats, a: Floats, m: number, n: number): void {
    count("transpose", m, n);
    reaches("transpose", a.length, m * n);
    reaches("transpose", out.length, m * n);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) out[j * m + i] = a[i * n + j];
    }
  }

  sum(a: Floats): number {
    return reduce.sum(a, 0, a.length);
  }

  dot(a: Floats, b: Floats): number {
    sameLength("dot", b.length, a.length);
    return reduce.dot(a, b);
  }

  sumSquares(a: Floats): number {
    return reduce.dot(a, a);
  }

  max(a: Floats): number {
    return reduce.max(a, 0, a.length);
  }

  min(a: Floats): number {
    return reduce.min(a, 0, a.length);
  }

  maxAbs(a: Floats): number {
    return reduce.maxAbs(a);
  }

  statistics(into: Float64Array, a: Floats): void {
    reaches("statistics", into.length, STATISTICS);
    reduce.statistics(into, a);
  }

  sumAxis(out: Floats, a: Floats, outer: number, axis: number, inner: number): void {
    this.axes("sumAxis", out, a, outer, axis, inner);
    reduce.sumAxis(out, a, outer, axis, inner);
  }

  maxAxis(out: Floats, a: Floats, outer: number, axis: number, inner: number): void {
    this.axes("maxAxis", out, a, outer, axis, inner);
    reduce.maxAxis(out, a, outer, axis, inner);
  }

  minAxis(out: Floats, a: Floats, outer: number, axis: number, inner: number): void {
    this.axes("minAxis", out, a, outer, axis, inner);
    reduce.minAxis(out, a, outer, axis, inner);
  }

  matmul(
    kind: ProductKind,
    out: Floats,
    a: Floats,
    b: Floats,
    m: number,
    n: number,
    k: number,
    accumulate = false,
    batch = 1,
    outStep = m * n,
    aStep = m * k,
    bStep = k * n,
  ): void {
    this.products(out, a, b, m, n, k, accumulate, batch, outStep, aStep, bStep);
    const ai = kind === Product.TN ? 1 : k;
    const ap = kind === Product.TN ? m : 1;
    const bp = kind === Product.NT ? 1 : n;
    const bj = kind === Product.NT ? k : 1;
    for (let i = 0; i < batch; i++) {
      matmul(out, i * outStep, a, i * aStep, ai, ap, b, i * bStep, bp, bj, m, n, k, accumulate);
    }
  }

  fuse(program: FusedProgram): Fused<Floats> {
    return new JavaScriptChain(program);
  }

  protected axes(kernel: string, out: Floats, a: Floats, outer: number, axis: number, inner: number): void {
    count(kernel, outer, axis, inner);
    reaches(kernel, a.length, outer * axis * inner);
    reaches(kernel, out.length, outer * inner);
  }

  protected products(
    out: Floats,
    a: Floats,
    b: Floats,
    m: number,
    n: number,
    k: number,
    accumulate: boolean,
    batch: number,
    outStep: number,
    aStep: number,
    bStep: number,
  ): void {
    count("matmul", m, n, k, batch, outStep, aStep, bStep);
    if (batch === 0 || m === 0 || n === 0) return;
    if (batch > 1 && outStep < m * n && !(accumulate && outStep === 0))
      refuse("matmul", "products that overlap");
    reaches("matmul", out.length, (batch - 1) * outStep + m * n);
    reaches("matmul", a.length, (batch - 1) * aStep + m * k);
    reaches("matmul", b.length, (batch - 1) * bStep + k * n);
  }
}

/** Refuses a code that does not take this many operands. */
export function takes(kernel: string, op: number, operands: number): void {
  if (arity(op) !== operands) refuse(kernel, `${opName(op)} takes ${arity(op)} operands, not ${operands}`);
  if (operands === 2 && op >= FIRST_UNARY) refuse(kernel, `${opName(op)} is no binary operation`);
}
