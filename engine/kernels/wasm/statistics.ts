/** Sum, sum of squares, extremes of the finite elements, and the number of the others, in one pass. */
import { BLOCK, STACK, blockSum, clear, push, total } from "./reduce";

/** Writes five doubles to `out`; scratch: 64 bytes, two stacks, two blocks. */
export function statistics<T>(out: usize, a: usize, n: i32, scratch: usize): void {
  const sums = scratch + 64;
  const squares = sums + STACK;
  const finite = squares + STACK;
  const squared = finite + BLOCK * sizeof<T>();
  clear(sums);
  clear(squares);
  let lo = <T>Infinity;
  let hi = <T>-Infinity;
  let nonfinite = 0;
  while (n > 0) {
    const length = min(n, BLOCK);
    const lanes = <i32>(16 / sizeof<T>());
    let low = v128.splat<T>(<T>Infinity);
    let high = v128.splat<T>(<T>-Infinity);
    let at: usize = 0;
    let i = 0;
    for (; i + lanes <= length; i += lanes) {
      const x = v128.load(a + at);
      const isFinite = v128.eq<T>(v128.sub<T>(x, x), v128.splat<T>(<T>0));
      const kept = v128.and(x, isFinite);
      v128.store(finite + at, kept);
      v128.store(squared + at, v128.mul<T>(kept, kept));
      low = v128.min<T>(low, v128.bitselect(x, v128.splat<T>(<T>Infinity), isFinite));
      high = v128.max<T>(high, v128.bitselect(x, v128.splat<T>(<T>-Infinity), isFinite));
      const mask = sizeof<T>() == 8 ? v128.bitmask<i64>(isFinite) : v128.bitmask<i32>(isFinite);
      nonfinite += lanes - popcnt<i32>(mask);
      at += 16;
    }
    for (; i < length; i++) {
      const x = load<T>(a + at);
      const isFinite = <T>(x - x) == <T>0;
      const kept: T = isFinite ? x : <T>0;
      store<T>(finite + at, kept);
      store<T>(squared + at, <T>(kept * kept));
      if (isFinite) {
        lo = min<T>(lo, x);
        hi = max<T>(hi, x);
      } else nonfinite++;
      at += sizeof<T>();
    }
    for (let lane = 0; lane < lanes; lane++) {
      v128.store(scratch, low);
      lo = min<T>(lo, load<T>(scratch + <usize>lane * sizeof<T>()));
      v128.store(scratch, high);
      hi = max<T>(hi, load<T>(scratch + <usize>lane * sizeof<T>()));
    }
    push<T>(sums, blockSum<T>(finite, length, scratch));
    push<T>(squares, blockSum<T>(squared, length, scratch));
    a += <usize>length * sizeof<T>();
    n -= length;
  }
  store<f64>(out, <f64>total<T>(sums));
  store<f64>(out, <f64>total<T>(squares), 8);
  store<f64>(out, <f64>lo, 16);
  store<f64>(out, <f64>hi, 24);
  store<f64>(out, <f64>nonfinite, 32);
}
