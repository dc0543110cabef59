/**
 * exp, tanh and what follows from them, two numbers at once. The approximations are those of Sun's fdlibm (1993), which the
 * engines of Chromium and Node compute Math.exp and Math.tanh by, each operation rounded in the same order: the results are
 * the same bits. Where an engine computes otherwise, these kernels are not used (functions.ts beside this folder).
 */
import { lane, storeLane } from "./elementwise";

/*
 * Constants stand in memory, at these places: to load a number into both lanes is one instruction, where the host's compiler
 * makes four of a vector constant in every turn of a loop.
 */
const LN2_HIGH: usize = 8;
const LN2_LOW: usize = 16;
const INVERSE_LN2: usize = 24;
/** Below it no multiple of ln 2 is taken off: half of ln 2, as far as the upper word tells. */
const NO_REDUCTION: usize = 32;
/** 2^-28: below it exp(x) is 1 + x, tanh(x) is x. */
const TINY: usize = 40;
/** Its last bits are an integer's, once that is added. */
const INTEGER: usize = 48;
const SIGN: usize = 56;
const HALF: usize = 64;
const ONE: usize = 72;
const TWO: usize = 80;
const MINUS_TWO: usize = 88;
const THREE: usize = 96;
const FOUR: usize = 104;
const SIX: usize = 112;
const TWENTY: usize = 120;
const TWENTY_TWO: usize = 128;
const FIFTY_SIX: usize = 136;
const MINUS_ONE: usize = 144;
const LARGEST: usize = 152;
const SMALLEST: usize = 160;
/** Up to it 2^k is one number. */
const ORDINARY: usize = 168;
const OVERFLOW: usize = 176;
const UNDERFLOW: usize = 184;
const INFINITE: usize = 192;
const E: usize = 200;
/** Five coefficients of exp, then five of expm1, the highest power first. */
const EXP: usize = 208;
const EXPM1: usize = 248;

/** Writes the constants to their places: once, before anything else here is called. */
export function constants(): void {
  store<f64>(LN2_HIGH, 6.93147180369123816490e-1);
  store<f64>(LN2_LOW, 1.90821492927058770002e-10);
  store<f64>(INVERSE_LN2, 1.44269504088896338700);
  store<i64>(NO_REDUCTION, 0x3fd62e4300000000);
  store<f64>(TINY, 3.725290298461914e-9);
  store<f64>(INTEGER, 6755399441055744.0);
  store<f64>(SIGN, -0.0);
  store<f64>(HALF, 0.5);
  store<f64>(ONE, 1);
  store<f64>(TWO, 2);
  store<f64>(MINUS_TWO, -2);
  store<f64>(THREE, 3);
  store<f64>(FOUR, 4);
  store<f64>(SIX, 6);
  store<f64>(TWENTY, 20);
  store<f64>(TWENTY_TWO, 22);
  store<f64>(FIFTY_SIX, 56);
  store<f64>(MINUS_ONE, -1);
  store<f64>(LARGEST, 710);
  store<f64>(SMALLEST, -746);
  store<f64>(ORDINARY, 708);
  store<f64>(OVERFLOW, 7.09782712893383973096e2);
  store<f64>(UNDERFLOW, -7.45133219101941108420e2);
  store<f64>(INFINITE, Infinity);
  store<f64>(E, Math.E);
  store<f64>(EXP, 4.13813679705723846039e-8);
  store<f64>(EXP + 8, -1.65339022054652515390e-6);
  store<f64>(EXP + 16, 6.61375632143793436117e-5);
  store<f64>(EXP + 24, -2.77777777770155933842e-3);
  store<f64>(EXP + 32, 1.66666666666666019037e-1);
  store<f64>(EXPM1, -2.01099218183624371326e-7);
  store<f64>(EXPM1 + 8, 4.00821782732936239552e-6);
  store<f64>(EXPM1 + 16, -7.93650757867487942473e-5);
  store<f64>(EXPM1 + 24, 1.58730158725481460165e-3);
  store<f64>(EXPM1 + 32, -3.33333333333331316428e-2);
}

/** The constant at a place, in both lanes. */
@inline
function at(place: usize): v128 {
  return v128.load_splat<f64>(place);
}

/** 2^k for integers k from -1022 to 1023. */
@inline
function powerOfTwo(k: v128): v128 {
  const bits = i64x2.shl(f64x2.add(k, at(INTEGER)), 52);
  return i64x2.add(bits, at(ONE));
}

/** The multiple of ln 2 nearest to x, in units of it. */
@inline
function multiple(x: v128, size: v128): v128 {
  const half = v128.or(at(HALF), v128.and(x, at(SIGN)));
  const k = f64x2.trunc(f64x2.add(f64x2.mul(at(INVERSE_LN2), x), half));
  return v128.andnot(k, f64x2.lt(size, at(NO_REDUCTION)));
}

/** exp of two numbers. */
@inline
function exponential(given: v128): v128 {
  // far out the result is 0 or Infinity whatever is computed; NaN stays
  const x = f64x2.pmax(f64x2.pmin(given, at(LARGEST)), at(SMALLEST));
  const size = f64x2.abs(x);
  const k = multiple(x, size);
  const high = f64x2.sub(x, f64x2.mul(k, at(LN2_HIGH)));
  const low = f64x2.mul(k, at(LN2_LOW));
  const r = f64x2.sub(high, low);
  const t = f64x2.mul(r, r);
  let p = f64x2.add(at(EXP + 8), f64x2.mul(t, at(EXP)));
  p = f64x2.add(at(EXP + 16), f64x2.mul(t, p));
  p = f64x2.add(at(EXP + 24), f64x2.mul(t, p));
  p = f64x2.add(at(EXP + 32), f64x2.mul(t, p));
  const c = f64x2.sub(r, f64x2.mul(t, p));
  const quotient = f64x2.div(f64x2.mul(r, c), f64x2.sub(at(TWO), c));
  const y = f64x2.sub(at(ONE), f64x2.sub(f64x2.sub(low, quotient), high));
  const far = v128.or(f64x2.lt(size, at(TINY)), f64x2.gt(size, at(ORDINARY)));
  if (!v128.any_true(v128.or(far, f64x2.eq(x, at(ONE))))) return f64x2.mul(y, powerOfTwo(k));
  // in two steps, the first of them exact: the result may be subnormal, or beyond 2^1023
  const first = f64x2.trunc(f64x2.mul(k, at(HALF)));
  let result = f64x2.mul(f64x2.mul(y, powerOfTwo(first)), powerOfTwo(f64x2.sub(k, first)));
  result = v128.bitselect(f64x2.add(at(ONE), x), result, f64x2.lt(size, at(TINY)));
  result = v128.bitselect(at(E), result, f64x2.eq(x, at(ONE)));
  result = v128.bitselect(at(INFINITE), result, f64x2.gt(given, at(OVERFLOW)));
  return v128.andnot(result, f64x2.lt(given, at(UNDERFLOW)));
}

/** tanh of two numbers, by expm1(2 |x|) from 1 on and by expm1(-2 |x|) below. */
@inline
function hyperbolicTangent(given: v128): v128 {
  const size = f64x2.abs(given);
  // from 22 on the result is 1
  const x = f64x2.pmin(size, at(TWENTY_TWO));
  const small = f64x2.lt(x, at(ONE));
  const z = f64x2.mul(x, v128.bitselect(at(MINUS_TWO), at(TWO), small));
  const k = multiple(z, f64x2.add(x, x));
  const high = f64x2.sub(z, f64x2.mul(k, at(LN2_HIGH)));
  const low = f64x2.mul(k, at(LN2_LOW));
  const r = f64x2.sub(high, low);
  const c = f64x2.sub(f64x2.sub(high, r), low);
  const half = f64x2.mul(at(HALF), r);
  const square = f64x2.mul(r, half);
  let q = f64x2.add(at(EXPM1 + 8), f64x2.mul(square, at(EXPM1)));
  q = f64x2.add(at(EXPM1 + 16), f64x2.mul(square, q));
  q = f64x2.add(at(EXPM1 + 24), f64x2.mul(square, q));
  q = f64x2.add(at(EXPM1 + 32), f64x2.mul(square, q));
  q = f64x2.add(at(ONE), f64x2.mul(square, q));
  const t = f64x2.sub(at(THREE), f64x2.mul(q, half));
  let e = f64x2.mul(square, f64x2.div(f64x2.sub(q, t), f64x2.sub(at(SIX), f64x2.mul(r, t))));
  // expm1 by k: 0; -1; below -1 and above 56; up to 19; up to 56
  const plain = f64x2.sub(r, f64x2.sub(f64x2.mul(r, e), square));
  e = f64x2.sub(f64x2.sub(f64x2.mul(r, f64x2.sub(e, c)), c), square);
  const power = powerOfTwo(k);
  const rest = f64x2.sub(e, r);
  const less = f64x2.sub(f64x2.mul(f64x2.sub(at(ONE), rest), power), at(ONE));
  const minusOne = f64x2.sub(f64x2.mul(at(HALF), f64x2.sub(r, e)), at(HALF));
  let grown = v128.bitselect(plain, less, f64x2.eq(k, f64x2.splat(0)));
  grown = v128.bitselect(minusOne, grown, f64x2.eq(k, at(MINUS_ONE)));
  const sign = v128.and(given, at(SIGN));
  // the most of what networks are made of ends here; the sign of the quotient is that of -grown
  if (i64x2.all_true(v128.and(small, f64x2.ge(size, at(TINY))))) {
    const quotient = f64x2.div(grown, f64x2.add(grown, at(TWO)));
    return v128.or(v128.andnot(quotient, at(SIGN)), sign);
  }
  const inverse = powerOfTwo(f64x2.neg(k));
  const few = f64x2.mul(f64x2.sub(f64x2.sub(at(ONE), inverse), rest), power);
  const many = f64x2.mul(f64x2.add(f64x2.sub(r, f64x2.add(e, inverse)), at(ONE)), power);
  const some = v128.bitselect(few, many, f64x2.lt(k, at(TWENTY)));
  grown = v128.bitselect(some, grown, v128.andnot(f64x2.le(k, at(FIFTY_SIX)), small));
  const over = f64x2.div(v128.bitselect(f64x2.neg(grown), at(TWO), small), f64x2.add(grown, at(TWO)));
  let result = v128.bitselect(over, f64x2.sub(at(ONE), over), small);
  result = v128.bitselect(at(ONE), result, f64x2.ge(size, at(TWENTY_TWO)));
  result = v128.bitselect(size, result, v128.or(f64x2.lt(size, at(TINY)), f64x2.ne(size, size)));
  return v128.or(result, sign);
}

/** 1 / (1 + exp(-x)), with exp only of numbers <= 0. */
@inline
function logistic(x: v128): v128 {
  const e = exponential(f64x2.neg(f64x2.abs(x)));
  const positive = f64x2.ge(x, f64x2.splat(0));
  return f64x2.div(v128.bitselect(at(ONE), e, positive), f64x2.add(at(ONE), e));
}

/** Derivative of tanh: 4e/(1+e)² with e = exp(-2|x|). */
@inline
function slope(x: v128): v128 {
  const e = exponential(f64x2.mul(at(MINUS_TWO), f64x2.abs(x)));
  const sum = f64x2.add(at(ONE), e);
  return f64x2.div(f64x2.mul(at(FOUR), e), f64x2.mul(sum, sum));
}

@inline
function evaluate(kind: i32, x: v128): v128 {
  if (kind == 0) return exponential(x);
  if (kind == 1) return hyperbolicTangent(x);
  return logistic(x);
}

@inline
function each(kind: i32, out: usize, a: usize, n: i32): void {
  for (; n >= 2; n -= 2) {
    v128.store(out, evaluate(kind, v128.load(a)));
    a += 16;
    out += 16;
  }
  if (n > 0) storeLane<f64>(out, evaluate(kind, lane<f64>(a)));
}

export function exp(out: usize, a: usize, n: i32): void {
  each(0, out, a, n);
}
export function tanh(out: usize, a: usize, n: i32): void {
  each(1, out, a, n);
}
export function sigmoid(out: usize, a: usize, n: i32): void {
  each(2, out, a, n);
}

/** out = g * tanh'(x) */
export function tanhSlope(out: usize, g: usize, x: usize, n: i32): void {
  for (; n >= 2; n -= 2) {
    v128.store(out, f64x2.mul(v128.load(g), slope(v128.load(x))));
    g += 16;
    x += 16;
    out += 16;
  }
  if (n > 0) storeLane<f64>(out, f64x2.mul(lane<f64>(g), slope(lane<f64>(x))));
}
