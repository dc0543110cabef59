/**
 * The four retained objects of a reverse sweep (tape instructions, primal states, cotangent buffers, stateful metadata)
 * at every step, read off the trace's events. A primal state is a value that some remaining reverse rule still reads.
 */
import { bytes } from "../ops/dtype.js";
import { BYTES_A_NODE } from "../tape/tape.js";
import { arrayAt } from "../trace/arrays.js";
import { Event, isStep } from "../trace/events.js";
import { NodeKind, type Trace } from "../trace/trace.js";
import type { MemoryFigure, MemoryReport } from "./report.js";

/** Columns of one decision: operator, operands, values, outcome, site, scope, position; and of one draw. */
export const DECISION_BYTES = 41;
export const DRAW_BYTES = 12;
/** An instruction is a tape row without the value column. */
export const INSTRUCTION_BYTES = BYTES_A_NODE - 8;

/** Objects held at a position, in the order instructions, primal states, cotangent buffers, metadata. */
export type Held = readonly [instructions: number, primals: number, cotangents: number, metadata: number];

/** Numbers in the primal states and the cotangent buffers held: an array counts its elements. */
export type Elements = readonly [primals: number, cotangents: number];

/** Visits the positions 0..steps in order with what is held after each. */
export function walkMemory(
  trace: Trace,
  visit: (position: number, held: Held, elements: Elements) => void,
): void {
  const { events, nodes, decisions, draws } = trace;
  const held: [number, number, number, number] = [0, 0, 0, 0];
  const elements: [number, number] = [0, 0];
  const size = nodeSizes(trace);
  for (let v = 0; v < nodes.n; v++) if (nodes.kind[v] === NodeKind.input) held[0]++;
  const holds = new Uint8Array(nodes.n);
  const unpaid = new Int32Array(nodes.n);
  for (let e = 0; e < trace.edges.n; e++) unpaid[trace.edges.to[e]]++;
  let decision = 0;
  let position = 0;
  const hold = (node: number): void => {
    if (holds[node] === 1) return;
    holds[node] = 1;
    held[2]++;
    elements[1] += size(node);
  };
  const retained = new Uint8Array(nodes.n);
  const retain = (node: number, now: 0 | 1): void => {
    if (retained[node] === now) return;
    retained[node] = now;
    held[1] += now === 1 ? 1 : -1;
    elements[0] += now === 1 ? size(node) : -size(node);
  };
  const close = (): void => {
    while (decision < decisions.n && decisions.at[decision] <= held[0]) decision++;
    held[3] = decision + (held[0] === nodes.n ? draws.n : 0);
    visit(position, held, elements);
  };
  for (let row = 0; row < events.n; row++) {
    const kind = events.kind[row];
    const node = events.node[row];
    if (isStep[kind] === 1) {
      close();
      position++;
    }
    if (kind === Event.eval) held[0]++;
    else if (kind === Event.store) retain(node, 1);
    // a slot that is freed has no node; a primal may be dropped that was never retained
    else if ((kind === Event.free || kind === Event.drop) && node >= 0) retain(node, 0);
    else if (kind === Event.seed) hold(node);
    else if (kind === Event.contribute) {
      hold(node);
      // the consumer's buffer is read for its last slot, then it is gone
      const consumer = trace.edges.to[events.edge[row]];
      if (--unpaid[consumer] === 0) {
        held[2]--;
        elements[1] -= size(consumer);
      }
    }
  }
  close();
}

/** Number of elements of a node's value: 1 for a number. */
function nodeSizes(trace: Trace): (node: number) => number {
  if (trace.arrays === undefined) return () => 1;
  const sizes = new Map<number, number>();
  for (let i = 0; i < trace.arrays.n && trace.arrays.value[i] < trace.nodes.n; i++) {
    const array = arrayAt(trace, trace.arrays.value[i])!;
    sizes.set(trace.arrays.value[i], array.size);
  }
  return (node) => sizes.get(node) ?? 1;
}

/** Peaks of the four kinds: counts of objects, and the bytes the engine's columns hold for that many. */
export function memoryReport(trace: Trace): MemoryReport {
  const { dtype, cotangentDtype } = trace.header.options;
  const peak = [0, 0, 0, 0];
  const at = [0, 0, 0, 0];
  const most = [0, 0];
  walkMemory(trace, (position, held, elements) => {
    most[0] = Math.max(most[0], elements[0]);
    most[1] = Math.max(most[1], elements[1]);
    for (let kind = 0; kind < 4; kind++) {
      if (held[kind] > peak[kind]) {
        peak[kind] = held[kind];
        at[kind] = position;
      }
    }
  });
  const figure = (kind: number, peakBytes: number): MemoryFigure => ({
    peakCount: peak[kind],
    peakBytes,
    atStep: at[kind],
  });
  return {
    instructions: figure(0, peak[0] * INSTRUCTION_BYTES),
    primalStates: figure(1, most[0] * bytes(dtype)),
    cotangentBuffers: figure(2, most[1] * bytes(cotangentDtype)),
    metadata: figure(3, trace.decisions.n * DECISION_BYTES + trace.draws.n * DRAW_BYTES),
  };
}
