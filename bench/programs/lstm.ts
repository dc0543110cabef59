import type { Lstm } from "../problems/problem.js";

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

export function value({ layers, b, c, state, sequence }: Lstm, p: readonly number[]): number {
  const scale = 8 * layers * b;
  const out = scale + b;
  const bias = scale + 2 * b;
  const hidden: number[] = [];
  const cell: number[] = [];
  for (let i = 0; i < layers; i++) {
    for (let j = 0; j < b; j++) {
      hidden.push(state[2 * i * b + j]);
      cell.push(state[(2 * i + 1) * b + j]);
    }
  }
  let total = 0;
  for (let step = 0; step + 1 < c; step++) {
    const flow: number[] = [];
    for (let j = 0; j < b; j++) flow.push(sequence[step * b + j] * p[scale + j]);
    for (let i = 0; i < layers; i++) {
      const w = 8 * b * i;
      for (let j = 0; j < b; j++) {
        const at = i * b + j;
        const forget = sigmoid(flow[j] * p[w + j] + p[w + 4 * b + j]);
        const ingate = sigmoid(hidden[at] * p[w + b + j] + p[w + 5 * b + j]);
        const outgate = sigmoid(flow[j] * p[w + 2 * b + j] + p[w + 6 * b + j]);
        const change = Math.tanh(hidden[at] * p[w + 3 * b + j] + p[w + 7 * b + j]);
        cell[at] = cell[at] * forget + ingate * change;
        hidden[at] = outgate * Math.tanh(cell[at]);
        flow[j] = hidden[at];
      }
    }
    let sum = 2;
    let golds = 0;
    for (let j = 0; j < b; j++) {
      const y = flow[j] * p[out + j] + p[bias + j];
      const gold = sequence[(step + 1) * b + j];
      sum += Math.exp(y);
      total += y * gold;
      golds += gold;
    }
    total -= golds * Math.log(sum);
  }
  return -total / ((c - 1) * b);
}
