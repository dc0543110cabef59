import type { Work } from "../engines/engine.js";
import { lstmOffsets } from "../problems/lstm.js";
import type { Lstm } from "../problems/problem.js";

/** Columns saved of every cell of every step: gates, change, tanh of the cell, the cell and hidden value before. */
const SAVED = 7;

/** Columns, b wide and one row a layer or step. */
interface Room {
  readonly gradient: Float64Array;
  readonly saved: Float64Array;
  /** cotangents of the predictions, before the loss's factor */
  readonly bars: Float64Array;
  /** output of the last layer of every step */
  readonly last: Float64Array;
  readonly hidden: Float64Array;
  readonly cell: Float64Array;
  readonly hiddenBar: Float64Array;
  readonly cellBar: Float64Array;
  readonly flow: Float64Array;
}

/** One layer of one step: `flow` is its input and becomes its output. */
function layer(p: Float64Array, w: number, b: number, row: number, i: number, room: Room): void {
  const { saved, hidden, cell, flow } = room;
  for (let j = 0; j < b; j++) {
    const u = flow[j];
    const h = hidden[i * b + j];
    const before = cell[i * b + j];
    const forget = 1 / (1 + Math.exp(-(u * p[w + j] + p[w + 4 * b + j])));
    const ingate = 1 / (1 + Math.exp(-(h * p[w + b + j] + p[w + 5 * b + j])));
    const outgate = 1 / (1 + Math.exp(-(u * p[w + 2 * b + j] + p[w + 6 * b + j])));
    const change = Math.tanh(h * p[w + 3 * b + j] + p[w + 7 * b + j]);
    const after = before * forget + ingate * change;
    const t = Math.tanh(after);
    const s = (row * b + j) * SAVED;
    saved[s] = forget;
    saved[s + 1] = ingate;
    saved[s + 2] = outgate;
    saved[s + 3] = change;
    saved[s + 4] = t;
    saved[s + 5] = before;
    saved[s + 6] = h;
    cell[i * b + j] = after;
    const out = outgate * t;
    hidden[i * b + j] = out;
    flow[j] = out;
  }
}

/** The layers of all steps and the predictions; sum of gold (y - log(2 + sum exp y)). */
function forward(problem: Lstm, room: Room): number {
  const { layers, b, c, sequence, parameters: p } = problem;
  const at = lstmOffsets(problem);
  const { bars, last, flow } = room;
  let total = 0;
  for (let step = 0; step + 1 < c; step++) {
    for (let j = 0; j < b; j++) flow[j] = sequence[step * b + j] * p[at.scale + j];
    for (let i = 0; i < layers; i++) layer(p, 8 * b * i, b, step * layers + i, i, room);
    let sum = 2;
    let golds = 0;
    for (let j = 0; j < b; j++) {
      const y = flow[j] * p[at.out + j] + p[at.bias + j];
      const e = Math.exp(y);
      const gold = sequence[(step + 1) * b + j];
      last[step * b + j] = flow[j];
      bars[step * b + j] = e;
      sum += e;
      total += y * gold;
      golds += gold;
    }
    total -= golds * Math.log(sum);
    for (let j = 0; j < b; j++) {
      bars[step * b + j] = sequence[(step + 1) * b + j] - (golds * bars[step * b + j]) / sum;
    }
  }
  return total;
}

/** The adjoint of `layer`: `flow` is the cotangent of its output and becomes that of its input. */
function layerBack(problem: Lstm, p: Float64Array, scale: number, step: number, i: number, room: Room): void {
  const { b, layers, sequence } = problem;
  const { gradient, saved, hiddenBar, cellBar, flow } = room;
  const w = 8 * b * i;
  for (let j = 0; j < b; j++) {
    const s = ((step * layers + i) * b + j) * SAVED;
    const forget = saved[s];
    const ingate = saved[s + 1];
    const outgate = saved[s + 2];
    const change = saved[s + 3];
    const t = saved[s + 4];
    const h = saved[s + 6];
    // the input of this layer: the output of the one below, or the scaled bits
    const below = s - b * SAVED;
    const u = i > 0 ? saved[below + 2] * saved[below + 4] : sequence[step * b + j] * p[scale + j];
    const outBar = flow[j] + hiddenBar[i * b + j];
    const afterBar = cellBar[i * b + j] + outBar * outgate * (1 - t * t);
    cellBar[i * b + j] = afterBar * forget;
    const f = afterBar * saved[s + 5] * forget * (1 - forget);
    const g = afterBar * change * ingate * (1 - ingate);
    const o = outBar * t * outgate * (1 - outgate);
    const e = afterBar * ingate * (1 - change * change);
    gradient[w + j] += f * u;
    gradient[w + b + j] += g * h;
    gradient[w + 2 * b + j] += o * u;
    gradient[w + 3 * b + j] += e * h;
    gradient[w + 4 * b + j] += f;
    gradient[w + 5 * b + j] += g;
    gradient[w + 6 * b + j] += o;
    gradient[w + 7 * b + j] += e;
    hiddenBar[i * b + j] = g * p[w + b + j] + e * p[w + 3 * b + j];
    flow[j] = f * p[w + j] + o * p[w + 2 * b + j];
  }
}

function reverse(problem: Lstm, factor: number, room: Room): void {
  const { layers, b, c, sequence, parameters: p } = problem;
  const at = lstmOffsets(problem);
  const { gradient, bars, last, flow } = room;
  for (let step = c - 2; step >= 0; step--) {
    for (let j = 0; j < b; j++) {
      const yBar = bars[step * b + j] * factor;
      gradient[at.out + j] += yBar * last[step * b + j];
      gradient[at.bias + j] += yBar;
      flow[j] = yBar * p[at.out + j];
    }
    for (let i = layers - 1; i >= 0; i--) layerBack(problem, p, at.scale, step, i, room);
    for (let j = 0; j < b; j++) gradient[at.scale + j] += flow[j] * sequence[step * b + j];
  }
}

export function handLstm(problem: Lstm): Work {
  const { layers, b, c, state, parameters } = problem;
  const rows = (n: number): Float64Array => new Float64Array(n * b);
  const room: Room = {
    gradient: new Float64Array(parameters.length),
    saved: rows((c - 1) * layers * SAVED),
    bars: rows(c - 1),
    last: rows(c - 1),
    hidden: rows(layers),
    cell: rows(layers),
    hiddenBar: rows(layers),
    cellBar: rows(layers),
    flow: rows(1),
  };
  const factor = -1 / ((c - 1) * b);
  return {
    run() {
      for (let i = 0; i < layers; i++) {
        for (let j = 0; j < b; j++) {
          room.hidden[i * b + j] = state[2 * i * b + j];
          room.cell[i * b + j] = state[(2 * i + 1) * b + j];
        }
      }
      const value = forward(problem, room) * factor;
      room.gradient.fill(0);
      room.hiddenBar.fill(0);
      room.cellBar.fill(0);
      reverse(problem, factor, room);
      return { value, gradient: room.gradient };
    },
  };
}
