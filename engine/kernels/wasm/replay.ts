/**
 * Replay of a scalar tape and its reverse sweep. Constants stand in front of the nodes' values, the last one first, so
 * that an operand reference, node or `~constant`, is an index from the first node without a test; contributions to
 * constants end in slots that nothing reads.
 */

@external("math", "exp")
declare function exp(x: f64): f64;
@external("math", "expm1")
declare function expm1(x: f64): f64;
@external("math", "log")
declare function log(x: f64): f64;
@external("math", "log1p")
declare function log1p(x: f64): f64;
@external("math", "log2")
declare function log2(x: f64): f64;
@external("math", "log10")
declare function log10(x: f64): f64;
@external("math", "tanh")
declare function tanh(x: f64): f64;
@external("math", "sin")
declare function sin(x: f64): f64;
@external("math", "cos")
declare function cos(x: f64): f64;
@external("math", "tan")
declare function tan(x: f64): f64;
@external("math", "asin")
declare function asin(x: f64): f64;
@external("math", "acos")
declare function acos(x: f64): f64;
@external("math", "atan")
declare function atan(x: f64): f64;
@external("math", "sinh")
declare function sinh(x: f64): f64;
@external("math", "cosh")
declare function cosh(x: f64): f64;
@external("math", "asinh")
declare function asinh(x: f64): f64;
@external("math", "acosh")
declare function acosh(x: f64): f64;
@external("math", "atanh")
declare function atanh(x: f64): f64;
@external("math", "cbrt")
declare function cbrt(x: f64): f64;
@external("math", "pow")
declare function pow(x: f64, y: f64): f64;
@external("math", "atan2")
declare function atan2(x: f64, y: f64): f64;

/** Value of a node that is not run here. */
@external("js", "evaluate")
declare function evaluate(node: i32): f64;
/** Adds the contributions of a node that is not run here to its operands' cotangents. */
@external("js", "pull")
declare function pull(node: i32): void;

@inline
function at(base: usize, reference: i32): usize {
  return base + (<usize>reference << 3);
}

/** The functions, by their codes. */
function call(code: i32, x: f64): f64 {
  switch (code) {
    case 64:
      return exp(x);
    case 65:
      return expm1(x);
    case 66:
      return log(x);
    case 67:
      return log1p(x);
    case 68:
      return log2(x);
    case 69:
      return log10(x);
    case 70:
      return tanh(x);
    case 71: {
      const e = exp(-abs<f64>(x));
      return x >= 0 ? 1 / (1 + e) : e / (1 + e);
    }
    case 72: {
      const tail = log1p(exp(-abs<f64>(x)));
      return x > 0 ? x + tail : tail;
    }
    case 73:
      return sin(x);
    case 74:
      return cos(x);
    case 75:
      return tan(x);
    case 76:
      return asin(x);
    case 77:
      return acos(x);
    case 78:
      return atan(x);
    case 79:
      return sinh(x);
    case 80:
      return cosh(x);
    case 81:
      return asinh(x);
    case 82:
      return acosh(x);
    case 83:
      return atanh(x);
    default:
      return cbrt(x);
  }
}

/** Values of the nodes [from, to); `base` is the place of node 0's value. */
export function forward(codes: usize, as: usize, bs: usize, base: usize, from: i32, to: i32): void {
  for (let v = from; v < to; v++) {
    const code = <i32>load<u8>(codes + v);
    const a = at(base, load<i32>(as + (<usize>v << 2)));
    const out = at(base, v);
    switch (code) {
      case 0:
        store<f64>(out, load<f64>(a) + load<f64>(at(base, load<i32>(bs + (<usize>v << 2)))));
        break;
      case 1:
        store<f64>(out, load<f64>(a) - load<f64>(at(base, load<i32>(bs + (<usize>v << 2)))));
        break;
      case 2:
        store<f64>(out, load<f64>(a) * load<f64>(at(base, load<i32>(bs + (<usize>v << 2)))));
        break;
      case 3:
        store<f64>(out, load<f64>(a) / load<f64>(at(base, load<i32>(bs + (<usize>v << 2)))));
        break;
      case 4:
        store<f64>(out, min<f64>(load<f64>(a), load<f64>(at(base, load<i32>(bs + (<usize>v << 2))))));
        break;
      case 5:
        store<f64>(out, max<f64>(load<f64>(a), load<f64>(at(base, load<i32>(bs + (<usize>v << 2))))));
        break;
      case 9:
        store<f64>(out, pow(load<f64>(a), load<f64>(at(base, load<i32>(bs + (<usize>v << 2))))));
        break;
      case 10:
        store<f64>(out, atan2(load<f64>(a), load<f64>(at(base, load<i32>(bs + (<usize>v << 2))))));
        break;
      case 16:
        store<f64>(out, -load<f64>(a));
        break;
      case 17:
        store<f64>(out, abs<f64>(load<f64>(a)));
        break;
      case 18:
        store<f64>(out, sqrt<f64>(load<f64>(a)));
        break;
      case 19: {
        const x = load<f64>(a);
        store<f64>(out, x * x);
        break;
      }
      case 21:
        store<f64>(out, 1 / load<f64>(a));
        break;
      case 22:
        store<f64>(out, floor<f64>(load<f64>(a)));
        break;
      case 23:
        store<f64>(out, ceil<f64>(load<f64>(a)));
        break;
      case 24:
        store<f64>(out, trunc<f64>(load<f64>(a)));
        break;
      case 26:
        store<f64>(out, max<f64>(load<f64>(a), 0));
        break;
      case 254:
        store<f64>(out, evaluate(v));
        break;
      case 255:
        break;
      default:
        store<f64>(out, call(code, load<f64>(a)));
    }
  }
}

@inline
function add(bar: usize, contribution: f64): void {
  store<f64>(bar, load<f64>(bar) + contribution);
}

/**
 * The reverse sweep over the nodes from `top` down to 0 that are active: each adds its contributions to its operands'
 * cotangents, slot by slot. `bars` is the place of node 0's cotangent. The rules are those of the primitive table.
 */
export function reverse(
  codes: usize,
  as: usize,
  bs: usize,
  base: usize,
  bars: usize,
  active: usize,
  top: i32,
): void {
  for (let v = top; v >= 0; v--) {
    if (!load<u8>(active + v)) continue;
    const code = <i32>load<u8>(codes + v);
    const ra = load<i32>(as + (<usize>v << 2));
    const g = load<f64>(at(bars, v));
    switch (code) {
      case 0:
        add(at(bars, ra), g);
        add(at(bars, load<i32>(bs + (<usize>v << 2))), g);
        break;
      case 1:
        add(at(bars, ra), g);
        add(at(bars, load<i32>(bs + (<usize>v << 2))), -g);
        break;
      case 2: {
        const rb = load<i32>(bs + (<usize>v << 2));
        const x = load<f64>(at(base, ra));
        add(at(bars, ra), g * load<f64>(at(base, rb)));
        add(at(bars, rb), g * x);
        break;
      }
      case 3: {
        const rb = load<i32>(bs + (<usize>v << 2));
        const y = load<f64>(at(base, v));
        const share = g / load<f64>(at(base, rb));
        add(at(bars, ra), share);
        let c = -share * y;
        // a quotient of 0 contributes 0 even where the share overflows
        if (c != c && y == 0 && g - g == 0) c = 0;
        add(at(bars, rb), c);
        break;
      }
      case 16:
        add(at(bars, ra), -g);
        break;
      case 18:
        add(at(bars, ra), (0.5 * g) / load<f64>(at(base, v)));
        break;
      case 19:
        add(at(bars, ra), g * (2 * load<f64>(at(base, ra))));
        break;
      case 21: {
        const y = load<f64>(at(base, v));
        add(at(bars, ra), -(g * y) * y);
        break;
      }
      case 64:
        add(at(bars, ra), g * load<f64>(at(base, v)));
        break;
      case 66:
        add(at(bars, ra), g / load<f64>(at(base, ra)));
        break;
      case 255:
        break;
      default:
        pull(v);
    }
  }
}
