/**
 * Log posterior of a Gaussian mixture model with a Wishart prior on the precisions (GradBench `gmm`, after ADBench,
 * arXiv:1807.10129, section 4.1, with GradBench's three corrections).
 */
import { lgamma } from "backsweep";
import { logSumExp } from "./log-sum-exp.js";

/** K Gaussians in D dimensions; the arrays are flat, one component after the other. */
export interface GmmParameters {
  /** [K] the mixture's weights are softmax(alpha) */
  readonly alpha: readonly number[];
  /** [K D] means */
  readonly mu: readonly number[];
  /** [K D] logarithms of the diagonal of Q, where Q is lower triangular and the precision is Q^T Q */
  readonly q: readonly number[];
  /** [K D(D-1)/2] Q below its diagonal, column by column */
  readonly l: readonly number[];
}

export interface GmmData {
  readonly d: number;
  readonly k: number;
  /** [N][D] */
  readonly x: readonly (readonly number[])[];
  /** degrees of freedom of the Wishart prior beyond D + 1 */
  readonly m: number;
  /** precision of the Wishart prior */
  readonly gamma: number;
}

export function gmmObjective({ alpha, mu, q, l }: GmmParameters, { d, k, x, m, gamma }: GmmData): number {
  const below = (d * (d - 1)) / 2;
  const diagonal = q.map((entry) => Math.exp(entry));
  const logDeterminant: number[] = [];
  for (let c = 0; c < k; c++) {
    let trace = q[c * d];
    for (let i = 1; i < d; i++) trace += q[c * d + i];
    logDeterminant.push(trace);
  }

  let likelihood = -x.length * ((d / 2) * Math.log(2 * Math.PI) + logSumExp(alpha));
  for (const point of x) {
    const terms: number[] = [];
    for (let c = 0; c < k; c++) {
      const offset = point.map((xi, i) => xi - mu[c * d + i]);
      const whitened = offset.map((oi, i) => diagonal[c * d + i] * oi);
      let entry = c * below;
      for (let column = 0; column < d; column++) {
        for (let row = column + 1; row < d; row++) whitened[row] += l[entry++] * offset[column];
      }
      terms.push(alpha[c] + logDeterminant[c] - squaredNorm(whitened) / 2);
    }
    likelihood += logSumExp(terms);
  }

  let prior = k * wishartConstant(d, m, gamma);
  for (let c = 0; c < k; c++) {
    const frobenius =
      squaredNorm(diagonal.slice(c * d, c * d + d)) + squaredNorm(l.slice(c * below, c * below + below));
    prior += m * logDeterminant[c] - (gamma ** 2 / 2) * frobenius;
  }
  return likelihood + prior;
}

function squaredNorm(x: readonly number[]): number {
  let sum = 0;
  for (const xi of x) sum += xi * xi;
  return sum;
}

/** The part of a component's log prior that depends on no parameter. */
export function wishartConstant(d: number, m: number, gamma: number): number {
  const n = d + m + 1;
  let logGamma = ((d * (d - 1)) / 4) * Math.log(Math.PI);
  for (let j = 1; j <= d; j++) logGamma += lgamma((n + 1 - j) / 2);
  return n * d * Math.log(gamma / Math.SQRT2) - logGamma;
}
