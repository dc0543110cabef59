/** The problems over jax-js arrays. */
import type { Jax, JaxArray } from "../peers/jax-js.js";
import { gmmOffsets, lowerTriangle } from "../problems/gmm.js";
import { lstmOffsets } from "../problems/lstm.js";
import { mlpOffsets } from "../problems/mlp.js";
import type { Chain, Gmm, Lstm, Mlp, Problem, Rosenbrock } from "../problems/problem.js";

type Program = (x: JaxArray) => JaxArray;
/** A constant in the precision of the run. */
type Constant = (values: ArrayLike<number>, shape: number[]) => JaxArray;

function rosenbrock({ numpy: np }: Jax, { n }: Rosenbrock): Program {
  return (x) => {
    const left = x.ref.slice([0, n - 1]);
    const a = left.ref.mul(-1).add(1);
    const b = x.slice([1, n]).sub(np.square(left));
    return np.square(a).add(np.square(b).mul(100)).sum();
  };
}

function chain({ numpy: np }: Jax, { length }: Chain): Program {
  return (x) => {
    const a = x.ref.slice([1, 2]).reshape([]);
    const b = x.ref.slice([2, 3]).reshape([]);
    let s = x.slice([0, 1]).reshape([]);
    for (let i = 0; i < length; i++) s = i % 3 === 0 ? np.sin(s) : i % 3 === 1 ? s.mul(a.ref) : s.add(b.ref);
    a.dispose();
    b.dispose();
    return s;
  };
}

function mlp({ numpy: np, nn }: Jax, constant: Constant, problem: Mlp): Program {
  const { inputs, hidden, classes, batch, x: data, labels, parameters } = problem;
  const { b1, w2, b2 } = mlpOffsets(problem);
  const x = constant(data, [batch, inputs]);
  const onehot = new Float64Array(batch * classes);
  labels.forEach((label, i) => (onehot[i * classes + label] = 1));
  const chosen = constant(onehot, [batch, classes]);
  return (p) => {
    const W1 = p.ref.slice([0, b1]).reshape([inputs, hidden]);
    const B1 = p.ref.slice([b1, w2]);
    const W2 = p.ref.slice([w2, b2]).reshape([hidden, classes]);
    const B2 = p.slice([b2, parameters.length]);
    const h = np.tanh(np.matmul(x.ref, W1).add(B1));
    const logits = np.matmul(h, W2).add(B2);
    const gold = logits.ref.mul(chosen.ref).sum();
    return nn
      .logsumexp(logits, 1)
      .sum()
      .sub(gold)
      .mul(1 / batch);
  };
}

function gmm({ numpy: np, nn }: Jax, constant: Constant, problem: Gmm): Program {
  const { d, k, n, x: data, m, gamma, constant: rest, parameters } = problem;
  const at = gmmOffsets(problem);
  const x = constant(data, [n, d]);
  const lower = lowerTriangle(d);
  const spread = constant(lower.spread, [at.triangle, d * d]);
  const eye = constant(lower.eye, [1, d, d]);
  return (p) => {
    const alpha = p.ref.slice([0, k]);
    const mu = p.ref.slice([at.mu, at.q]).reshape([k, 1, d]);
    const q = p.ref.slice([at.q, at.l]).reshape([k, d]);
    const l = p.slice([at.l, parameters.length]).reshape([k, at.triangle]);
    const sumQ = q.ref.sum(1);
    const diagonal = np.exp(q);
    const Q = np
      .matmul(l.ref, spread.ref)
      .reshape([k, d, d])
      .add(diagonal.ref.reshape([k, d, 1]).mul(eye.ref));
    const muQ = Q.ref.mul(mu).sum(2);
    const xQ = np.matmul(x.ref, Q.reshape([k * d, d]).transpose());
    const y = xQ.sub(muQ.reshape([1, k * d])).reshape([n, k, d]);
    const exponent = alpha.ref.add(sumQ.ref).sub(np.square(y).sum(2).mul(0.5));
    const squares = np.square(diagonal).sum().add(np.square(l).sum());
    const prior = squares.mul(0.5 * gamma * gamma).sub(sumQ.sum().mul(m));
    return nn.logsumexp(exponent, 1).sum().sub(nn.logsumexp(alpha).mul(n)).sub(prior).add(rest);
  };
}

function lstm({ numpy: np, nn }: Jax, constant: Constant, problem: Lstm): Program {
  const { layers, b, c, state, sequence } = problem;
  const at = lstmOffsets(problem);
  const rows = Array.from({ length: c }, (_, i) => sequence.subarray(i * b, (i + 1) * b));
  const bits = rows.map((row) => constant(row, [b]));
  const golds = rows.map((row) => row.reduce((sum, x) => sum + x, 0));
  const start = Array.from({ length: 2 * layers }, (_, i) =>
    constant(state.subarray(i * b, (i + 1) * b), [b]),
  );
  return (p) => {
    const row = (from: number): JaxArray => p.ref.slice([from, from + b]);
    const weights = Array.from({ length: 8 * layers }, (_, i) => row(i * b));
    const [scale, out, bias] = [row(at.scale), row(at.out), row(at.bias)];
    p.dispose();
    const hidden = start.filter((_, i) => i % 2 === 0).map((a) => a.ref);
    const cell = start.filter((_, i) => i % 2 === 1).map((a) => a.ref);
    let total: JaxArray | null = null;
    for (let step = 0; step + 1 < c; step++) {
      let flow = bits[step].ref.mul(scale.ref);
      for (let i = 0; i < layers; i++) {
        const [wf, wi, wo, wc, bf, bi, bo, bc] = weights.slice(8 * i, 8 * i + 8).map((w) => w.ref);
        const forget = nn.sigmoid(flow.ref.mul(wf).add(bf));
        const outgate = nn.sigmoid(flow.mul(wo).add(bo));
        const ingate = nn.sigmoid(hidden[i].ref.mul(wi).add(bi));
        const change = np.tanh(hidden[i].mul(wc).add(bc));
        const after = cell[i].mul(forget).add(ingate.mul(change));
        cell[i] = after.ref;
        flow = outgate.mul(np.tanh(after));
        hidden[i] = flow.ref;
      }
      const y = flow.mul(out.ref).add(bias.ref);
      const gold = y.ref.mul(bits[step + 1].ref).sum();
      const term = gold.sub(np.log(np.exp(y).sum().add(2)).mul(golds[step + 1]));
      total = total === null ? term : total.add(term);
    }
    [...weights, ...hidden, ...cell, scale, out, bias].forEach((a) => a.dispose());
    return total!.mul(-1 / ((c - 1) * b));
  };
}

export function jaxProgram(jax: Jax, precision: "f32" | "f64", problem: Problem): Program {
  const { numpy: np } = jax;
  const constant: Constant = (values, shape) => {
    const data = precision === "f32" ? Float32Array.from(values) : Float64Array.from(values);
    return np.array(data, { dtype: precision === "f32" ? np.float32 : np.float64 }).reshape(shape);
  };
  switch (problem.kind) {
    case "rosenbrock":
      return rosenbrock(jax, problem);
    case "mlp":
      return mlp(jax, constant, problem);
    case "gmm":
      return gmm(jax, constant, problem);
    case "lstm":
      return lstm(jax, constant, problem);
    case "chain":
      return chain(jax, problem);
  }
}
