/**
 * adnn 2.0 (MIT): a graph of objects over numbers and over tensors in double precision. In tensor form where it has the
 * operations, which is much faster than its scalars; the chain is scalar.
 */
import type { Adnn, AdnnTensor, Scalar, Tensor, TensorConstructor } from "../peers/adnn.js";
import { loadPeer } from "../peers/load.js";
import { gmmOffsets } from "../problems/gmm.js";
import { lstmOffsets } from "../problems/lstm.js";
import { mlpOffsets } from "../problems/mlp.js";
import type { Chain, Gmm, Lstm, Mlp, Outcome, Rosenbrock } from "../problems/problem.js";
import type { ScalarOps } from "../scalar/ops.js";
import { scalarProgram } from "../scalar/programs.js";
import type { Engine, Work } from "./engine.js";

const ad = loadPeer<Adnn>("adnn", "adnn/ad");
const AdTensor = loadPeer<TensorConstructor>("adnn", "adnn/tensor");
// its matrix product's backward step names a global variable that nothing sets
(globalThis as { ad?: Adnn }).ad = ad;
const { scalar: s, tensor: t } = ad;

const constant = (dims: number[], values: ArrayLike<number>): AdnnTensor =>
  new AdTensor(dims).fromFlatArray(values);
const ones = (...dims: number[]): AdnnTensor =>
  constant(dims, new Float64Array(dims.reduce((a, b) => a * b, 1)).fill(1));

/** The value by a function of one tensor; the gradient is its cotangent. */
function byTensor(parameters: Float64Array, value: (p: Tensor) => Scalar): Work {
  return {
    run(): Outcome {
      const p = ad.lift(constant([parameters.length], parameters));
      const output = value(p);
      output.backprop();
      return { value: output.x, gradient: p.dx.data };
    },
  };
}

const ops: ScalarOps<Scalar> = {
  constant: (c) => c,
  add: s.add,
  sub: s.sub,
  mul: s.mul,
  square: (a) => s.mul(a, a),
  plus: s.add,
  times: s.mul,
  from: s.sub,
  exp: s.exp,
  log: s.log,
  sin: s.sin,
  tanh: s.tanh,
  sigmoid: s.sigmoid,
  value: (a) => a.x,
};

function chain(problem: Chain): Work {
  return {
    run() {
      const inputs = Array.from(problem.parameters, (x) => ad.lift(x));
      const output = scalarProgram(ops, problem, inputs);
      output.backprop();
      return { value: output.x, gradient: Float64Array.from(inputs, (node) => node.dx) };
    },
  };
}

function rosenbrock({ n, parameters }: Rosenbrock): Work {
  return byTensor(parameters, (x) => {
    const left = t.range(x, 0, n - 1);
    const a = t.add(t.neg(left), 1);
    const b = t.sub(t.range(x, 1, n), t.mul(left, left));
    return t.sumreduce(t.add(t.mul(a, a), t.mul(t.mul(b, b), 100)));
  });
}

function mlp(problem: Mlp): Work {
  const { inputs, hidden, classes, batch, x, labels, parameters } = problem;
  const { b1, w2, b2 } = mlpOffsets(problem);
  const input = constant([batch, inputs], x);
  const column = ones(batch, 1);
  const sums = ones(classes, 1);
  const chosen = new AdTensor([batch, classes]);
  labels.forEach((label, i) => (chosen.data[i * classes + label] = 1));
  return byTensor(parameters, (p) => {
    const block = (from: number, to: number, dims: number[]): Tensor => t.reshape(t.range(p, from, to), dims);
    // a bias of every row is the product of a column of ones and the row of biases
    const h = t.tanh(
      t.add(t.dot(input, block(0, b1, [inputs, hidden])), t.dot(column, block(b1, w2, [1, hidden]))),
    );
    const logits = t.add(
      t.dot(h, block(w2, b2, [hidden, classes])),
      t.dot(column, block(b2, parameters.length, [1, classes])),
    );
    const normaliser = t.sumreduce(t.log(t.dot(t.exp(logits), sums)));
    return s.mul(s.sub(normaliser, t.sumreduce(t.mul(logits, chosen))), 1 / batch);
  });
}

/** log sum exp of numbers, shifted by the largest. */
function logSumExp(terms: readonly Scalar[]): Scalar {
  const largest = Math.max(...terms.map((term) => term.x));
  return s.add(s.log(s.sum(terms.map((term) => s.exp(s.add(term, -largest))))), largest);
}

/** The same over the columns of one number a point. */
function logSumExpOfColumns(columns: readonly Tensor[], n: number): Tensor {
  const shift = new AdTensor([n, 1]);
  shift.data.fill(-Infinity);
  for (const { x } of columns) x.data.forEach((value, i) => (shift.data[i] = Math.max(shift.data[i], value)));
  let sum: Tensor | null = null;
  for (const column of columns) {
    const term = t.exp(t.sub(column, shift));
    sum = sum === null ? term : t.add(sum, term);
  }
  return t.add(t.log(sum!), shift);
}

function gmm(problem: Gmm): Work {
  const { d, k: kinds, n, x, m, gamma, constant: rest, parameters } = problem;
  const at = gmmOffsets(problem);
  const points = constant([n, d], x);
  const column = ones(n, 1);
  const sums = ones(d, 1);
  return byTensor(parameters, (p) => {
    const alpha = Array.from({ length: kinds }, (_, k) => t.get(p, k));
    const columns: Tensor[] = [];
    const priors: Scalar[] = [];
    for (let k = 0; k < kinds; k++) {
      const q = t.range(p, at.q + k * d, at.q + (k + 1) * d);
      const diagonal = t.exp(q);
      const sumQ = t.sumreduce(q);
      const l = t.range(p, at.l + k * at.triangle, at.l + (k + 1) * at.triangle);
      // Q^T, row by row: the diagonal, and right of it a column of l
      const entries: (Scalar | number)[] = new Array<Scalar | number>(d * d).fill(0);
      let entry = 0;
      for (let row = 0; row < d; row++) {
        entries[row * d + row] = t.get(diagonal, row);
        for (let c = row + 1; c < d; c++) entries[row * d + c] = t.get(l, entry++);
      }
      const Q = t.reshape(t.fromScalars(entries), [d, d]);
      const mean = t.reshape(t.range(p, at.mu + k * d, at.mu + (k + 1) * d), [1, d]);
      const y = t.dot(t.sub(points, t.dot(column, mean)), Q);
      const square = t.dot(t.mul(y, y), sums);
      columns.push(t.add(t.mul(square, -0.5), s.add(alpha[k], sumQ)));
      const norm = s.add(t.sumreduce(t.mul(diagonal, diagonal)), t.sumreduce(t.mul(l, l)));
      priors.push(s.add(s.mul(norm, -0.5 * gamma * gamma), s.mul(sumQ, m)));
    }
    const sum = s.add(t.sumreduce(logSumExpOfColumns(columns, n)), s.sum(priors));
    return s.add(s.sub(sum, s.mul(logSumExp(alpha), n)), rest);
  });
}

function lstm(problem: Lstm): Work {
  const { layers, b, c, state, sequence, parameters } = problem;
  const at = lstmOffsets(problem);
  const rows = Array.from({ length: c }, (_, i) => constant([b], sequence.subarray(i * b, (i + 1) * b)));
  const golds = rows.map((row) => row.data.reduce((sum, x) => sum + x, 0));
  return byTensor(parameters, (p) => {
    const row = (from: number): Tensor => t.range(p, from, from + b);
    const weights = Array.from({ length: 8 * layers }, (_, i) => row(i * b));
    const [scale, out, bias] = [row(at.scale), row(at.out), row(at.bias)];
    const start = (i: number): AdnnTensor => constant([b], state.subarray(i * b, (i + 1) * b));
    const hidden: (Tensor | AdnnTensor)[] = Array.from({ length: layers }, (_, i) => start(2 * i));
    const cell: (Tensor | AdnnTensor)[] = Array.from({ length: layers }, (_, i) => start(2 * i + 1));
    const terms: Scalar[] = [];
    for (let step = 0; step + 1 < c; step++) {
      let flow = t.mul(scale, rows[step]);
      for (let i = 0; i < layers; i++) {
        const [wf, wi, wo, wc, bf, bi, bo, bc] = weights.slice(8 * i, 8 * i + 8);
        const forget = t.sigmoid(t.add(t.mul(flow, wf), bf));
        const ingate = t.sigmoid(t.add(t.mul(wi, hidden[i]), bi));
        const outgate = t.sigmoid(t.add(t.mul(flow, wo), bo));
        const change = t.tanh(t.add(t.mul(wc, hidden[i]), bc));
        const after = t.add(t.mul(forget, cell[i]), t.mul(ingate, change));
        cell[i] = after;
        hidden[i] = flow = t.mul(outgate, t.tanh(after));
      }
      const y = t.add(t.mul(flow, out), bias);
      const normaliser = s.log(s.add(t.sumreduce(t.exp(y)), 2));
      terms.push(s.sub(t.sumreduce(t.mul(y, rows[step + 1])), s.mul(normaliser, golds[step + 1])));
    }
    return s.mul(s.sum(terms), -1 / ((c - 1) * b));
  });
}

export const adnn: Engine = {
  id: "adnn",
  title: "adnn",
  precision: "f64",
  tolerance: 1e-10,
  prepare(problem) {
    switch (problem.kind) {
      case "rosenbrock":
        return Promise.resolve(rosenbrock(problem));
      case "mlp":
        return Promise.resolve(mlp(problem));
      case "gmm":
        return Promise.resolve(gmm(problem));
      case "lstm":
        return Promise.resolve(lstm(problem));
      case "chain":
        return Promise.resolve(chain(problem));
    }
  },
};
