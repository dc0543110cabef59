/** Broadcast operations: the element-wise loops, a row at a time. */
import { binary } from "./elementwise";

/**
 * Rows of a broadcast operation. Rows advance by aRow and bRow bytes; a column step of 0 takes one number a row, splatted
 * at `scratch` (a) and `scratch` + 16 (b).
 */
export function binaryRows<T>(
  op: i32,
  out: usize,
  a: usize,
  aRow: usize,
  aStep: usize,
  b: usize,
  bRow: usize,
  bStep: usize,
  rows: i32,
  cols: i32,
  scratch: usize,
): void {
  const bytes = <usize>cols * sizeof<T>();
  for (let i = 0; i < rows; i++) {
    let x = a;
    let y = b;
    if (!aStep) {
      v128.store(scratch, v128.load_splat<T>(a));
      x = scratch;
    }
    if (!bStep) {
      v128.store(scratch, v128.load_splat<T>(b), 16);
      y = scratch + 16;
    }
    binary<T>(op, out, x, aStep, y, bStep, cols);
    out += bytes;
    a += aRow;
    b += bRow;
  }
}
