import { lstmOffsets } from "../problems/lstm.js";
import type { Lstm } from "../problems/problem.js";
import type { ScalarOps } from "./ops.js";
import { sumOf } from "./sums.js";

/**
 * The state starts as plain numbers. Its first use is through `times` and `plus`, so that no engine has to lift a constant
 * to a node: `hidden` and `cell` are null until the first step has written them.
 */
interface State<T> {
  readonly hidden: (T | null)[];
  readonly cell: (T | null)[];
}

/** Sum of the logits weighted by the golds, less sum(golds) log(2 + sum exp). */
function score<T, C>(ops: ScalarOps<T, C>, y: readonly T[], gold: Float64Array): T | null {
  const exps = y.map((v) => ops.exp(v));
  let golds = 0;
  let chosen: T | null = null;
  for (let j = 0; j < y.length; j++) {
    if (gold[j] === 0) continue;
    golds += gold[j];
    const term = gold[j] === 1 ? y[j] : ops.times(y[j], ops.constant(gold[j]));
    chosen = chosen === null ? term : ops.add(chosen, term);
  }
  if (chosen === null) return null;
  return ops.sub(
    chosen,
    ops.times(ops.log(ops.plus(sumOf(ops, exps), ops.constant(2))), ops.constant(golds)),
  );
}

export function lstmProgram<T, C>(ops: ScalarOps<T, C>, problem: Lstm, p: readonly T[]): T {
  const { layers, b, c, sequence } = problem;
  const at = lstmOffsets(problem);
  const state: State<T> = {
    hidden: new Array<T | null>(layers * b).fill(null),
    cell: new Array<T | null>(layers * b).fill(null),
  };
  let total: T | null = null;
  for (let step = 0; step + 1 < c; step++) {
    let flow: T[] = [];
    for (let j = 0; j < b; j++) flow.push(ops.times(p[at.scale + j], ops.constant(sequence[step * b + j])));
    for (let i = 0; i < layers; i++) flow = layer(ops, problem, p, state, i, flow);
    const y = flow.map((v, j) => ops.add(ops.mul(v, p[at.out + j]), p[at.bias + j]));
    const term = score(ops, y, sequence.subarray((step + 1) * b, (step + 2) * b));
    if (term !== null) total = total === null ? term : ops.add(total, term);
  }
  return ops.times(total!, ops.constant(-1 / ((c - 1) * b)));
}

function layer<T, C>(
  ops: ScalarOps<T, C>,
  problem: Lstm,
  p: readonly T[],
  state: State<T>,
  i: number,
  input: readonly T[],
): T[] {
  const { b } = problem;
  const w = 8 * b * i;
  const output: T[] = [];
  for (let j = 0; j < b; j++) {
    const before = state.hidden[i * b + j];
    const cell = state.cell[i * b + j];
    const initial = problem.state[2 * i * b + j];
    const initialCell = problem.state[(2 * i + 1) * b + j];
    const byHidden = (weight: T): T =>
      before === null ? ops.times(weight, ops.constant(initial)) : ops.mul(before, weight);
    const u = input[j];
    const forget = ops.sigmoid(ops.add(ops.mul(u, p[w + j]), p[w + 4 * b + j]));
    const ingate = ops.sigmoid(ops.add(byHidden(p[w + b + j]), p[w + 5 * b + j]));
    const outgate = ops.sigmoid(ops.add(ops.mul(u, p[w + 2 * b + j]), p[w + 6 * b + j]));
    const change = ops.tanh(ops.add(byHidden(p[w + 3 * b + j]), p[w + 7 * b + j]));
    const kept = cell === null ? ops.times(forget, ops.constant(initialCell)) : ops.mul(cell, forget);
    const after = ops.add(kept, ops.mul(ingate, change));
    const hidden = ops.mul(outgate, ops.tanh(after));
    state.cell[i * b + j] = after;
    state.hidden[i * b + j] = hidden;
    output.push(hidden);
  }
  return output;
}
