import { gmmOffsets } from "../problems/gmm.js";
import type { Gmm } from "../problems/problem.js";
import type { ScalarOps } from "./ops.js";
import { logSumExp, sumOf } from "./sums.js";

/** -sum_k gamma^2 / 2 |Q_k|^2 - m sum q_k, without its sign. */
function priorTerms<T, C>(
  ops: ScalarOps<T, C>,
  problem: Gmm,
  p: readonly T[],
  diagonal: readonly T[],
  sums: readonly T[],
): T[] {
  const { gamma, m } = problem;
  const at = gmmOffsets(problem);
  const squares = diagonal.map((q) => ops.square(q));
  for (let i = at.l; i < p.length; i++) squares.push(ops.square(p[i]));
  const terms = [ops.times(sumOf(ops, squares), ops.constant(0.5 * gamma * gamma))];
  if (m !== 0) terms.push(ops.times(sumOf(ops, sums), ops.constant(-m)));
  return terms;
}

export function gmmProgram<T, C>(ops: ScalarOps<T, C>, problem: Gmm, p: readonly T[]): T {
  const { d, k: kinds, n, x, constant } = problem;
  const at = gmmOffsets(problem);
  const alpha = p.slice(0, kinds);
  const diagonal: T[] = [];
  const sums: T[] = [];
  const shift: T[] = [];
  for (let k = 0; k < kinds; k++) {
    const row = p.slice(at.q + k * d, at.q + (k + 1) * d);
    for (const q of row) diagonal.push(ops.exp(q));
    sums.push(sumOf(ops, row));
    shift.push(ops.add(alpha[k], sums[k]));
  }
  const half = ops.constant(0.5);
  const point: C[] = new Array<C>(d);
  const centred: T[] = new Array<T>(d);
  const y: T[] = new Array<T>(d);
  const exponent: T[] = new Array<T>(kinds);
  let total: T | null = null;
  for (let i = 0; i < n; i++) {
    for (let r = 0; r < d; r++) point[r] = ops.constant(x[i * d + r]);
    for (let k = 0; k < kinds; k++) {
      for (let r = 0; r < d; r++) {
        centred[r] = ops.from(point[r], p[at.mu + k * d + r]);
        y[r] = ops.mul(diagonal[k * d + r], centred[r]);
      }
      let entry = at.l + k * at.triangle;
      for (let column = 0; column < d; column++) {
        for (let row = column + 1; row < d; row++)
          y[row] = ops.add(y[row], ops.mul(p[entry++], centred[column]));
      }
      let square = ops.square(y[0]);
      for (let r = 1; r < d; r++) square = ops.add(square, ops.square(y[r]));
      exponent[k] = ops.sub(shift[k], ops.times(square, half));
    }
    const term = logSumExp(ops, exponent);
    total = total === null ? term : ops.add(total, term);
  }
  const prior = sumOf(ops, priorTerms(ops, problem, p, diagonal, sums));
  const mixture = ops.times(logSumExp(ops, alpha), ops.constant(n));
  return ops.plus(ops.sub(ops.sub(total!, mixture), prior), ops.constant(constant));
}
