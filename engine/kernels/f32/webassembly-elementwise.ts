/**
 * The element-wise kernels of this format in WebAssembly, for arrays of the arena; others go the way of JavaScript.
 */
import type { Arena } from "../arena.js";
import { FIRST_FUNCTION, Op, type OpCode } from "../codes.js";
import { count, reaches, refuse, sameLength } from "../check.js";
import type { Kernels } from "../kernels.js";
import { functionsAgree, nativeFunction } from "../native-functions.js";
import { Region, type Native, type NativeFunctions } from "../native.js";
import { JavaScriptKernels, extent, takes } from "./javascript.js";

type Floats = Float32Array;

const SIZE = Float32Array.BYTES_PER_ELEMENT;
const LANES = 16 / SIZE;

export class WebAssemblyElementwise extends JavaScriptKernels {
  override readonly backend: Kernels<Floats>["backend"] = "wasm";
  protected readonly code: NativeFunctions;
  protected readonly arena: Arena;
  private readonly cells: Floats;

  constructor(protected readonly native: Native) {
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
    if ((to | x) < 0) return super.unary(op, out, a);
    if (op >= FIRST_FUNCTION) {
      const own = SIZE === 8 ? nativeFunction(this.native, op) : null;
      if (own === null) return super.unary(op, out, a);
      sameLength("unary", a.length, out.length);
      own(to, x, out.length);
      return;
    }
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
    this.code.scaledProduct_f32(to, left, 16, this.splat(s), right, out.length);
  }

  override scaledBy(out: Floats, g: number, s: number, x: Floats): void {
    const to = this.arena.place(out);
    const right = this.arena.place(x);
    if ((to | right) < 0) return super.scaledBy(out, g, s, x);
    sameLength("scaledBy", x.length, out.length);
    const first = Region.rowSplats / SIZE;
    for (let i = 0; i < LANES; i++) this.cells[first + i] = g;
    this.code.scaledProduct_f32(to, Region.rowSplats, 0, this.splat(s), right, out.length);
  }

  override tanhPull(out: Floats, g: Floats, x: Floats): void {
    const to = this.arena.place(out);
    const left = this.arena.place(g);
    const right = this.arena.place(x);
    if ((to | left | right) < 0 || SIZE !== 8 || !functionsAgree(this.native))
      return super.tanhPull(out, g, x);
    sameLength("tanhPull", g.length, out.length);
    sameLength("tanhPull", x.length, out.length);
    this.code.tanhSlope(to, left, right, out.length);
  }
}
