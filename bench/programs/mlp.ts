import type { Mlp } from "../problems/problem.js";

function crossEntropy(logits: readonly number[], label: number): number {
  const largest = Math.max(...logits);
  let sum = 0;
  for (const y of logits) sum += Math.exp(y - largest);
  return Math.log(sum) + largest - logits[label];
}

export function value({ inputs, hidden, classes, batch, x, labels }: Mlp, p: readonly number[]): number {
  const b1 = inputs * hidden;
  const w2 = b1 + hidden;
  const b2 = w2 + hidden * classes;
  let loss = 0;
  for (let i = 0; i < batch; i++) {
    const h: number[] = [];
    for (let j = 0; j < hidden; j++) {
      let sum = p[b1 + j];
      for (let c = 0; c < inputs; c++) sum += x[i * inputs + c] * p[c * hidden + j];
      h.push(Math.tanh(sum));
    }
    const logits: number[] = [];
    for (let c = 0; c < classes; c++) {
      let sum = p[b2 + c];
      for (let j = 0; j < hidden; j++) sum += h[j] * p[w2 + j * classes + c];
      logits.push(sum);
    }
    loss += crossEntropy(logits, labels[i]);
  }
  return loss / batch;
}
