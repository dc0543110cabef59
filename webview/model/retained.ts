/** How long a node's primal is kept: the step that stores it, who reads it, the step after which it is free. */
import { Event, isStep } from "../../engine/trace/events.js";
import type { Trace } from "../../engine/trace/trace.js";

export interface Retained {
  /** step the value is stored at, -1: never retained */
  readonly stored: number;
  /** last step that reads it, -1: not freed within the sweep */
  readonly freed: number;
  /** nodes whose reverse rule reads it; the node itself when its own rule reads the output */
  readonly readers: readonly number[];
}

interface Lifetimes {
  readonly stored: Int32Array;
  readonly freed: Int32Array;
  /** (read node's primal row, reader) pairs of all `read` events, sorted by row */
  readonly reads: readonly number[];
}

const cache = new WeakMap<Trace, Lifetimes>();

function lifetimes(trace: Trace): Lifetimes {
  const known = cache.get(trace);
  if (known !== undefined) return known;
  const stored = new Int32Array(trace.nodes.n).fill(-1);
  const freed = new Int32Array(trace.nodes.n).fill(-1);
  const reads: number[] = [];
  let step = 0;
  for (let row = 0; row < trace.events.n; row++) {
    const kind = trace.events.kind[row];
    step += isStep[kind];
    if (kind === Event.store) stored[trace.events.node[row]] = step;
    else if (kind === Event.free) freed[trace.events.node[row]] = step;
    else if (kind === Event.read) reads.push(row);
  }
  const { value } = trace.events;
  reads.sort((a, b) => value[a] - value[b] || a - b);
  const made = { stored, freed, reads };
  cache.set(trace, made);
  return made;
}

export function retained(trace: Trace, node: number): Retained {
  const { stored, freed, reads } = lifetimes(trace);
  const { value, node: reader } = trace.events;
  const wanted = trace.nodes.value[node];
  let low = 0;
  let high = reads.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (value[reads[middle]] < wanted) low = middle + 1;
    else high = middle;
  }
  const readers: number[] = [];
  for (; low < reads.length && value[reads[low]] === wanted; low++) readers.push(reader[reads[low]]);
  return { stored: stored[node], freed: freed[node], readers };
}
