/** Right or wrong: an outcome against the truth of its graph. */
import type { Foreign } from "./engine.js";
import { truthOf, type AuditGraph, type Truth } from "./graph.js";
import type { Outcome, Trouble } from "./outcome.js";
import { allBinary32, computesInBinary32 } from "./precision.js";
import { binary32, binary64, roundingBounds, type Bounds } from "./rounding.js";
import { judgeOther } from "./second.js";

/** What is wrong with one run. */
export type Symptom =
  | { readonly kind: "gradient" | "second sweep" | "value"; readonly node: number; readonly element: number }
  | { readonly kind: "trouble"; readonly trouble: Trouble };

export interface Place {
  readonly node: number;
  readonly element: number;
}

export interface Judged {
  readonly graph: AuditGraph;
  readonly truth: Truth;
  readonly outcome: Outcome;
  readonly symptom: Symptom | null;
  /** a value of the forward pass that is off, beside a wrong gradient too */
  readonly offValue: Place | null;
  /** a second sweep adds to what the first has left, or does nothing, and the adapter gives no way to reset */
  readonly leftover: "adds" | "nothing" | null;
  /** where the first of two sweeps began, when what is judged is the second, from another node; else null */
  readonly first: number | null;
}

/** Rounding of a sum in another order, and of derivatives by other formulas, stays far below this in most graphs. */
const RELATIVE = 1e-9;
/** Four digits less than binary32 has, for engines that compute in it. */
const RELATIVE_F32 = 1e-4;
/** Not to be taken for a number: what the smallest tolerance lets pass. */
const NOTHING = 1e-14;

type Reading = readonly (Float64Array | null)[];

/** A graph with the right answer to it. */
interface Known {
  readonly graph: AuditGraph;
  readonly truth: Truth;
}

/** First element that is off by more than rounding can do, or null. Only leaves count where the form is an adapter. */
export function mismatch(
  foreign: Foreign,
  { graph, truth }: Known,
  gradient: Reading,
  factor = 1,
): Place | null {
  const nodes = foreign.form === "sweep" ? truth.nodes.length : graph.inputs.length;
  const find = (relative: number, bounds: Bounds | null): Place | null => {
    for (let v = 0; v < nodes; v++) {
      const got = gradient[v];
      if (got === null || got === undefined) continue;
      for (let i = 0; i < got.length; i++) {
        const want = truth.cotangent[v][i] * factor;
        const allowed = (relative * truth.scale[v][i] + (bounds?.cotangent[v][i] ?? 0)) * factor + NOTHING;
        if (!(Math.abs(got[i] - want) <= allowed || allowed === Infinity)) return { node: v, element: i };
      }
    }
    return null;
  };
  const { tolerance, operations } = foreign;
  const relative = tolerance ?? RELATIVE;
  if (find(relative, null) === null) return null;
  // what is wrong for certain needs no analysis of rounding in the coarser precision
  const off = find(relative, roundingBounds(graph, operations, truth, binary64));
  if (off === null) return null;
  const single = roundingBounds(graph, operations, truth, binary32);
  const wrong = find(Math.max(relative, RELATIVE_F32), single);
  if (wrong !== null) return wrong;
  const coarse =
    tolerance !== null ? tolerance > 2 ** -24 : allBinary32(gradient) || computesInBinary32(foreign);
  return coarse ? null : off;
}

/** Values told by the engine that are not those of the graph. */
function wrongValue(foreign: Foreign, { graph, truth }: Known, made: Reading): Place | null {
  if (foreign.form === "sweep") return null;
  let bounds: Bounds | null = null;
  for (let v = 0; v < made.length; v++) {
    const got = made[v];
    if (got === null) continue;
    for (let i = 0; i < got.length; i++) {
      const want = truth.nodes[v].value[i];
      if (Math.abs(got[i] - want) <= RELATIVE_F32 * graphScale(truth)) continue;
      bounds ??= roundingBounds(graph, foreign.operations, truth, allBinary32(made) ? binary32 : binary64);
      const allowed = bounds.value[v][i];
      if (!(Math.abs(got[i] - want) <= allowed || allowed === Infinity)) return { node: v, element: i };
    }
  }
  return null;
}

function graphScale(truth: Truth): number {
  let scale = 1;
  for (const { value } of truth.nodes) for (const x of value) scale = Math.max(scale, Math.abs(x));
  return scale;
}

export function judge(foreign: Foreign, graph: AuditGraph, outcome: Outcome): Judged {
  const truth = truthOf(graph, foreign.operations, outcome.made);
  const offValue = wrongValue(foreign, { graph, truth }, outcome.made);
  const judged = (symptom: Symptom | null, leftover: Judged["leftover"] = null): Judged => ({
    graph,
    truth,
    outcome,
    symptom,
    offValue,
    leftover,
    first: null,
  });
  const known = { graph, truth };
  if (outcome.gradient.length > 0) {
    const off = mismatch(foreign, known, outcome.gradient);
    if (off !== null) return judged({ kind: "gradient", ...off });
  }
  if (offValue !== null) return judged({ kind: "value", ...offValue });
  if (outcome.trouble !== null) {
    // without a way to reset, an engine may refuse to sweep twice
    const second = outcome.gradient.length > 0 && outcome.again === null;
    const refuses = second && (!foreign.resets || outcome.from !== null);
    return judged(refuses ? null : { kind: "trouble", trouble: outcome.trouble });
  }
  if (outcome.again === null) return judged(null);
  if (outcome.from !== null) {
    const other = judgeOther(foreign, known, outcome, outcome.from);
    if (other.symptom === null) return judged(null, other.left);
    const { graph: swept, truth: itsTruth, symptom } = other;
    return { ...judged(symptom), graph: swept, truth: itsTruth, first: graph.output };
  }
  const off = mismatch(foreign, known, outcome.again);
  if (off === null) return judged(null);
  if (foreign.resets) return judged({ kind: "second sweep", ...off });
  // leaves may add up over sweeps, as parameters do in most engines
  const adds = mismatch(foreign, known, outcome.again, 2) === null;
  return judged(null, adds ? null : "adds");
}
