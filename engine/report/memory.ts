/**
 * The four retained objects of a reverse sweep (tape instructions, primal states, cotangent buffers, stateful metadata)
 * at every step, read off the trace's events. A primal state is a value that some remaining reverse rule still reads.
 */
import { Event, isStep } from "../trace/events.js";
import { NodeKind, type Trace } from "../trace/trace.js";
import { bytes } from "../ops/dtype.js";
import { BYTES_A_NODE } from "../tape/tape.js";
import type { MemoryFigure, MemoryReport } from "./report.js";

/** Counts after each position 0..steps. */
export interface MemorySeries {
  readonly instructions: Int32Array;
  readonly primalStates: Int32Array;
  readonly cotangentBuffers: Int32Array;
  readonly metadata: Int32Array;
}

/** Columns of one decision: operands, values, outcome, site, scope, position; and of one draw. */
const DECISION_BYTES = 41;
const DRAW_BYTES = 12;
/** An instruction is a tape row without the value column. */
const INSTRUCTION_BYTES = BYTES_A_NODE - 8;

/** The counts of each kind at every position. */
export function memorySeries(trace: Trace): MemorySeries {
  const { events, nodes, decisions, draws } = trace;
  let steps = 0;
  for (let row = 0; row < events.n; row++) steps += isStep[events.kind[row]];
  const series: MemorySeries = {
    instructions: new Int32Array(steps + 1),
    primalStates: new Int32Array(steps + 1),
    cotangentBuffers: new Int32Array(steps + 1),
    metadata: new Int32Array(steps + 1),
  };
  let instructions = 0;
  for (let v = 0; v < nodes.n; v++) if (nodes.kind[v] === NodeKind.input) instructions++;
  let primals = 0;
  let cotangents = 0;
  const holds = new Uint8Array(nodes.n);
  const ownSlots = new Int32Array(nodes.n);
  for (let e = 0; e < trace.edges.n; e++) ownSlots[trace.edges.to[e]]++;
  let decision = 0;
  let step = 0;
  let peakPrimals = 0;
  const hold = (node: number): void => {
    if (holds[node] === 1) return;
    holds[node] = 1;
    cotangents++;
  };
  const close = (): void => {
    series.instructions[step] = instructions;
    series.primalStates[step] = Math.max(primals, peakPrimals);
    series.cotangentBuffers[step] = cotangents;
    series.metadata[step] = decision + (instructions === nodes.n ? draws.n : 0);
  };
  for (let row = 0; row < events.n; row++) {
    const kind = events.kind[row];
    const node = events.node[row];
    if (isStep[kind] === 1) {
      close();
      step++;
    }
    if (kind === Event.eval) instructions++;
    else if (kind === Event.store) primals++;
    else if (kind === Event.free) primals--;
    else if (kind === Event.seed) hold(node);
    else if (kind === Event.contribute) {
      hold(node);
      // a consumer's buffer is read for its last slot, then it is gone
      const to = trace.edges.to[events.edge[row]];
      if (--ownSlots[to] === 0) cotangents--;
    }
    while (decision < decisions.n && decisions.at[decision] <= instructions) decision++;
    peakPrimals = primals;
  }
  close();
  return series;
}

/** Peaks of the four kinds: counts of objects, and the bytes the engine's columns hold for that many. */
export function memoryReport(trace: Trace): MemoryReport {
  const series = memorySeries(trace);
  const { dtype, cotangentDtype } = trace.header.options;
  const metadata = peak(series.metadata, 0);
  return {
    instructions: peak(series.instructions, INSTRUCTION_BYTES),
    primalStates: peak(series.primalStates, bytes(dtype)),
    cotangentBuffers: peak(series.cotangentBuffers, bytes(cotangentDtype)),
    metadata: { ...metadata, peakBytes: trace.decisions.n * DECISION_BYTES + trace.draws.n * DRAW_BYTES },
  };
}

function peak(counts: Int32Array, each: number): MemoryFigure {
  let peakCount = 0;
  let atStep = 0;
  counts.forEach((count, step) => {
    if (count > peakCount) {
      peakCount = count;
      atStep = step;
    }
  });
  return { peakCount, peakBytes: peakCount * each, atStep };
}
