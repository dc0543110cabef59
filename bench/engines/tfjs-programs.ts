/** The problems over tfjs tensors. */
import type { Tf, TfTensor } from "../peers/tfjs.js";
import { gmmOffsets, lowerTriangle } from "../problems/gmm.js";
import { lstmOffsets } from "../problems/lstm.js";
import { mlpOffsets } from "../problems/mlp.js";
import type { Chain, Gmm, Lstm, Mlp, Problem, Rosenbrock } from "../problems/problem.js";

type Program = (x: TfTensor) => TfTensor;

const f32 = (values: ArrayLike<number>): Float32Array => Float32Array.from(values);

function rosenbrock(tf: Tf, { n }: Rosenbrock): Program {
  return (x) => {
    const left = tf.slice(x, 0, n - 1);
    const a = tf.sub(1, left);
    const b = tf.sub(tf.slice(x, 1, n - 1), tf.square(left));
    return tf.sum(tf.add(tf.square(a), tf.mul(tf.square(b), 100)));
  };
}

function chain(tf: Tf, { length }: Chain): Program {
  return (x) => {
    const [start, a, b] = [0, 1, 2].map((i) => tf.reshape(tf.slice(x, i, 1), []));
    let s = start;
    for (let i = 0; i < length; i++) s = i % 3 === 0 ? tf.sin(s) : i % 3 === 1 ? tf.mul(s, a) : tf.add(s, b);
    return s;
  };
}

function mlp(tf: Tf, problem: Mlp): Program {
  const { inputs, hidden, classes, batch, x: data, labels } = problem;
  const { b1, w2, b2 } = mlpOffsets(problem);
  const x = tf.tensor(f32(data), [batch, inputs]);
  const onehot = new Float32Array(batch * classes);
  labels.forEach((label, i) => (onehot[i * classes + label] = 1));
  const chosen = tf.tensor(onehot, [batch, classes]);
  return (p) => {
    const block = (from: number, shape: number[]): TfTensor =>
      tf.reshape(
        tf.slice(
          p,
          from,
          shape.reduce((a, b) => a * b, 1),
        ),
        shape,
      );
    const h = tf.tanh(tf.add(tf.matMul(x, block(0, [inputs, hidden])), block(b1, [hidden])));
    const logits = tf.add(tf.matMul(h, block(w2, [hidden, classes])), block(b2, [classes]));
    return tf.mul(tf.sub(tf.sum(tf.logSumExp(logits, 1)), tf.sum(tf.mul(logits, chosen))), 1 / batch);
  };
}

function gmm(tf: Tf, problem: Gmm): Program {
  const { d, k, n, x: data, m, gamma, constant } = problem;
  const at = gmmOffsets(problem);
  const x = tf.tensor(f32(data), [n, d]);
  const lower = lowerTriangle(d);
  const spread = tf.tensor(f32(lower.spread), [at.triangle, d * d]);
  const eye = tf.tensor(f32(lower.eye), [1, d, d]);
  return (p) => {
    const alpha = tf.slice(p, 0, k);
    const mu = tf.reshape(tf.slice(p, at.mu, k * d), [k, d]);
    const q = tf.reshape(tf.slice(p, at.q, k * d), [k, d]);
    const l = tf.reshape(tf.slice(p, at.l, k * at.triangle), [k, at.triangle]);
    const diagonal = tf.exp(q);
    const sumQ = tf.sum(q, 1);
    const Q = tf.add(
      tf.reshape(tf.matMul(l, spread), [k, d, d]),
      tf.mul(tf.reshape(diagonal, [k, d, 1]), eye),
    );
    // y = x Q^T - mu Q^T, [k][n][d]: one product of all points with every Q
    const xQ = tf.matMul(x, tf.reshape(Q, [k * d, d]), false, true);
    const muQ = tf.sum(tf.mul(Q, tf.reshape(mu, [k, 1, d])), 2);
    const y = tf.reshape(tf.sub(xQ, tf.reshape(muQ, [1, k * d])), [n, k, d]);
    const exponent = tf.sub(tf.add(alpha, sumQ), tf.mul(tf.sum(tf.square(y), 2), 0.5));
    const mixture = tf.mul(tf.logSumExp(alpha), n);
    const squares = tf.add(tf.sum(tf.square(diagonal)), tf.sum(tf.square(l)));
    const prior = tf.sub(tf.mul(squares, 0.5 * gamma * gamma), tf.mul(tf.sum(sumQ), m));
    return tf.add(tf.sub(tf.sub(tf.sum(tf.logSumExp(exponent, 1)), mixture), prior), constant);
  };
}

function lstm(tf: Tf, problem: Lstm): Program {
  const { layers, b, c, state, sequence } = problem;
  const at = lstmOffsets(problem);
  const row = (from: Float64Array, i: number): Float32Array => f32(from.subarray(i * b, (i + 1) * b));
  const rows = Array.from({ length: c }, (_, i) => tf.tensor(row(sequence, i), [b]));
  const golds = rows.map((_, i) => row(sequence, i).reduce((sum, x) => sum + x, 0));
  const start = Array.from({ length: 2 * layers }, (_, i) => tf.tensor(row(state, i), [b]));
  return (p) => {
    const weights = Array.from({ length: 8 * layers }, (_, i) => tf.slice(p, i * b, b));
    const [scale, out, bias] = [at.scale, at.out, at.bias].map((from) => tf.slice(p, from, b));
    const hidden = start.filter((_, i) => i % 2 === 0);
    const cell = start.filter((_, i) => i % 2 === 1);
    let total: TfTensor | null = null;
    for (let step = 0; step + 1 < c; step++) {
      let flow = tf.mul(rows[step], scale);
      for (let i = 0; i < layers; i++) {
        const [wf, wi, wo, wc, bf, bi, bo, bc] = weights.slice(8 * i, 8 * i + 8);
        const forget = tf.sigmoid(tf.add(tf.mul(flow, wf), bf));
        const ingate = tf.sigmoid(tf.add(tf.mul(hidden[i], wi), bi));
        const outgate = tf.sigmoid(tf.add(tf.mul(flow, wo), bo));
        const change = tf.tanh(tf.add(tf.mul(hidden[i], wc), bc));
        cell[i] = tf.add(tf.mul(cell[i], forget), tf.mul(ingate, change));
        hidden[i] = flow = tf.mul(outgate, tf.tanh(cell[i]));
      }
      const y = tf.add(tf.mul(flow, out), bias);
      const normaliser = tf.log(tf.add(tf.sum(tf.exp(y)), 2));
      const term = tf.sub(tf.sum(tf.mul(y, rows[step + 1])), tf.mul(normaliser, golds[step + 1]));
      total = total === null ? term : tf.add(total, term);
    }
    return tf.mul(total!, -1 / ((c - 1) * b));
  };
}

export function tfProgram(tf: Tf, problem: Problem): Program {
  switch (problem.kind) {
    case "rosenbrock":
      return rosenbrock(tf, problem);
    case "mlp":
      return mlp(tf, problem);
    case "gmm":
      return gmm(tf, problem);
    case "lstm":
      return lstm(tf, problem);
    case "chain":
      return chain(tf, problem);
  }
}
