/**
 * A plain sweep over a tape with one fault at a time planted into it: the classes of wrong reverse sweep that hand-written
 * engines have. The tests must tell each of them from the right one.
 */
import { localDerivatives } from "../../../engine/sweep/local.js";
import type { FlatTape } from "../../../engine/sweep/flat.js";

/** Cotangents by node for seeds by node, and how often an edge was paid along. */
export interface Outcome {
  readonly cotangent: Float64Array;
  readonly paid: Int32Array;
}

export type Sweep = (flat: FlatTape, seeds: ReadonlyMap<number, number>) => Outcome;

interface Hooks {
  /** order of nodes; default: recording order backwards */
  readonly order?: (flat: FlatTape, seeds: ReadonlyMap<number, number>) => number[];
  readonly local?: (flat: FlatTape, e: number, locals: Float64Array) => number;
  readonly accumulate?: (before: number, c: number) => number;
  /** contribution from the child's cotangent and the local derivative */
  readonly pay?: (g: number, local: number) => number;
  readonly skips?: (flat: FlatTape, e: number) => boolean;
  readonly times?: (flat: FlatTape, e: number) => number;
  readonly sweeps?: number;
}

function sweepWith(hooks: Hooks): Sweep {
  return (flat, seeds) => {
    const cotangent = new Float64Array(flat.n);
    const paid = new Int32Array(flat.edgeFrom.length);
    const locals = localDerivatives(flat, new Map());
    const order = hooks.order?.(flat, seeds) ?? Array.from({ length: flat.n }, (_, i) => flat.n - 1 - i);
    for (let s = 0; s < (hooks.sweeps ?? 1); s++) {
      for (const [node, seed] of seeds) cotangent[node] += seed;
      for (const v of order) {
        for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
          if (hooks.skips?.(flat, e) === true) continue;
          const local = hooks.local?.(flat, e, locals) ?? locals[e];
          const c = hooks.pay?.(cotangent[v], local) ?? cotangent[v] * local;
          for (let k = hooks.times?.(flat, e) ?? 1; k > 0; k--) {
            const p = flat.edgeFrom[e];
            cotangent[p] = hooks.accumulate?.(cotangent[p], c) ?? cotangent[p] + c;
            paid[e]++;
          }
        }
      }
    }
    return { cotangent, paid };
  };
}

/** Nodes depth first from the outputs, each once: before or after the nodes below it. */
function depthFirst(flat: FlatTape, seeds: ReadonlyMap<number, number>, when: "before" | "after"): number[] {
  const seen = new Set<number>();
  const out: number[] = [];
  const visit = (v: number): void => {
    if (seen.has(v)) return;
    seen.add(v);
    if (when === "before") out.push(v);
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) visit(flat.edgeFrom[e]);
    if (when === "after") out.push(v);
  };
  for (const node of seeds.keys()) visit(node);
  return out;
}

/** Passes on what arrived, or the whole sum so far, each time something arrives. */
function recursive(passes: "part" | "total"): Sweep {
  return (flat, seeds) => {
    const cotangent = new Float64Array(flat.n);
    const paid = new Int32Array(flat.edgeFrom.length);
    const locals = localDerivatives(flat, new Map());
    const receive = (v: number, c: number): void => {
      cotangent[v] += c;
      const g = passes === "part" ? c : cotangent[v];
      for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
        paid[e]++;
        receive(flat.edgeFrom[e], g * locals[e]);
      }
    };
    for (const [node, seed] of seeds) receive(node, seed);
    return { cotangent, paid };
  };
}

/** The first operand's buffer is the consumer's own: adding to one adds to the other. */
const aliasing: Sweep = (flat, seeds) => {
  const paid = new Int32Array(flat.edgeFrom.length);
  const locals = localDerivatives(flat, new Map());
  const buffers = new Map<number, Float64Array>();
  const bufferOf = (v: number): Float64Array => {
    let buffer = buffers.get(v);
    if (buffer === undefined) buffers.set(v, (buffer = new Float64Array(1)));
    return buffer;
  };
  for (const [node, seed] of seeds) bufferOf(node)[0] += seed;
  for (let v = flat.n - 1; v >= 0; v--) {
    for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
      paid[e]++;
      const p = flat.edgeFrom[e];
      if (locals[e] === 1 && !buffers.has(p)) buffers.set(p, bufferOf(v));
      else bufferOf(p)[0] += bufferOf(v)[0] * locals[e];
    }
  }
  return { cotangent: Float64Array.from({ length: flat.n }, (_, v) => bufferOf(v)[0]), paid };
};

export const rightSweep: Sweep = sweepWith({});

const sameOperands = (flat: FlatTape, e: number): boolean =>
  e > 0 && flat.edgeTo[e] === flat.edgeTo[e - 1] && flat.edgeFrom[e] === flat.edgeFrom[e - 1];

/** One fault of each class. */
export const faultySweeps: Readonly<Record<string, Sweep>> = {
  "a contribution overwrites the sum": sweepWith({ accumulate: (_before, c) => c }),
  "the first contribution stays": sweepWith({ accumulate: (before, c) => (before === 0 ? c : before) }),
  "preorder with a visited set": sweepWith({ order: (flat, seeds) => depthFirst(flat, seeds, "before") }),
  "postorder that was not reversed": sweepWith({ order: (flat, seeds) => depthFirst(flat, seeds, "after") }),
  "recording order forwards": sweepWith({ order: (flat) => Array.from({ length: flat.n }, (_, i) => i) }),
  "the running total is passed on at each arrival": recursive("total"),
  "the second operand gets nothing": sweepWith({ skips: (flat, e) => flat.edgeSlot[e] === 1 }),
  "a repeated operand is taken once": sweepWith({ skips: sameOperands }),
  "a repeated operand is counted double": sweepWith({ times: (flat, e) => (sameOperands(flat, e) ? 2 : 1) }),
  "a second sweep over gradients that were not zeroed": sweepWith({ sweeps: 2 }),
  "two nodes share one buffer": aliasing,
  "the local derivative without the cotangent": sweepWith({ pay: (_g, local) => local }),
  "an unknown operation passes the cotangent through": sweepWith({
    local: (flat, e, locals) => (flat.op[flat.edgeTo[e]] === flat.op[flat.n - 1] ? 1 : locals[e]),
  }),
  "one slot for all calls of an operation": sweepWith({
    local(flat, e, locals) {
      // the last node of the operation has overwritten what the others saved
      const op = flat.op[flat.edgeTo[e]];
      for (let later = locals.length - 1; later >= 0; later--)
        if (flat.op[flat.edgeTo[later]] === op && flat.edgeSlot[later] === flat.edgeSlot[e])
          return locals[later];
      return locals[e];
    },
  }),
  "a saved value was changed before it is read": sweepWith({
    local: (flat, e, locals) =>
      flat.edgeStart[flat.edgeFrom[e]] === flat.edgeStart[flat.edgeFrom[e] + 1] ? locals[e] * 1.5 : locals[e],
  }),
  "replayed with another draw": sweepWith({ local: (_flat, e, locals) => (e % 3 === 2 ? 0 : locals[e]) }),
  "a wrong local derivative": sweepWith({
    local: (flat, e, locals) => (flat.edgeSlot[e] === 1 ? -locals[e] : locals[e]),
  }),
};

/** Right numbers in time that grows with the number of paths. */
export const exponentialSweep: Sweep = recursive("part");
