/**
 * The kernels of this format in WebAssembly, for arrays of the arena; others go the way of JavaScript, large matrix
 * products through a copy.
 */
import type { Arena } from "../arena.js";
import { FIRST_FUNCTION, Op, Product, type OpCode, type ProductKind } from "../codes.js";
import { count, reaches, refuse, sameLength } from "../check.js";
import type { Fused, FusedProgram } from "../fuse.js";
import type { Kernels } from "../kernels.js";
import { STATISTICS } from "../layout.js";
import { PRODUCT_SCRATCH, Region, type Native, type NativeFunctions } from "../native.js";
import { JavaScriptKernels, extent, takes } from "./javascript.js";
import { WebAssemblyChain } from "./webassembly-chain.js";

type Floats = Float32Array;

const SIZE = Float32Array.BYTES_PER_ELEMENT;
const LANES = 16 / SIZE;
/** Multiplications from which a product of foreign arrays is worth copying in. */
const WORTH_COPYING = 20_000;

export class WebAssemblyKernels extends JavaScriptKernels {
  override readonly backend: Kernels<Floats>["backend"] = "wasm";
  private readonly code: NativeFunctions;
  private readonly arena: Arena;
  private readonly cells: Floats;

  constructor(private readonly native: Native) {
    super();
    this.code = native.run;
    this.arena = native.arena;
    this.cells = new Float32Array(native.buffer);
  }

  /** Puts a number in every lane of the splat region; returns its place. */
  private splat(s: number): number {
    const first = Region.splat / SIZE;
    for (let i = 0; i < LANES; i++) this.cells[first + i] = s;
    return Region.splat;
  }

  override binary(op: OpCode, out: Floats, a: Floats, b: Floats): void {
    const to = this.arena.place(out);
    const x = this.arena.place(a);
    const y = this.arena.place(b);
    if ((to | x | y) < 0) return super.binary(op, out, a, b);
    if (op > Op.equal) takes("binary", op, 2);
    const n = out.length;
    sameLength("binary", a.length, n);
    sameLength("binary", b.length, n);
    this.code.binary_f32(op, to, x, 16, y, 16, n);
  }

  override binaryScalar(op: OpCode, out: Floats, a: Floats, s: number): void {
    const to = this.arena.place(out);
    const x = this.arena.place(a);
    if ((to | x) < 0) return super.binaryScalar(op, out, a, s);
    if (op > Op.equal) takes("binaryScalar", op, 2);
    sameLength("binaryScalar", a.length, out.length);
    this.code.binary_f32(op, to, x, 16, this.splat(s), 0, out.length);
  }

  override scalarBinary(op: OpCode, out: Floats, s: number, b: Floats): void {
    const to = this.arena.place(out);
    const y = this.arena.place(b);
    if ((to | y) < 0) return super.scalarBinary(op, out, s, b);
    if (op > Op.equal) takes("scalarBinary", op, 2);
    sameLength("scalarBinary", b.length, out.length);
    this.code.binary_f32(op, to, this.splat(s), 0, y, 16, out.length);
  }

  override binaryRows(
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
    const to = this.arena.place(out);
    const x = this.arena.place(a);
    const y = this.arena.place(b);
    if ((to | x | y) < 0) return super.binaryRows(op, out, a, b, rows, cols, aRow, aCol, bRow, bCol);
    if (op > Op.equal) takes("binaryRows", op, 2);
    count("binaryRows", rows, cols, aRow, bRow);
    if ((aCol !== 0 && aCol !== 1) || (bCol !== 0 && bCol !== 1))
      refuse("binaryRows", "a step that is not 0 or 1");
    reaches("binaryRows", out.length, rows * cols);
    reaches("binaryRows", a.length, extent(rows, cols, aRow, aCol));
    reaches("binaryRows", b.length, extent(rows, cols, bRow, bCol));
    if (cols === 0) return;
    const { rowSplats } = Region;
    this.code.binaryRows_f32(
      op,
      to,
      x,
      aRow * SIZE,
      aCol * 16,
      y,
      bRow * SIZE,
      bCol * 16,
      rows,
      cols,
      rowSplats,
    );
  }

  override unary(op: OpCode, out: Floats, a: Floats): void {
    const to = this.arena.place(out);
    const x = this.arena.place(a);
    if ((to | x) < 0 || op >= FIRST_FUNCTION) return super.unary(op, out, a);
    if (op < Op.neg || op > Op.step) takes("unary", op, 1);
    sameLength("unary", a.length, out.length);
    this.code.unary_f32(op, to, x, out.length);
  }

  override select(out: Floats, condition: Floats, b: Floats, c: Floats): void {
    const to = this.arena.place(out);
    const test = this.arena.place(condition);
    const x = this.arena.place(b);
    const y = this.arena.place(c);
    if ((to | test | x | y) < 0) return super.select(out, condition, b, c);
    const n = out.length;
    sameLength("select", condition.length, n);
    sameLength("select", b.length, n);
    sameLength("select", c.length, n);
    this.code.ternary_f32(Op.select, to, test, 16, x, y, n);
  }

  override accumulate(y: Floats, x: Floats): void {
    const to = this.arena.place(y);
    const from = this.arena.place(x);
    if ((to | from) < 0) return super.accumulate(y, x);
    sameLength("accumulate", x.length, y.length);
    this.code.binary_f32(Op.add, to, to, 16, from, 16, y.length);
  }

  override axpy(y: Floats, s: number, x: Floats): void {
    const to = this.arena.place(y);
    const from = this.arena.place(x);
    if ((to | from) < 0) return super.axpy(y, s, x);
    sameLength("axpy", x.length, y.length);
    this.code.ternary_f32(Op.mulAdd, to, this.splat(s), 0, from, to, y.length);
  }

  override accumulateProduct(y: Floats, g: Floats, b: Floats): void {
    const to = this.arena.place(y);
    const left = this.arena.place(g);
    const right = this.arena.place(b);
    if ((to | left | right) < 0) return super.accumulateProduct(y, g, b);
    sameLength("accumulateProduct", g.length, y.length);
    sameLength("accumulateProduct", b.length, y.length);
    this.code.ternary_f32(Op.mulAdd, to, left, 16, right, to, y.length);
  }

  override scaledProduct(out: Floats, g: Floats, s: number, x: Floats): void {
    const to = this.arena.place(out);
    const left = this.arena.place(g);
    const right = this.arena.place(x);
    if ((to | left | right) < 0) return super.scaledProduct(out, g, s, x);
    sameLength("scaledProduct", g.length, out.length);
    sameLength("scaledProduct", x.length, out.length);
    this.code.scaledProduct_f32(to, left, this.splat(s), right, out.length);
  }

  override sum(a: Floats): number {
    const x = this.arena.place(a);
    return x < 0 ? super.sum(a) : this.code.sum_f32(x, a.length, Region.reduce);
  }

  override dot(a: Floats, b: Floats): number {
    const x = this.arena.place(a);
    const y = this.arena.place(b);
    if ((x | y) < 0) return super.dot(a, b);
    sameLength("dot", b.length, a.length);
    return this.code.dot_f32(x, y, a.length, Region.reduce);
  }

  override sumSquares(a: Floats): number {
    const x = this.arena.place(a);
    return x < 0 ? super.sumSquares(a) : this.code.dot_f32(x, x, a.length, Region.reduce);
  }

  override max(a: Floats): number {
    const x = this.arena.place(a);
    return x < 0 ? super.max(a) : this.code.greatest_f32(x, a.length);
  }

  override min(a: Floats): number {
    const x = this.arena.place(a);
    return x < 0 ? super.min(a) : this.code.least_f32(x, a.length);
  }

  override maxAbs(a: Floats): number {
    const x = this.arena.place(a);
    return x < 0 ? super.maxAbs(a) : this.code.greatestAbs_f32(x, a.length);
  }

  override statistics(into: Float64Array, a: Floats): void {
    const x = this.arena.place(a);
    if (x < 0) return super.statistics(into, a);
    reaches("statistics", into.length, STATISTICS);
    this.code.statistics_f32(Region.results, x, a.length, Region.reduce);
    for (let i = 0; i < STATISTICS; i++) into[i] = this.native.doubles[Region.results / 8 + i];
  }

  override sumAxis(out: Floats, a: Floats, outer: number, axis: number, inner: number): void {
    const to = this.arena.place(out);
    const x = this.arena.place(a);
    if ((to | x) < 0) return super.sumAxis(out, a, outer, axis, inner);
    this.axes("sumAxis", out, a, outer, axis, inner);
    this.code.sumAxis_f32(to, x, outer, axis, inner, Region.reduce);
  }

  override maxAxis(out: Floats, a: Floats, outer: number, axis: number, inner: number): void {
    const to = this.arena.place(out);
    const x = this.arena.place(a);
    if ((to | x) < 0) return super.maxAxis(out, a, outer, axis, inner);
    this.axes("maxAxis", out, a, outer, axis, inner);
    this.code.maxAxis_f32(to, x, outer, axis, inner);
  }

  override minAxis(out: Floats, a: Floats, outer: number, axis: number, inner: number): void {
    const to = this.arena.place(out);
    const x = this.arena.place(a);
    if ((to | x) < 0) return super.minAxis(out, a, outer, axis, inner);
    this.axes("minAxis", out, a, outer, axis, inner);
    this.code.minAxis_f32(to, x, outer, axis, inner);
  }

  override matmul(
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
    let to = this.arena.place(out);
    let x = this.arena.place(a);
    let y = this.arena.place(b);
    const foreign = (to | x | y) < 0;
    const mark = foreign || 8 * SIZE * (k + 16) > PRODUCT_SCRATCH ? this.arena.mark() : 0;
    let scratch: number = Region.product;
    let room = PRODUCT_SCRATCH;
    let copied = out;
    if (foreign && m * n * k * batch >= WORTH_COPYING) {
      if (x < 0) x = this.arena.place(this.arena.copy32(a));
      if (y < 0) y = b === a ? x : this.arena.place(this.arena.copy32(b));
      if (to < 0) {
        copied = this.arena.copy32(out);
        to = this.arena.place(copied);
      }
    }
    if (8 * SIZE * (k + 16) > PRODUCT_SCRATCH) {
      const more = this.arena.float32(8 * k + 16 * (k + 16));
      scratch = this.arena.place(more);
      room = more.byteLength;
    }
    const fits = (to | x | y | scratch) >= 0;
    if (fits) {
      const ai = (kind === Product.TN ? 1 : k) * SIZE;
      const ap = (kind === Product.TN ? m : 1) * SIZE;
      const bp = (kind === Product.NT ? 1 : n) * SIZE;
      const bj = (kind === Product.NT ? k : 1) * SIZE;
      const flag = accumulate ? 1 : 0;
      for (let i = 0; i < batch; i++) {
        this.code.matmul_f32(to, x, ai, ap, y, bp, bj, m, n, k, flag, scratch, room);
        to += outStep * SIZE;
        x += aStep * SIZE;
        y += bStep * SIZE;
      }
      if (copied !== out) out.set(copied);
    }
    if (mark > 0) this.arena.release(mark);
    if (!fits) super.matmul(kind, out, a, b, m, n, k, accumulate, batch, outStep, aStep, bStep);
  }

  override fuse(program: FusedProgram): Fused<Floats> {
    return new WebAssemblyChain(program, this.native);
  }
}
