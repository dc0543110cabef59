/** Reductions, in the order that kernels.ts states. */

/** Elements of a block. */
export const BLOCK: i32 = 256;

/** Bytes of a stack of partial sums: the count of blocks, then 48 numbers. */
export const STACK: usize = 400;

@inline
function vectors<T>(): i32 {
  return <i32>(8 * sizeof<T>()) / 16;
}

/** Empties a stack of partial sums. */
export function clear(stack: usize): void {
  store<i32>(stack, 0);
  store<i32>(stack, 0, 4);
}

/** Adds the sum of a block: equal-sized neighbours are added, as a binary counter carries. */
export function push<T>(stack: usize, sum: T): void {
  let value = sum;
  let carry = load<i32>(stack) + 1;
  let top = load<i32>(stack, 4);
  store<i32>(stack, carry);
  while ((carry & 1) == 0) {
    top--;
    value = <T>(load<T>(stack + 8 + <usize>top * 8) + value);
    carry >>= 1;
  }
  store<T>(stack + 8 + <usize>top * 8, value);
  store<i32>(stack, top + 1, 4);
}

/** The whole sum. */
export function total<T>(stack: usize): T {
  let top = load<i32>(stack, 4);
  if (top == 0) return <T>0;
  top--;
  let value = load<T>(stack + 8 + <usize>top * 8);
  while (top > 0) {
    top--;
    value = <T>(load<T>(stack + 8 + <usize>top * 8) + value);
  }
  return value;
}

/** The lanes' sum: ((0+1)+(2+3))+((4+5)+(6+7)), lanes at `at`. */
@inline
function lanesSum<T>(at: usize): T {
  const size = sizeof<T>();
  const low: T = <T>(
    (<T>(<T>(load<T>(at) + load<T>(at + size)) + <T>(load<T>(at + 2 * size) + load<T>(at + 3 * size))))
  );
  const high: T = <T>(
    (<T>(<T>(load<T>(at + 4 * size) + load<T>(at + 5 * size)) + <T>(load<T>(at + 6 * size) + load<T>(at + 7 * size))))
  );
  return <T>(low + high);
}

/** Sum of the n <= BLOCK elements at a; 64 bytes of scratch. */
export function blockSum<T>(a: usize, n: i32, scratch: usize): T {
  let s0 = v128.splat<T>(<T>0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  while (n >= 8) {
    s0 = v128.add<T>(s0, v128.load(a));
    s1 = v128.add<T>(s1, v128.load(a, 16));
    if (vectors<T>() == 4) {
      s2 = v128.add<T>(s2, v128.load(a, 32));
      s3 = v128.add<T>(s3, v128.load(a, 48));
    }
    a += 8 * sizeof<T>();
    n -= 8;
  }
  v128.store(scratch, s0);
  v128.store(scratch, s1, 16);
  v128.store(scratch, s2, 32);
  v128.store(scratch, s3, 48);
  let at = scratch;
  while (n > 0) {
    store<T>(at, <T>(load<T>(at) + load<T>(a)));
    at += sizeof<T>();
    a += sizeof<T>();
    n--;
  }
  return lanesSum<T>(scratch);
}

/** Ends a block whose lanes stand at `lanes`. */
export function finish<T>(lanes: usize, stack: usize): void {
  push<T>(stack, lanesSum<T>(lanes));
}

function blockDot<T>(a: usize, b: usize, n: i32, scratch: usize): T {
  let s0 = v128.splat<T>(<T>0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  while (n >= 8) {
    s0 = v128.add<T>(s0, v128.mul<T>(v128.load(a), v128.load(b)));
    s1 = v128.add<T>(s1, v128.mul<T>(v128.load(a, 16), v128.load(b, 16)));
    if (vectors<T>() == 4) {
      s2 = v128.add<T>(s2, v128.mul<T>(v128.load(a, 32), v128.load(b, 32)));
      s3 = v128.add<T>(s3, v128.mul<T>(v128.load(a, 48), v128.load(b, 48)));
    }
    a += 8 * sizeof<T>();
    b += 8 * sizeof<T>();
    n -= 8;
  }
  v128.store(scratch, s0);
  v128.store(scratch, s1, 16);
  v128.store(scratch, s2, 32);
  v128.store(scratch, s3, 48);
  let at = scratch;
  while (n > 0) {
    store<T>(at, <T>(load<T>(at) + <T>(load<T>(a) * load<T>(b))));
    at += sizeof<T>();
    a += sizeof<T>();
    b += sizeof<T>();
    n--;
  }
  return lanesSum<T>(scratch);
}

/** Sum of n elements; scratch of 64 bytes and a stack. */
export function sum<T>(a: usize, n: i32, scratch: usize): T {
  if (n <= BLOCK) return blockSum<T>(a, n, scratch);
  const stack = scratch + 64;
  clear(stack);
  while (n > 0) {
    push<T>(stack, blockSum<T>(a, min(n, BLOCK), scratch));
    a += BLOCK * sizeof<T>();
    n -= BLOCK;
  }
  return total<T>(stack);
}

export function dot<T>(a: usize, b: usize, n: i32, scratch: usize): T {
  if (n <= BLOCK) return blockDot<T>(a, b, n, scratch);
  const stack = scratch + 64;
  clear(stack);
  while (n > 0) {
    push<T>(stack, blockDot<T>(a, b, min(n, BLOCK), scratch));
    a += BLOCK * sizeof<T>();
    b += BLOCK * sizeof<T>();
    n -= BLOCK;
  }
  return total<T>(stack);
}

/** 0: max, 1: min, 2: greatest absolute value. */
@inline
function better<T>(kind: i32, best: v128, x: v128): v128 {
  if (kind == 0) return v128.max<T>(best, x);
  if (kind == 1) return v128.min<T>(best, x);
  return v128.max<T>(best, v128.abs<T>(x));
}

@inline
function extremum<T>(kind: i32, a: usize, n: i32): T {
  const start: T = kind == 0 ? <T>-Infinity : kind == 1 ? <T>Infinity : <T>0;
  const lanes = <i32>(16 / sizeof<T>());
  let s0 = v128.splat<T>(start);
  let s1 = s0;
  while (n >= 2 * lanes) {
    s0 = better<T>(kind, s0, v128.load(a));
    s1 = better<T>(kind, s1, v128.load(a, 16));
    a += 32;
    n -= 2 * lanes;
  }
  while (n > 0) {
    s0 = better<T>(kind, s0, v128.load_splat<T>(a));
    a += sizeof<T>();
    n--;
  }
  s0 = better<T>(kind, s0, s1);
  if (sizeof<T>() == 4) {
    s0 = better<T>(kind, s0, v128.shuffle<i64>(s0, s0, 1, 0));
    return <T>v128.extract_lane<T>(better<T>(kind, s0, v128.shuffle<i32>(s0, s0, 1, 0, 3, 2)), 0);
  }
  return v128.extract_lane<T>(better<T>(kind, s0, v128.shuffle<i64>(s0, s0, 1, 0)), 0);
}

export function greatest<T>(a: usize, n: i32): T {
  return extremum<T>(0, a, n);
}

export function least<T>(a: usize, n: i32): T {
  return extremum<T>(1, a, n);
}

export function greatestAbs<T>(a: usize, n: i32): T {
  return extremum<T>(2, a, n);
}

/** 0: max, 1: min, 3: sum, along the middle axis, inner > 1: ascending along the axis. */
@inline
function along<T>(kind: i32, out: usize, a: usize, outer: i32, axis: i32, inner: i32): void {
  const start: T = kind == 0 ? <T>-Infinity : kind == 1 ? <T>Infinity : <T>0;
  const lanes = <i32>(16 / sizeof<T>());
  const row = <usize>inner * sizeof<T>();
  for (let o = 0; o < outer; o++) {
    let i = 0;
    for (; i + 4 * lanes <= inner; i += 4 * lanes) {
      let s0 = v128.splat<T>(start);
      let s1 = s0;
      let s2 = s0;
      let s3 = s0;
      let at = a + <usize>i * sizeof<T>();
      for (let x = 0; x < axis; x++) {
        if (kind == 3) {
          s0 = v128.add<T>(s0, v128.load(at));
          s1 = v128.add<T>(s1, v128.load(at, 16));
          s2 = v128.add<T>(s2, v128.load(at, 32));
          s3 = v128.add<T>(s3, v128.load(at, 48));
        } else {
          s0 = better<T>(kind, s0, v128.load(at));
          s1 = better<T>(kind, s1, v128.load(at, 16));
          s2 = better<T>(kind, s2, v128.load(at, 32));
          s3 = better<T>(kind, s3, v128.load(at, 48));
        }
        at += row;
      }
      const to = out + <usize>i * sizeof<T>();
      v128.store(to, s0);
      v128.store(to, s1, 16);
      v128.store(to, s2, 32);
      v128.store(to, s3, 48);
    }
    for (; i < inner; i++) {
      let s = v128.splat<T>(start);
      let at = a + <usize>i * sizeof<T>();
      for (let x = 0; x < axis; x++) {
        const y = v128.load_splat<T>(at);
        s = kind == 3 ? v128.add<T>(s, y) : better<T>(kind, s, y);
        at += row;
      }
      store<T>(out + <usize>i * sizeof<T>(), v128.extract_lane<T>(s, 0));
    }
    out += row;
    a += <usize>axis * row;
  }
}

export function sumAxis<T>(out: usize, a: usize, outer: i32, axis: i32, inner: i32, scratch: usize): void {
  if (inner != 1) return along<T>(3, out, a, outer, axis, inner);
  for (let o = 0; o < outer; o++) {
    store<T>(out, sum<T>(a, axis, scratch));
    out += sizeof<T>();
    a += <usize>axis * sizeof<T>();
  }
}

export function maxAxis<T>(out: usize, a: usize, outer: i32, axis: i32, inner: i32): void {
  if (inner != 1) return along<T>(0, out, a, outer, axis, inner);
  for (let o = 0; o < outer; o++) {
    store<T>(out, greatest<T>(a, axis));
    out += sizeof<T>();
    a += <usize>axis * sizeof<T>();
  }
}

export function minAxis<T>(out: usize, a: usize, outer: i32, axis: i32, inner: i32): void {
  if (inner != 1) return along<T>(1, out, a, outer, axis, inner);
  for (let o = 0; o < outer; o++) {
    store<T>(out, least<T>(a, axis));
    out += sizeof<T>();
    a += <usize>axis * sizeof<T>();
  }
}
