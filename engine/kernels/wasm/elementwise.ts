/**
 * Element-wise loops. An operation is written once, for vectors; the last elements go through the same operation one lane
 * at a time. An operand advances by its step: 16 bytes a vector, or 0 for a number that stands splatted in memory.
 */

@inline
function two<T>(op: i32, a: v128, b: v128): v128 {
  if (op == 0) return v128.add<T>(a, b);
  if (op == 1) return v128.sub<T>(a, b);
  if (op == 2) return v128.mul<T>(a, b);
  if (op == 3) return v128.div<T>(a, b);
  if (op == 4) return v128.min<T>(a, b);
  if (op == 5) return v128.max<T>(a, b);
  if (op == 6) return v128.and(v128.gt<T>(a, b), v128.splat<T>(<T>1));
  if (op == 7) return v128.and(v128.ge<T>(a, b), v128.splat<T>(<T>1));
  return v128.and(v128.eq<T>(a, b), v128.splat<T>(<T>1));
}

@inline
function one<T>(op: i32, a: v128): v128 {
  if (op == 16) return v128.neg<T>(a);
  if (op == 17) return v128.abs<T>(a);
  if (op == 18) return v128.sqrt<T>(a);
  if (op == 19) return v128.mul<T>(a, a);
  if (op == 20) return a;
  if (op == 21) return v128.div<T>(v128.splat<T>(<T>1), a);
  if (op == 22) return v128.floor<T>(a);
  if (op == 23) return v128.ceil<T>(a);
  if (op == 24) return v128.trunc<T>(a);
  const zero = v128.splat<T>(<T>0);
  if (op == 25) {
    const negative = v128.bitselect(v128.splat<T>(<T>-1), a, v128.lt<T>(a, zero));
    return v128.bitselect(v128.splat<T>(<T>1), negative, v128.gt<T>(a, zero));
  }
  if (op == 26) return v128.max<T>(a, zero);
  const step = v128.and(v128.gt<T>(a, zero), v128.splat<T>(<T>1));
  return v128.bitselect(v128.splat<T>(<T>NaN), step, v128.ne<T>(a, a));
}

@inline
function three<T>(op: i32, a: v128, b: v128, c: v128): v128 {
  if (op == 33) return v128.add<T>(v128.mul<T>(a, b), c);
  if (op == 34) return v128.sub<T>(v128.mul<T>(a, b), c);
  if (op == 35) return v128.sub<T>(c, v128.mul<T>(a, b));
  const truthy = v128.and(v128.eq<T>(a, a), v128.ne<T>(a, v128.splat<T>(<T>0)));
  return v128.bitselect(b, c, truthy);
}

/** The first lane alone. */
@inline
export function lane<T>(at: usize): v128 {
  return v128.load_zero<T>(at);
}

@inline
export function storeLane<T>(at: usize, x: v128): void {
  store<T>(at, v128.extract_lane<T>(x, 0));
}

@inline
function loop2<T>(op: i32, out: usize, a: usize, aStep: usize, b: usize, bStep: usize, n: i32): void {
  const lanes = <i32>(16 / sizeof<T>());
  let i = n - 4 * lanes;
  if (aStep & bStep) {
    while (i >= 0) {
      v128.store(out, two<T>(op, v128.load(a), v128.load(b)));
      v128.store(out, two<T>(op, v128.load(a, 16), v128.load(b, 16)), 16);
      v128.store(out, two<T>(op, v128.load(a, 32), v128.load(b, 32)), 32);
      v128.store(out, two<T>(op, v128.load(a, 48), v128.load(b, 48)), 48);
      a += 64;
      b += 64;
      out += 64;
      i -= 4 * lanes;
    }
  }
  i += 2 * lanes;
  while (i >= 0) {
    v128.store(out, two<T>(op, v128.load(a), v128.load(b)));
    a += aStep;
    b += bStep;
    v128.store(out, two<T>(op, v128.load(a), v128.load(b)), 16);
    a += aStep;
    b += bStep;
    out += 32;
    i -= 2 * lanes;
  }
  i += 2 * lanes;
  const oneA = aStep ? sizeof<T>() : 0;
  const oneB = bStep ? sizeof<T>() : 0;
  while (i > 0) {
    storeLane<T>(out, two<T>(op, lane<T>(a), lane<T>(b)));
    a += oneA;
    b += oneB;
    out += sizeof<T>();
    i--;
  }
}

@inline
function loop1<T>(op: i32, out: usize, a: usize, n: i32): void {
  const lanes = <i32>(16 / sizeof<T>());
  let i = n - 4 * lanes;
  while (i >= 0) {
    v128.store(out, one<T>(op, v128.load(a)));
    v128.store(out, one<T>(op, v128.load(a, 16)), 16);
    v128.store(out, one<T>(op, v128.load(a, 32)), 32);
    v128.store(out, one<T>(op, v128.load(a, 48)), 48);
    a += 64;
    out += 64;
    i -= 4 * lanes;
  }
  i += 4 * lanes;
  while (i > 0) {
    storeLane<T>(out, one<T>(op, lane<T>(a)));
    a += sizeof<T>();
    out += sizeof<T>();
    i--;
  }
}

@inline
function loop3<T>(op: i32, out: usize, a: usize, aStep: usize, b: usize, c: usize, n: i32): void {
  const lanes = <i32>(16 / sizeof<T>());
  let i = n - 4 * lanes;
  if (aStep) {
    while (i >= 0) {
      v128.store(out, three<T>(op, v128.load(a), v128.load(b), v128.load(c)));
      v128.store(out, three<T>(op, v128.load(a, 16), v128.load(b, 16), v128.load(c, 16)), 16);
      v128.store(out, three<T>(op, v128.load(a, 32), v128.load(b, 32), v128.load(c, 32)), 32);
      v128.store(out, three<T>(op, v128.load(a, 48), v128.load(b, 48), v128.load(c, 48)), 48);
      a += 64;
      b += 64;
      c += 64;
      out += 64;
      i -= 4 * lanes;
    }
  }
  i += 2 * lanes;
  while (i >= 0) {
    v128.store(out, three<T>(op, v128.load(a), v128.load(b), v128.load(c)));
    a += aStep;
    v128.store(out, three<T>(op, v128.load(a), v128.load(b, 16), v128.load(c, 16)), 16);
    a += aStep;
    b += 32;
    c += 32;
    out += 32;
    i -= 2 * lanes;
  }
  i += 2 * lanes;
  const oneA = aStep ? sizeof<T>() : 0;
  while (i > 0) {
    storeLane<T>(out, three<T>(op, lane<T>(a), lane<T>(b), lane<T>(c)));
    a += oneA;
    b += sizeof<T>();
    c += sizeof<T>();
    out += sizeof<T>();
    i--;
  }
}

export function binary<T>(op: i32, out: usize, a: usize, aStep: usize, b: usize, bStep: usize, n: i32): void {
  switch (op) {
    case 0:
      loop2<T>(0, out, a, aStep, b, bStep, n);
      break;
    case 1:
      loop2<T>(1, out, a, aStep, b, bStep, n);
      break;
    case 2:
      loop2<T>(2, out, a, aStep, b, bStep, n);
      break;
    case 3:
      loop2<T>(3, out, a, aStep, b, bStep, n);
      break;
    case 4:
      loop2<T>(4, out, a, aStep, b, bStep, n);
      break;
    case 5:
      loop2<T>(5, out, a, aStep, b, bStep, n);
      break;
    case 6:
      loop2<T>(6, out, a, aStep, b, bStep, n);
      break;
    case 7:
      loop2<T>(7, out, a, aStep, b, bStep, n);
      break;
    default:
      loop2<T>(8, out, a, aStep, b, bStep, n);
  }
}

export function unary<T>(op: i32, out: usize, a: usize, n: i32): void {
  switch (op) {
    case 16:
      loop1<T>(16, out, a, n);
      break;
    case 17:
      loop1<T>(17, out, a, n);
      break;
    case 18:
      loop1<T>(18, out, a, n);
      break;
    case 19:
      loop1<T>(19, out, a, n);
      break;
    case 20:
      loop1<T>(20, out, a, n);
      break;
    case 21:
      loop1<T>(21, out, a, n);
      break;
    case 22:
      loop1<T>(22, out, a, n);
      break;
    case 23:
      loop1<T>(23, out, a, n);
      break;
    case 24:
      loop1<T>(24, out, a, n);
      break;
    case 25:
      loop1<T>(25, out, a, n);
      break;
    case 26:
      loop1<T>(26, out, a, n);
      break;
    default:
      loop1<T>(27, out, a, n);
  }
}

/** a may be a splatted number (step 0), for axpy. */
export function ternary<T>(op: i32, out: usize, a: usize, aStep: usize, b: usize, c: usize, n: i32): void {
  switch (op) {
    case 33:
      loop3<T>(33, out, a, aStep, b, c, n);
      break;
    case 34:
      loop3<T>(34, out, a, aStep, b, c, n);
      break;
    case 35:
      loop3<T>(35, out, a, aStep, b, c, n);
      break;
    default:
      loop3<T>(32, out, a, aStep, b, c, n);
  }
}

/** out = g * (s * x), s splatted at `scalar`; g may be a splatted number too (step 0). */
export function scaledProduct<T>(out: usize, g: usize, gStep: usize, scalar: usize, x: usize, n: i32): void {
  const lanes = <i32>(16 / sizeof<T>());
  const s = v128.load(scalar);
  let i = n - lanes;
  while (i >= 0) {
    v128.store(out, v128.mul<T>(v128.load(g), v128.mul<T>(s, v128.load(x))));
    g += gStep;
    x += 16;
    out += 16;
    i -= lanes;
  }
  i += lanes;
  const oneG = gStep ? sizeof<T>() : 0;
  while (i > 0) {
    storeLane<T>(out, v128.mul<T>(lane<T>(g), v128.mul<T>(s, lane<T>(x))));
    g += oneG;
    x += sizeof<T>();
    out += sizeof<T>();
    i--;
  }
}
