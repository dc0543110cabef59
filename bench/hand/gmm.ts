import type { Work } from "../engines/engine.js";
import { gmmOffsets } from "../problems/gmm.js";
import type { Gmm } from "../problems/problem.js";

/** Views of the parameters and of the gradient, and room for one point. */
interface Blocks {
  readonly alpha: Float64Array;
  readonly mu: Float64Array;
  readonly q: Float64Array;
  readonly l: Float64Array;
}

interface Room {
  /** exp q, [k][d] */
  readonly diagonal: Float64Array;
  /** alpha + sum q, [k] */
  readonly shift: Float64Array;
  readonly weight: Float64Array;
  /** x - mu and Q (x - mu), [k][d] */
  readonly centred: Float64Array;
  readonly y: Float64Array;
}

function blocks(problem: Gmm, all: Float64Array): Blocks {
  const at = gmmOffsets(problem);
  return {
    alpha: all.subarray(0, at.mu),
    mu: all.subarray(at.mu, at.q),
    q: all.subarray(at.q, at.l),
    l: all.subarray(at.l),
  };
}

/** exp q and the shifts; value and gradient of -sum_k gamma^2 / 2 |Q_k|^2 + m sum q_k. */
function prior(d: number, g2: number, m: number, p: Blocks, bar: Blocks, room: Room): number {
  const { alpha, q, l } = p;
  const { diagonal, shift } = room;
  let value = 0;
  for (let k = 0; k < alpha.length; k++) {
    let sum = alpha[k];
    for (let i = k * d; i < (k + 1) * d; i++) {
      sum += q[i];
      diagonal[i] = Math.exp(q[i]);
      const square = diagonal[i] * diagonal[i];
      value -= 0.5 * g2 * square - m * q[i];
      bar.q[i] -= g2 * square - m;
    }
    shift[k] = sum;
  }
  for (let i = 0; i < l.length; i++) {
    value -= 0.5 * g2 * l[i] * l[i];
    bar.l[i] -= g2 * l[i];
  }
  return value;
}

/**
 * sum_i lse_k and its gradient: for point x and Gaussian k with y = Q (x - mu) and softmax weight w, the cotangent of y is
 * -w y, from which those of mu, q and l follow.
 */
function points(n: number, d: number, x: Float64Array, p: Blocks, bar: Blocks, room: Room): number {
  const { mu, l } = p;
  const { alpha: alphaBar, mu: muBar, q: qBar, l: lBar } = bar;
  const { diagonal, shift, weight, centred, y } = room;
  const kinds = shift.length;
  const triangle = (d * (d - 1)) / 2;
  let value = 0;
  for (let i = 0; i < n; i++) {
    let largest = -Infinity;
    for (let k = 0; k < kinds; k++) {
      const from = k * d;
      for (let r = 0; r < d; r++) {
        const c = x[i * d + r] - mu[from + r];
        centred[from + r] = c;
        y[from + r] = diagonal[from + r] * c;
      }
      let entry = k * triangle;
      for (let column = 0; column < d; column++) {
        const c = centred[from + column];
        for (let row = from + column + 1; row < from + d; row++) y[row] += l[entry++] * c;
      }
      let square = 0;
      for (let r = from; r < from + d; r++) square += y[r] * y[r];
      const exponent = shift[k] - 0.5 * square;
      weight[k] = exponent;
      if (exponent > largest) largest = exponent;
    }
    let sum = 0;
    for (let k = 0; k < kinds; k++) {
      const e = Math.exp(weight[k] - largest);
      weight[k] = e;
      sum += e;
    }
    value += largest + Math.log(sum);
    const scale = 1 / sum;
    for (let k = 0; k < kinds; k++) {
      const w = weight[k] * scale;
      const from = k * d;
      let entry = k * triangle;
      for (let column = from; column < from + d; column++) {
        const c = centred[column];
        let paid = -w * y[column] * diagonal[column];
        qBar[column] += paid * c + w;
        for (let row = column + 1; row < from + d; row++) {
          const yBar = -w * y[row];
          lBar[entry] += yBar * c;
          paid += yBar * l[entry];
          entry++;
        }
        muBar[column] -= paid;
      }
      alphaBar[k] += w;
    }
  }
  return value;
}

/** n lse(alpha), subtracted. */
function mixture(n: number, alpha: Float64Array, alphaBar: Float64Array): number {
  let largest = -Infinity;
  for (let k = 0; k < alpha.length; k++) largest = Math.max(largest, alpha[k]);
  let sum = 0;
  for (let k = 0; k < alpha.length; k++) sum += Math.exp(alpha[k] - largest);
  for (let k = 0; k < alpha.length; k++) alphaBar[k] -= (n * Math.exp(alpha[k] - largest)) / sum;
  return -n * (largest + Math.log(sum));
}

export function handGmm(problem: Gmm): Work {
  const { d, k, n, x, m, gamma, constant, parameters } = problem;
  const gradient = new Float64Array(parameters.length);
  const p = blocks(problem, parameters);
  const bar = blocks(problem, gradient);
  const room: Room = {
    diagonal: new Float64Array(k * d),
    shift: new Float64Array(k),
    weight: new Float64Array(k),
    centred: new Float64Array(k * d),
    y: new Float64Array(k * d),
  };
  return {
    run() {
      gradient.fill(0);
      let value = constant + prior(d, gamma * gamma, m, p, bar, room);
      value += points(n, d, x, p, bar, room);
      value += mixture(n, p.alpha, bar.alpha);
      return { value, gradient };
    },
  };
}
