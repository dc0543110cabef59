import type { Work } from "../engines/engine.js";
import { mlpOffsets } from "../problems/mlp.js";
import type { Mlp } from "../problems/problem.js";
import { addProduct } from "./product.js";

function fillRows(out: Float64Array, row: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i++) out.set(row, i * row.length);
}

function sumRows(out: Float64Array, a: Float64Array, rows: number): void {
  const columns = out.length;
  for (let i = 0; i < rows; i++) for (let c = 0; c < columns; c++) out[c] += a[i * columns + c];
}

/** Loss of the logits; the logits become their cotangent (softmax - onehot) / batch. */
function crossEntropy(logits: Float64Array, labels: Int32Array, batch: number, classes: number): number {
  let loss = 0;
  for (let i = 0; i < batch; i++) {
    const at = i * classes;
    let largest = -Infinity;
    for (let c = 0; c < classes; c++) largest = Math.max(largest, logits[at + c]);
    const chosen = logits[at + labels[i]] - largest;
    let sum = 0;
    for (let c = 0; c < classes; c++) {
      const e = Math.exp(logits[at + c] - largest);
      logits[at + c] = e;
      sum += e;
    }
    loss += Math.log(sum) - chosen;
    const scale = 1 / (sum * batch);
    for (let c = 0; c < classes; c++) logits[at + c] *= scale;
    logits[at + labels[i]] -= 1 / batch;
  }
  return loss / batch;
}

function tanhAll(h: Float64Array): void {
  for (let i = 0; i < h.length; i++) h[i] = Math.tanh(h[i]);
}

/** hBar becomes the cotangent of tanh's operand. */
function tanhBack(hBar: Float64Array, h: Float64Array): void {
  for (let i = 0; i < h.length; i++) hBar[i] *= 1 - h[i] * h[i];
}

export function handMlp(problem: Mlp): Work {
  const { inputs, hidden, classes, batch, x, labels, parameters } = problem;
  const { b1, w2, b2 } = mlpOffsets(problem);
  const W1 = parameters.subarray(0, b1);
  const B1 = parameters.subarray(b1, w2);
  const W2 = parameters.subarray(w2, b2);
  const B2 = parameters.subarray(b2);
  const gradient = new Float64Array(parameters.length);
  const dW1 = gradient.subarray(0, b1);
  const dB1 = gradient.subarray(b1, w2);
  const dW2 = gradient.subarray(w2, b2);
  const dB2 = gradient.subarray(b2);
  const h = new Float64Array(batch * hidden);
  const logits = new Float64Array(batch * classes);
  const hBar = new Float64Array(batch * hidden);

  return {
    run() {
      fillRows(h, B1, batch);
      addProduct(h, x, inputs, 1, W1, hidden, 1, batch, hidden, inputs);
      tanhAll(h);
      fillRows(logits, B2, batch);
      addProduct(logits, h, hidden, 1, W2, classes, 1, batch, classes, hidden);
      const value = crossEntropy(logits, labels, batch, classes);

      gradient.fill(0);
      sumRows(dB2, logits, batch);
      addProduct(dW2, h, 1, hidden, logits, classes, 1, hidden, classes, batch);
      hBar.fill(0);
      addProduct(hBar, logits, classes, 1, W2, 1, classes, batch, hidden, classes);
      tanhBack(hBar, h);
      sumRows(dB1, hBar, batch);
      addProduct(dW1, x, 1, inputs, hBar, hidden, 1, inputs, hidden, batch);
      return { value, gradient };
    },
  };
}
