/** How long a node's primal is kept: the step that stores it, who reads it, the step after which it is free. */
import { isPrimitive, primitive } from "../../engine/ops/table.js";
import { Event, isStep } from "../../engine/trace/events.js";
import { nodeOp } from "../../engine/trace/read.js";
import type { Trace } from "../../engine/trace/trace.js";
import type { UseIndex } from "../../engine/sweep/paths.js";

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
}

const cache = new WeakMap<Trace, Lifetimes>();

function lifetimes(trace: Trace): Lifetimes {
  const known = cache.get(trace);
  if (known !== undefined) return known;
  const stored = new Int32Array(trace.nodes.n).fill(-1);
  const freed = new Int32Array(trace.nodes.n).fill(-1);
  let step = 0;
  for (let row = 0; row < trace.events.n; row++) {
    const kind = trace.events.kind[row];
    step += isStep[kind];
    if (kind === Event.store) stored[trace.events.node[row]] = step;
    else if (kind === Event.free) freed[trace.events.node[row]] = step;
  }
  const made = { stored, freed };
  cache.set(trace, made);
  return made;
}

export function retained(trace: Trace, uses: UseIndex, node: number): Retained {
  const { stored, freed } = lifetimes(trace);
  const readers = new Set<number>();
  if (stored[node] >= 0) {
    if (saved(trace, node).some((slots) => slots.includes("output"))) readers.add(node);
    for (let i = uses.start[node]; i < uses.start[node + 1]; i++) {
      const edge = uses.edge[i];
      const slot = trace.edges.slot[edge] as 0 | 1 | 2;
      const user = trace.edges.to[edge];
      if (saved(trace, user).some((slots) => slots.includes(slot))) readers.add(user);
    }
  }
  return { stored: stored[node], freed: freed[node], readers: Array.from(readers) };
}

function saved(trace: Trace, node: number): readonly (readonly (0 | 1 | 2 | "output")[])[] {
  const op = nodeOp(trace, node);
  return isPrimitive(op) ? primitive(op).saves : [];
}
