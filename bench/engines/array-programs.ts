/** The problems over tensors; inputs are named blocks of the parameters, in their order. */
import { add, crossEntropy, log, mul, sub, Tensor } from "../../engine/index.js";
import { gmmOffsets, lowerTriangle } from "../problems/gmm.js";
import { lstmOffsets } from "../problems/lstm.js";
import { mlpOffsets } from "../problems/mlp.js";
import type { Gmm, Lstm, Mlp, Problem, Rosenbrock } from "../problems/problem.js";

export interface ArrayProgram {
  readonly inputs: Readonly<Record<string, Tensor>>;
  value(inputs: Readonly<Record<string, Tensor>>): number;
}

const plain = (data: Float64Array, ...shape: number[]): Tensor => new Tensor({ shape, data });

function rosenbrock({ n, parameters }: Rosenbrock): ArrayProgram {
  return {
    inputs: { x: plain(parameters, n) },
    value({ x }) {
      const left = x.slice([[null, -1]]);
      const a = left.sub(1).square();
      const b = x
        .slice([[1]])
        .sub(left.square())
        .square();
      return a.add(b.mul(100)).sum();
    },
  };
}

function mlp(problem: Mlp): ArrayProgram {
  const { inputs, hidden, classes, batch, x: data, labels, parameters: p } = problem;
  const { b1, w2, b2 } = mlpOffsets(problem);
  const x = plain(data, batch, inputs);
  const target = Array.from(labels);
  return {
    inputs: {
      W1: plain(p.slice(0, b1), inputs, hidden),
      B1: plain(p.slice(b1, w2), hidden),
      W2: plain(p.slice(w2, b2), hidden, classes),
      B2: plain(p.slice(b2), classes),
    },
    value({ W1, B1, W2, B2 }) {
      const h = x.matmul(W1).add(B1).tanh();
      const logits = h.matmul(W2).add(B2);
      return crossEntropy(logits, target);
    },
  };
}

function gmm(problem: Gmm): ArrayProgram {
  const { d, k, n, x: data, m, gamma, constant, parameters: p } = problem;
  const at = gmmOffsets(problem);
  const lower = lowerTriangle(d);
  const x = plain(data, n, d);
  const spread = plain(lower.spread, at.triangle, d * d);
  const eye = plain(lower.eye, 1, d, d);
  return {
    inputs: {
      alpha: plain(p.slice(0, k), k),
      mu: plain(p.slice(at.mu, at.q), k, 1, d),
      q: plain(p.slice(at.q, at.l), k, d),
      l: plain(p.slice(at.l), k, at.triangle),
    },
    value({ alpha, mu, q, l }) {
      const diagonal = q.exp();
      const sumQ = q.sum({ axis: 1 });
      const below = l.matmul(spread).reshape([k, d, d]);
      const Q = below.add(diagonal.reshape([k, d, 1]).mul(eye));
      const muQ = Q.mul(mu).sum({ axis: 2 });
      const xQ = x.matmul(Q.reshape([k * d, d]).transpose());
      const y = xQ.sub(muQ.reshape([1, k * d])).reshape([n, k, d]);
      const exponent = alpha.add(sumQ).sub(y.square().sum({ axis: 2 }).mul(0.5));
      const points = exponent.logsumexp({ axis: 1 }).sum();
      const mixture = mul(alpha.logsumexp(), n);
      const squares = add(diagonal.square().sum(), l.square().sum());
      const prior = sub(mul(squares, 0.5 * gamma * gamma), mul(sumQ.sum(), m));
      return add(sub(sub(points, mixture), prior), constant);
    },
  };
}

function lstm(problem: Lstm): ArrayProgram {
  const { layers, b, c, state, sequence, parameters: p } = problem;
  const at = lstmOffsets(problem);
  const row = (from: Float64Array, i: number): Tensor => plain(from.slice(i * b, (i + 1) * b), b);
  const bits = Array.from({ length: c }, (_, i) => row(sequence, i));
  const golds = bits.map((_, i) => sequence.slice(i * b, (i + 1) * b).reduce((sum, x) => sum + x, 0));
  const start = Array.from({ length: 2 * layers }, (_, i) => row(state, i));
  return {
    inputs: { main: plain(p.slice(0, at.scale), 8 * layers, b), extra: plain(p.slice(at.scale), 3, b) },
    value({ main, extra }) {
      const weights = Array.from({ length: 8 * layers }, (_, i) => main.at(i));
      const [scale, out, bias] = [0, 1, 2].map((i) => extra.at(i));
      const hidden = start.filter((_, i) => i % 2 === 0);
      const cell = start.filter((_, i) => i % 2 === 1);
      let total = 0;
      for (let step = 0; step + 1 < c; step++) {
        let flow = scale.mul(bits[step]);
        for (let i = 0; i < layers; i++) {
          const [wf, wi, wo, wc, bf, bi, bo, bc] = weights.slice(8 * i, 8 * i + 8);
          const forget = flow.mul(wf).add(bf).sigmoid();
          const ingate = wi.mul(hidden[i]).add(bi).sigmoid();
          const outgate = flow.mul(wo).add(bo).sigmoid();
          const change = wc.mul(hidden[i]).add(bc).tanh();
          cell[i] = forget.mul(cell[i]).add(ingate.mul(change));
          hidden[i] = flow = outgate.mul(cell[i].tanh());
        }
        const y = flow.mul(out).add(bias);
        const normaliser = log(add(y.exp().sum(), 2));
        const term = sub(y.mul(bits[step + 1]).sum(), mul(normaliser, golds[step + 1]));
        total = add(total, term);
      }
      return mul(total, -1 / ((c - 1) * b));
    },
  };
}

/** Null for the chain, which has no arrays in it. */
export function arrayProgram(problem: Problem): ArrayProgram | null {
  switch (problem.kind) {
    case "rosenbrock":
      return rosenbrock(problem);
    case "mlp":
      return mlp(problem);
    case "gmm":
      return gmm(problem);
    case "lstm":
      return lstm(problem);
    case "chain":
      return null;
  }
}
