/**
 * The kernels of this format in WebAssembly, for arrays of the arena; others go the way of JavaScript, large matrix
 * products through a copy.
 */
import { Product, type ProductKind } from "../codes.js";
import { reaches, sameLength } from "../check.js";
import type { Fused, FusedProgram } from "../fuse.js";
import { STATISTICS } from "../layout.js";
import { PRODUCT_SCRATCH, Region } from "../native.js";
import { WebAssemblyChain } from "./webassembly-chain.js";
import { WebAssemblyElementwise } from "./webassembly-elementwise.js";

type Floats = Float32Array;

const SIZE = Float32Array.BYTES_PER_ELEMENT;
/** Multiplications from which a product of foreign arrays is worth copying in. */
const WORTH_COPYING = 20_000;

export class WebAssemblyKernels extends WebAssemblyElementwise {
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
