/** Exception filters: what a sweep can stop at without a breakpoint, because something is wrong there. */
import { isLastWriterWins, overwrites } from "../../report/overwrites.js";
import {
  contribution,
  cotangent,
  isArray,
  isKnown,
  magnitude,
  primal,
  quantityAt,
  type Quantity,
} from "../../report/quantity.js";
import { full } from "../../report/text/format.js";
import { rounder } from "../../ops/dtype.js";
import { parseAccumulation } from "../../sweep/accumulate.js";
import { Event, isStep } from "../../trace/events.js";
import { nodeTitle } from "../../trace/read.js";
import type { Debuggee } from "../debuggee.js";
import { placesOf, type Places } from "./places.js";

export interface Filter {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly byDefault: boolean;
  /** a constant is wanted as the condition; its default */
  readonly constant: number | null;
  places(debuggee: Debuggee, constant: number): Places;
  /** one sentence about what is wrong at a place */
  words(debuggee: Debuggee, position: number, focus: number, constant: number): string;
}

type Place = { position: number; focus: number };

const finite = (x: Quantity | undefined): boolean =>
  x === undefined || (isArray(x) ? !isKnown(x) || x.nonfinite === 0 : Number.isFinite(x));

/** The first value that is not finite in the evaluations, and the first in the sweep. */
const nonFinite: Filter = {
  id: "nonfinite",
  label: "First NaN or Infinity",
  description: "Stops where a primal, and where a contribution, is NaN or infinite for the first time.",
  byDefault: true,
  constant: null,
  places({ timeline, trace }) {
    const list: Place[] = [];
    const inputs = trace.nodes.kind;
    for (let node = 0; node < trace.nodes.n && list.length === 0; node++) {
      if (finite(primal(trace, node))) continue;
      const step = timeline.evaluationStep(node);
      // an input that is given as NaN is there before the first step
      if (step >= 1 || inputs[node] === 1) list.push({ position: Math.max(0, step), focus: node });
    }
    const { kind, value, node, n } = trace.events;
    for (let row = 0, step = 0; row < n; row++) {
      step += isStep[kind[row]];
      const flows = kind[row] === Event.seed || kind[row] === Event.contribute;
      if (!flows || value[row] < 0 || finite(flowing(trace, value[row]))) continue;
      list.push({ position: step, focus: node[row] });
      break;
    }
    return placesOf(list, timeline.forwardSteps);
  },
  words({ timeline, trace, running }, position, focus) {
    const title = nodeTitle(trace, focus);
    const before = !finite(primal(trace, focus));
    if (before && position <= Math.max(0, timeline.evaluationStep(focus)))
      return `${title} = ${full(primal(trace, focus))} is the first value that is not finite`;
    return `${title}'s cotangent is ${full(running.at(focus, position))}, the first in the sweep that is not finite`;
  },
};

function flowing(trace: Debuggee["trace"], row: number): Quantity | undefined {
  const mean = trace.values.mean[row];
  return Number.isFinite(mean) && trace.arrays === undefined ? mean : quantityAt(trace, row);
}

/** A contribution that does not count: overwritten by the mode, or missing from the cotangent that was handed on. */
const lost: Filter = {
  id: "lost",
  label: "Contribution lost",
  description:
    "Stops where a contribution overwrites another, and where a cotangent is not the sum of its contributions.",
  byDefault: true,
  constant: null,
  places(debuggee) {
    const { timeline, trace } = debuggee;
    const list: Place[] = [];
    const wrongMode = isLastWriterWins(trace);
    for (let node = 0; node < trace.nodes.n; node++) {
      const slots = timeline.slots(node);
      if (wrongMode && overwrites(trace, node)) {
        const seeded = timeline.seed(node) !== undefined;
        for (let i = seeded ? 0 : 1; i < slots; i++)
          list.push({ position: timeline.stepOfEdge(timeline.arrivalEdgeAt(node, i)), focus: node });
      } else if (slots > 0 && !debuggee.given.has(node) && !addsUp(debuggee, node)) {
        list.push({ position: timeline.finalStep(node), focus: node });
      }
    }
    return placesOf(list, timeline.forwardSteps);
  },
  words(debuggee, position, focus) {
    const { timeline, trace, running } = debuggee;
    const title = nodeTitle(trace, focus);
    if (!overwrites(trace, focus))
      return `${title}'s cotangent ${full(cotangent(timeline, focus))} is not the sum of what arrived`;
    const count = timeline.arrived(focus, position);
    const edge = timeline.arrivalEdgeAt(focus, count - 1);
    const child = nodeTitle(trace, trace.edges.to[edge]);
    const before = running.after(focus, count - 1, position);
    return `${child} overwrites ${full(before)} in ${title} with ${full(contribution(timeline, edge))}: a contribution is lost`;
  },
};

/** True where the final cotangent is the sum of seed and contributions, added as the sweep's mode adds. */
function addsUp({ timeline, trace }: Debuggee, node: number): boolean {
  const final = cotangent(timeline, node);
  if (final === undefined || timeline.finalStep(node) < 0) return true;
  const { accumulation, cotangentDtype } = trace.header.options;
  if (isArray(final)) return arrayAddsUp(timeline, node, final);
  const seeded = timeline.seed(node);
  const slots = timeline.slots(node);
  const round = cotangentDtype === "f64" ? null : rounder(cotangentDtype);
  let sum = seeded ?? 0;
  let size = Math.abs(sum);
  for (let i = 0; i < slots; i++) {
    const value = timeline.contribution(timeline.arrivalEdgeAt(node, i)) ?? 0;
    const first = i === 0 && seeded === undefined;
    sum = first ? value : round === null ? sum + value : round(sum + value);
    size += Math.abs(value);
  }
  if (sum === final || (Number.isNaN(sum) && Number.isNaN(final))) return true;
  // pairwise and compensated sums differ from the plain one in their last bits only
  const plain = modeOf(accumulation) === "sum" || isLastWriterWins(trace);
  const exact = plain && trace.header.engine.name === "backsweep";
  return !exact && Math.abs(sum - final) <= 1e-5 * size;
}

function modeOf(text: string): string {
  try {
    return parseAccumulation(text).kind;
  } catch {
    // another engine's word for it
    return "unknown";
  }
}

/** Arrays are compared by their means, within 1e-5 of the sum of their magnitudes (the trace format's rule). */
function arrayAddsUp(timeline: Debuggee["timeline"], node: number, final: Quantity): boolean {
  let sum = 0;
  let size = 0;
  const seeded = timeline.seed(node);
  for (let i = -1; i < timeline.slots(node); i++) {
    const mean = i < 0 ? seeded : timeline.contribution(timeline.arrivalEdgeAt(node, i));
    sum += mean ?? 0;
    size += Math.abs(mean ?? 0);
  }
  const mean = isArray(final) && isKnown(final) ? final.mean : NaN;
  return !Number.isFinite(sum) || Number.isNaN(mean) || Math.abs(sum - mean) <= 1e-5 * size + 1e-300;
}

/**
 * Where a cotangent passes a bound on its way back: it is beyond, and one of those that paid into it is not. Without the
 * second half everything below the place would stop as well.
 */
function crossing(beyond: (size: number, constant: number) => boolean) {
  return ({ timeline, trace }: Debuggee, constant: number): Places => {
    const { nodes, edges } = trace;
    const isBeyond = new Uint8Array(nodes.n);
    const within = new Uint8Array(nodes.n);
    for (let node = 0; node < nodes.n; node++) {
      const bar = cotangent(timeline, node);
      if (bar !== undefined && beyond(magnitude(bar), constant)) isBeyond[node] = 1;
    }
    for (let e = 0; e < edges.n; e++)
      if (timeline.stepOfEdge(e) >= 0 && isBeyond[edges.to[e]] === 0) within[edges.from[e]] = 1;
    const list: Place[] = [];
    for (let node = 0; node < nodes.n; node++) {
      const final = timeline.finalStep(node);
      const entered = within[node] === 1 || timeline.seed(node) !== undefined;
      if (isBeyond[node] === 1 && final >= 0 && entered) list.push({ position: final, focus: node });
    }
    return placesOf(list, timeline.forwardSteps);
  };
}

const vanishing: Filter = {
  id: "vanishing",
  label: "Vanishing cotangent",
  description:
    "Stops where the magnitude (of an array the norm) of a cotangent falls below a constant. The condition is the constant; without one 1e-8.",
  byDefault: false,
  constant: 1e-8,
  places: crossing((size, constant) => size < constant),
  words: (debuggee, _, focus, constant) => passed(debuggee, focus, "below", constant),
};

const exploding: Filter = {
  id: "exploding",
  label: "Exploding cotangent",
  description:
    "Stops where the magnitude (of an array the norm) of a cotangent rises above a constant. The condition is the constant; without one 1e8.",
  byDefault: false,
  constant: 1e8,
  places: crossing((size, constant) => size > constant),
  words: (debuggee, _, focus, constant) => passed(debuggee, focus, "above", constant),
};

function passed({ timeline, trace }: Debuggee, focus: number, where: string, constant: number): string {
  return `${nodeTitle(trace, focus)}'s cotangent ${full(cotangent(timeline, focus))} is ${where} ${full(constant)}`;
}

/** A replay that gives another value than the first evaluation did. */
const mismatch: Filter = {
  id: "mismatch",
  label: "Replay mismatch",
  description: "Stops where a replayed operation gives another value than it did the first time.",
  byDefault: true,
  constant: null,
  places({ timeline, trace }) {
    const { kind, value, node, n } = trace.events;
    const list: Place[] = [];
    for (let row = 0, step = 0; row < n; row++) {
      step += isStep[kind[row]];
      if (kind[row] !== Event.replay || value[row] < 0 || node[row] < 0) continue;
      if (!Object.is(trace.values.mean[value[row]], trace.values.mean[trace.nodes.value[node[row]]]))
        list.push({ position: step, focus: node[row] });
    }
    return placesOf(list, timeline.forwardSteps);
  },
  words({ trace, timeline }, position, focus) {
    const row = timeline.rowAt(position);
    const value = row >= 0 && trace.events.value[row] >= 0 ? trace.values.mean[trace.events.value[row]] : NaN;
    return `${nodeTitle(trace, focus)} was ${full(primal(trace, focus))} and is ${full(value)} when replayed`;
  },
};

export const filters: readonly Filter[] = [nonFinite, lost, vanishing, exploding, mismatch];
