import type { Gmm } from "../problems/problem.js";

function logSumExp(terms: readonly number[]): number {
  let largest = terms[0];
  for (const term of terms) if (term > largest) largest = term;
  let sum = 0;
  for (const term of terms) sum += Math.exp(term - largest);
  return Math.log(sum) + largest;
}

export function value({ d, k: kinds, n, x, m, gamma, constant }: Gmm, p: readonly number[]): number {
  const triangle = (d * (d - 1)) / 2;
  const mu = kinds;
  const q = mu + kinds * d;
  const l = q + kinds * d;
  const diagonal: number[] = [];
  const shift: number[] = [];
  let prior = 0;
  for (let k = 0; k < kinds; k++) {
    let sum = 0;
    let square = 0;
    for (let r = 0; r < d; r++) {
      sum += p[q + k * d + r];
      const e = Math.exp(p[q + k * d + r]);
      square += e * e;
      diagonal.push(e);
    }
    for (let i = l + k * triangle; i < l + (k + 1) * triangle; i++) square += p[i] * p[i];
    shift.push(p[k] + sum);
    prior += 0.5 * gamma * gamma * square - m * sum;
  }
  let total = 0;
  const y: number[] = new Array<number>(d);
  const centred: number[] = new Array<number>(d);
  const exponents: number[] = new Array<number>(kinds);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < kinds; k++) {
      for (let r = 0; r < d; r++) {
        centred[r] = x[i * d + r] - p[mu + k * d + r];
        y[r] = diagonal[k * d + r] * centred[r];
      }
      let entry = l + k * triangle;
      for (let column = 0; column < d; column++)
        for (let row = column + 1; row < d; row++) y[row] += p[entry++] * centred[column];
      let square = 0;
      for (let r = 0; r < d; r++) square += y[r] * y[r];
      exponents[k] = shift[k] - 0.5 * square;
    }
    total += logSumExp(exponents);
  }
  return total - n * logSumExp(p.slice(0, kinds)) - prior + constant;
}
