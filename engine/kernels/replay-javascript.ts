/** Replay and its reverse sweep in JavaScript: the same operations in the same order as wasm/replay.ts. */

/** Functions of one operand, by code from 64 on. */
const functions: readonly ((x: number) => number)[] = [
  Math.exp,
  Math.expm1,
  Math.log,
  Math.log1p,
  Math.log2,
  Math.log10,
  Math.tanh,
  (x) => {
    const e = Math.exp(-Math.abs(x));
    return x >= 0 ? 1 / (1 + e) : e / (1 + e);
  },
  (x) => {
    const tail = Math.log1p(Math.exp(-Math.abs(x)));
    return x > 0 ? x + tail : tail;
  },
  Math.sin,
  Math.cos,
  Math.tan,
  Math.asin,
  Math.acos,
  Math.atan,
  Math.sinh,
  Math.cosh,
  Math.asinh,
  Math.acosh,
  Math.atanh,
  Math.cbrt,
];

/** Values of the nodes [from, to); `first` is the index of node 0's value. */
export function forward(
  codes: Uint8Array,
  as: Int32Array,
  bs: Int32Array,
  values: Float64Array,
  first: number,
  from: number,
  to: number,
  evaluate: (node: number) => number,
): void {
  for (let v = from; v < to; v++) {
    const code = codes[v];
    const out = first + v;
    switch (code) {
      case 0:
        values[out] = values[first + as[v]] + values[first + bs[v]];
        break;
      case 1:
        values[out] = values[first + as[v]] - values[first + bs[v]];
        break;
      case 2:
        values[out] = values[first + as[v]] * values[first + bs[v]];
        break;
      case 3:
        values[out] = values[first + as[v]] / values[first + bs[v]];
        break;
      case 4:
        values[out] = Math.min(values[first + as[v]], values[first + bs[v]]);
        break;
      case 5:
        values[out] = Math.max(values[first + as[v]], values[first + bs[v]]);
        break;
      case 9:
        values[out] = Math.pow(values[first + as[v]], values[first + bs[v]]);
        break;
      case 10:
        values[out] = Math.atan2(values[first + as[v]], values[first + bs[v]]);
        break;
      case 16:
        values[out] = -values[first + as[v]];
        break;
      case 17:
        values[out] = Math.abs(values[first + as[v]]);
        break;
      case 18:
        values[out] = Math.sqrt(values[first + as[v]]);
        break;
      case 19:
        values[out] = values[first + as[v]] * values[first + as[v]];
        break;
      case 21:
        values[out] = 1 / values[first + as[v]];
        break;
      case 22:
        values[out] = Math.floor(values[first + as[v]]);
        break;
      case 23:
        values[out] = Math.ceil(values[first + as[v]]);
        break;
      case 24:
        values[out] = Math.trunc(values[first + as[v]]);
        break;
      case 26:
        values[out] = Math.max(values[first + as[v]], 0);
        break;
      case 254:
        values[out] = evaluate(v);
        break;
      case 255:
        break;
      default:
        values[out] = functions[code - 64](values[first + as[v]]);
    }
  }
}

/** The reverse sweep over the active nodes from `top` down; the rules are those of the primitive table. */
export function reverse(
  codes: Uint8Array,
  as: Int32Array,
  bs: Int32Array,
  values: Float64Array,
  bars: Float64Array,
  first: number,
  active: Uint8Array,
  top: number,
  pull: (node: number) => void,
): void {
  for (let v = top; v >= 0; v--) {
    if (active[v] === 0) continue;
    const a = first + as[v];
    const b = first + bs[v];
    const g = bars[first + v];
    switch (codes[v]) {
      case 0:
        bars[a] += g;
        bars[b] += g;
        break;
      case 1:
        bars[a] += g;
        bars[b] -= g;
        break;
      case 2:
        bars[a] += g * values[b];
        bars[b] += g * values[a];
        break;
      case 3: {
        const y = values[first + v];
        const share = g / values[b];
        const c = -share * y;
        bars[a] += share;
        // a quotient of 0 contributes 0 even where the share overflows
        bars[b] += c !== c && y === 0 && Number.isFinite(g) ? 0 : c;
        break;
      }
      case 16:
        bars[a] -= g;
        break;
      case 18:
        bars[a] += (0.5 * g) / values[first + v];
        break;
      case 19:
        bars[a] += g * (2 * values[a]);
        break;
      case 21: {
        const y = values[first + v];
        bars[a] += -(g * y) * y;
        break;
      }
      case 64:
        bars[a] += g * values[first + v];
        break;
      case 66:
        bars[a] += g / values[a];
        break;
      case 255:
        break;
      default:
        pull(v);
    }
  }
}
