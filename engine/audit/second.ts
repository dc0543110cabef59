/**
 * A second sweep over a graph that was swept before. From the same node it shows what the first has left; from another node
 * it also shows what was remembered for ever: adjoints kept on the nodes are right as long as one output is swept from.
 */
import type { Foreign } from "./engine.js";
import { truthOf, type AuditGraph, type Truth } from "./graph.js";
import { mismatch, type Symptom } from "./judge.js";
import type { Outcome } from "./outcome.js";

/** Whether a graph is swept twice, and from where the second time. */
export type Second = "none" | "same" | "other";

/** Of the random graphs every third is swept twice from one node, every third from two. */
export const secondOf = (item: number): Second => (["none", "other", "same"] as const)[item % 3];

/** Nodes between inputs and output that the output depends on: where a second sweep can begin. */
export function otherOutputs(graph: AuditGraph): number[] {
  const first = graph.inputs.length;
  const active = new Set([graph.output]);
  const out: number[] = [];
  for (let v = graph.output; v >= first; v--) {
    if (!active.has(v)) continue;
    if (v !== graph.output) out.push(v);
    for (const p of graph.steps[v - first].operands) active.add(p);
  }
  return out;
}

/** What a second sweep from another node gave. */
export interface OtherSweep {
  /** the graph with that node as its output, and its truth */
  readonly graph: AuditGraph;
  readonly truth: Truth;
  readonly symptom: Symptom | null;
  /** a remark that is no fault */
  readonly left: "adds" | "nothing" | null;
}

/** Part of the magnitudes involved that an adapter without `reset` may be off by: what it may leave behind is judged coarsely. */
const COARSE = 1e-3;

type Reading = readonly (Float64Array | null | undefined)[];

function same(a: Float64Array | null | undefined, b: Float64Array | null | undefined): boolean {
  return !!a && !!b && a.length === b.length && a.every((x, i) => Object.is(x, b[i]));
}

/** Only the reading of one node. */
const only = (reading: Reading, v: number): (Float64Array | null)[] =>
  reading.map((data, i) => (i === v ? (data ?? null) : null));

/**
 * Judges the second of two sweeps. With `reset` it has to give its own gradient; without, leaves may hold the sum of both,
 * and what is not accused of anything else is what the first has left in between. Accused is one that gives the first
 * sweep's gradients again, to the last bit, at the leaves and at the node it began at.
 *
 * @param known the graph and truth of the first sweep
 */
export function judgeOther(
  foreign: Foreign,
  known: { readonly graph: AuditGraph; readonly truth: Truth },
  outcome: Outcome,
  from: number,
): OtherSweep {
  const graph = { ...known.graph, output: from };
  const truth = truthOf(graph, foreign.operations, outcome.made);
  const again = outcome.again!;
  const said = (symptom: Symptom | null, left: OtherSweep["left"] = null): OtherSweep => ({
    graph,
    truth,
    symptom,
    left,
  });
  const wrong = (node: number, element: number): OtherSweep => said({ kind: "second sweep", node, element });
  if (foreign.form === "sweep") {
    const off = mismatch(foreign, { graph, truth }, again);
    return off === null ? said(null) : wrong(off.node, off.element);
  }
  const inputs = graph.inputs.map((_, v) => v);
  const frozen = (v: number): boolean => same(again[v], outcome.gradient[v]);
  if (foreign.resets) {
    for (const v of inputs) {
      const off = mismatch(foreign, { graph, truth }, only(again, v));
      // a leaf that this sweep does not reach may keep what the other has given it
      if (off !== null && !(frozen(v) && !truth.active[v])) return wrong(v, off.element);
    }
    return said(null);
  }
  const elementOff = (v: number): number =>
    truth.cotangent[v].findIndex((want, i) => {
      const [x, before] = [again[v]?.[i] ?? 0, outcome.gradient[v]?.[i] ?? 0];
      const allowed = COARSE * (truth.scale[v][i] + known.truth.scale[v][i]) + 1e-12;
      return !(Math.abs(x - want) <= allowed || Math.abs(x - before - want) <= allowed);
    });
  const off = inputs.filter((v) => elementOff(v) >= 0);
  if (off.length === 0) return said(null);
  if (!off.every(frozen)) return said(null, "adds");
  const own = outcome.gradient[from];
  const remembered = same(own, again[from]) && own!.some((x) => x !== 0 && x !== graph.seed);
  return remembered ? wrong(off[0], elementOff(off[0])) : said(null, "nothing");
}
