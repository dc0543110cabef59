/**
 * sin and cos as Sun's fdlibm (1993) computes them, each operation rounded in the same order: the same bits as Math where the
 * host's Math is fdlibm too, and no call out of the module. The host tries that on some numbers and says so (`own`);
 * until then, and for arguments beyond 2^19 pi, Math is called.
 */
import * as math from "./math";

const S1: f64 = -1.66666666666666324348e-1;
const S2: f64 = 8.33333333332248946124e-3;
const S3: f64 = -1.98412698298579493134e-4;
const S4: f64 = 2.75573137070700676789e-6;
const S5: f64 = -2.50507602534068634195e-8;
const S6: f64 = 1.58969099521155010221e-10;
const C1: f64 = 4.16666666666666019037e-2;
const C2: f64 = -1.38888888888741095749e-3;
const C3: f64 = 2.48015872894767294178e-5;
const C4: f64 = -2.75573143513906633035e-7;
const C5: f64 = 2.08757232129817482790e-9;
const C6: f64 = -1.13596475577881948265e-11;

/** pi/2 in parts of 33 bits, each with what is left of pi/2 after it. */
const P1: f64 = 1.57079632673412561417;
const P1_REST: f64 = 6.07710050650619224932e-11;
const P2: f64 = 6.07710050630396597660e-11;
const P2_REST: f64 = 2.02226624879595063154e-21;
const P3: f64 = 2.02226624871116645580e-21;
const P3_REST: f64 = 8.47842766036889956997e-32;
const TWO_OVER_PI: f64 = 6.36619772367581382433e-1;

let use: bool = false;

/** Whether sin and cos are computed here. */
export function own(yes: bool): void {
  use = yes;
}

@inline
function upper(x: f64): i32 {
  return <i32>(reinterpret<i64>(x) >> 32);
}

/** sin(x + y) for |x| up to pi/4 and a small y. */
@inline
function sine(x: f64, y: f64): f64 {
  const z = x * x;
  const v = z * x;
  const r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
  return x - (z * (0.5 * y - v * r) - y - v * S1);
}

/** The same without y, in fewer roundings. */
@inline
function plainSine(x: f64): f64 {
  // below 2^-27 it is x
  if ((upper(x) & 0x7fffffff) < 0x3e400000) return x;
  const z = x * x;
  const v = z * x;
  const r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
  return x + v * (S1 + z * r);
}

/** cos(x + y) for |x| up to pi/4 and a small y. */
@inline
function cosine(x: f64, y: f64): f64 {
  const size = upper(x) & 0x7fffffff;
  if (size < 0x3e400000) return 1;
  const z = x * x;
  const r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
  if (size < 0x3fd33333) return 1 - (0.5 * z - (z * r - x * y));
  // about x / 4, so that 1 less it is exact
  const q: f64 = size > 0x3fe90000 ? 0.28125 : reinterpret<f64>((<i64>(size - 0x00200000)) << 32);
  return 1 - q - (0.5 * z - q - (z * r - x * y));
}

let rest: f64 = 0;
let tail: f64 = 0;

/** x less its nearest multiple of pi/2, as `rest` and `tail`; the answer is the multiple. */
function reduce(x: f64): i32 {
  const high = upper(x);
  const size = high & 0x7fffffff;
  if (size < 0x4002d97c) {
    // below 3 pi/4: once pi/2, in more parts where x is next to it
    const near = size == 0x3ff921fb;
    const sign: f64 = high > 0 ? 1 : -1;
    let z = x - sign * P1;
    if (near) z -= sign * P2;
    const less = sign * (near ? P2_REST : P1_REST);
    rest = z - less;
    tail = z - rest - less;
    return high > 0 ? 1 : -1;
  }
  const t = abs<f64>(x);
  const n = <i32>(t * TWO_OVER_PI + 0.5);
  const fn = <f64>n;
  let r = t - fn * P1;
  let w = fn * P1_REST;
  const j = size >> 20;
  let y = r - w;
  if (j - ((upper(y) >> 20) & 0x7ff) > 16) {
    const s = r;
    w = fn * P2;
    r = s - w;
    w = fn * P2_REST - (s - r - w);
    y = r - w;
    if (j - ((upper(y) >> 20) & 0x7ff) > 49) {
      const u = r;
      w = fn * P3;
      r = u - w;
      w = fn * P3_REST - (u - r - w);
      y = r - w;
    }
  }
  const z = r - y - w;
  rest = high < 0 ? -y : y;
  tail = high < 0 ? -z : z;
  return high < 0 ? -n : n;
}

export function sin(x: f64): f64 {
  const size = upper(x) & 0x7fffffff;
  if (!use || size > 0x413921fb) return math.sin(x);
  if (size <= 0x3fe921fb) return plainSine(x);
  const n = reduce(x);
  const y = n & 1 ? cosine(rest, tail) : sine(rest, tail);
  return n & 2 ? -y : y;
}

export function cos(x: f64): f64 {
  const size = upper(x) & 0x7fffffff;
  if (!use || size > 0x413921fb) return math.cos(x);
  if (size <= 0x3fe921fb) return cosine(x, 0);
  const n = reduce(x);
  const y = n & 1 ? sine(rest, tail) : cosine(rest, tail);
  return (n + 1) & 2 ? -y : y;
}
