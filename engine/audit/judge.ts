/** Right or wrong: an outcome against the truth of its graph. */
import type { Foreign } from "./engine.js";
import { truthOf, type AuditGraph, type Truth } from "./graph.js";
import type { Outcome, Trouble } from "./outcome.js";

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
  /** a second sweep adds to what the first has left, and the adapter gives no way to reset */
  readonly leftover: boolean;
}

/** Rounding of a sum in another order, and of derivatives by other formulas, stays far below this. */
const RELATIVE = 1e-9;
/** Four digits less than binary32 has, for engines that keep their gradients in it. */
const RELATIVE_F32 = 1e-4;

type Reading = readonly (Float64Array | null)[];

function isBinary32(gradient: Reading): boolean {
  return gradient.every((data) => data === null || data.every((x) => Object.is(x, Math.fround(x))));
}

/** First element that is off, or null. Only leaves count where the form is an adapter. */
export function mismatch(
  gradient: Reading,
  truth: Truth,
  nodes: number,
  given: number | null,
  factor = 1,
): { readonly node: number; readonly element: number } | null {
  const find = (relative: number): { node: number; element: number } | null => {
    for (let v = 0; v < nodes; v++) {
      const got = gradient[v];
      if (got === null || got === undefined) continue;
      for (let i = 0; i < got.length; i++) {
        const want = truth.cotangent[v][i] * factor;
        if (!(Math.abs(got[i] - want) <= relative * (truth.scale[v][i] * factor) + 1e-14))
          return { node: v, element: i };
      }
    }
    return null;
  };
  const found = find(given ?? RELATIVE);
  if (found === null || given !== null || !isBinary32(gradient)) return found;
  return find(RELATIVE_F32);
}

/** Values told by the engine that are not those of the graph. */
function wrongValue(foreign: Foreign, truth: Truth, made: Reading): Place | null {
  if (foreign.form === "sweep") return null;
  for (let v = 0; v < made.length; v++) {
    const got = made[v];
    if (got === null) continue;
    for (let i = 0; i < got.length; i++) {
      const want = truth.nodes[v].value[i];
      const scale = graphScale(truth);
      if (!(Math.abs(got[i] - want) <= RELATIVE_F32 * scale)) return { node: v, element: i };
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
  const offValue = wrongValue(foreign, truth, outcome.made);
  const judged = (symptom: Symptom | null, leftover = false): Judged => ({
    graph,
    truth,
    outcome,
    symptom,
    offValue,
    leftover,
  });
  const nodes = foreign.form === "sweep" ? truth.nodes.length : graph.inputs.length;
  if (outcome.gradient.length > 0) {
    const off = mismatch(outcome.gradient, truth, nodes, foreign.tolerance);
    if (off !== null) return judged({ kind: "gradient", ...off });
  }
  if (offValue !== null) return judged({ kind: "value", ...offValue });
  if (outcome.trouble !== null) {
    // without a way to reset, an engine may refuse to sweep twice
    const second = outcome.gradient.length > 0 && outcome.again === null && !foreign.resets;
    return judged(second ? null : { kind: "trouble", trouble: outcome.trouble });
  }
  if (outcome.again === null) return judged(null);
  const off = mismatch(outcome.again, truth, nodes, foreign.tolerance);
  if (off === null) return judged(null);
  if (foreign.resets) return judged({ kind: "second sweep", ...off });
  // leaves may add up over sweeps, as parameters do in most engines
  const adds = mismatch(outcome.again, truth, nodes, foreign.tolerance, 2) === null;
  return judged(null, !adds);
}
