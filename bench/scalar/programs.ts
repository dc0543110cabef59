/** The five problems as scalar programs. */
import { mlpOffsets } from "../problems/mlp.js";
import type { Chain, Mlp, Problem, Rosenbrock } from "../problems/problem.js";
import { gmmProgram } from "./gmm.js";
import { lstmProgram } from "./lstm.js";
import { logSumExp, sumOf } from "./sums.js";
import type { ScalarOps } from "./ops.js";

function rosenbrock<T, C>(ops: ScalarOps<T, C>, { n }: Rosenbrock, x: readonly T[]): T {
  const one = ops.constant(1);
  const hundred = ops.constant(100);
  let sum: T | null = null;
  for (let i = 0; i + 1 < n; i++) {
    const a = ops.from(one, x[i]);
    const b = ops.sub(x[i + 1], ops.square(x[i]));
    const term = ops.add(ops.square(a), ops.times(ops.square(b), hundred));
    sum = sum === null ? term : ops.add(sum, term);
  }
  return sum!;
}

function mlp<T, C>(ops: ScalarOps<T, C>, problem: Mlp, p: readonly T[]): T {
  const { inputs, hidden, classes, batch, x, labels } = problem;
  const { b1, w2, b2 } = mlpOffsets(problem);
  const data = Array.from(x, (element) => ops.constant(element));
  const losses: T[] = [];
  for (let i = 0; i < batch; i++) {
    const h: T[] = [];
    for (let j = 0; j < hidden; j++) {
      let sum = p[b1 + j];
      for (let c = 0; c < inputs; c++) sum = ops.add(sum, ops.times(p[c * hidden + j], data[i * inputs + c]));
      h.push(ops.tanh(sum));
    }
    const logits: T[] = [];
    for (let c = 0; c < classes; c++) {
      let sum = p[b2 + c];
      for (let j = 0; j < hidden; j++) sum = ops.add(sum, ops.mul(h[j], p[w2 + j * classes + c]));
      logits.push(sum);
    }
    losses.push(ops.sub(logSumExp(ops, logits), logits[labels[i]]));
  }
  return ops.times(sumOf(ops, losses), ops.constant(1 / batch));
}

function chain<T, C>(ops: ScalarOps<T, C>, { length }: Chain, [start, a, b]: readonly T[]): T {
  let s = start;
  const whole = Math.floor(length / 3);
  for (let i = 0; i < whole; i++) s = ops.add(ops.mul(ops.sin(s), a), b);
  const left = length % 3;
  if (left > 0) s = ops.sin(s);
  if (left > 1) s = ops.mul(s, a);
  return s;
}

/** Records a problem's value with an engine's operations; `parameters` are the engine's numbers. */
export function scalarProgram<T, C>(ops: ScalarOps<T, C>, problem: Problem, parameters: readonly T[]): T {
  switch (problem.kind) {
    case "rosenbrock":
      return rosenbrock(ops, problem, parameters);
    case "mlp":
      return mlp(ops, problem, parameters);
    case "gmm":
      return gmmProgram(ops, problem, parameters);
    case "lstm":
      return lstmProgram(ops, problem, parameters);
    case "chain":
      return chain(ops, problem, parameters);
  }
}
