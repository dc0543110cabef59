/** The interpreter of fused chains: all instructions over one block, then the next block. */
import { binary, ternary, unary } from "./elementwise";
import { BLOCK, STACK, blockSum, clear, push, total } from "./reduce";

/** A function of JavaScript over n elements of `size` bytes: out[i] = f(a[i]). */
@external("js", "call")
declare function call(op: i32, out: usize, a: usize, n: i32, size: i32): void;

/** Fills a block with a number. */
export function fillBlock<T>(at: usize, value: f64): void {
  const x = v128.splat<T>(<T>value);
  const end = at + BLOCK * sizeof<T>();
  while (at < end) {
    v128.store(at, x);
    v128.store(at, x, 16);
    at += 32;
  }
}

/**
 * @param words instructions: operation, destination slot, three operand slots
 * @param slots for each slot its place and by how many bytes it advances from block to block
 * @param sums slots to sum; the sums are written as doubles to `totals`
 * @param scratch 64 bytes and a stack for each sum
 */
export function chain<T>(
  words: usize,
  instructions: i32,
  slots: usize,
  slotCount: i32,
  sums: usize,
  sumCount: i32,
  totals: usize,
  n: i32,
  scratch: usize,
): void {
  const stacks = scratch + 64;
  for (let s = 0; s < sumCount; s++) clear(stacks + <usize>s * STACK);
  const end = words + <usize>instructions * 20;
  const slotEnd = slots + <usize>slotCount * 8;
  while (n > 0) {
    const length = min(n, BLOCK);
    for (let w = words; w < end; w += 20) {
      const op = load<i32>(w);
      const out = load<usize>(slots + load<usize>(w, 4) * 8);
      const a = load<usize>(slots + load<usize>(w, 8) * 8);
      if (op < 16) {
        binary<T>(op, out, a, 16, load<usize>(slots + load<usize>(w, 12) * 8), 16, length);
      } else if (op < 32) {
        unary<T>(op, out, a, length);
      } else if (op < 64) {
        const b = load<usize>(slots + load<usize>(w, 12) * 8);
        ternary<T>(op, out, a, 16, b, load<usize>(slots + load<usize>(w, 16) * 8), length);
      } else {
        call(op, out, a, length, <i32>sizeof<T>());
      }
    }
    for (let s = 0; s < sumCount; s++) {
      const from = load<usize>(slots + load<usize>(sums + <usize>s * 4) * 8);
      push<T>(stacks + <usize>s * STACK, blockSum<T>(from, length, scratch));
    }
    for (let slot = slots; slot < slotEnd; slot += 8) {
      store<usize>(slot, load<usize>(slot) + load<usize>(slot, 4));
    }
    n -= length;
  }
  for (let s = 0; s < sumCount; s++) {
    store<f64>(totals + <usize>s * 8, <f64>total<T>(stacks + <usize>s * STACK));
  }
}
