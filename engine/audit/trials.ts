/** One graph run on a foreign engine and judged: how the engine is made from its adapter, what it is tried on, how often it is swept. */
import type { AuditDefinition } from "./definition.js";
import { foreignEngine, leafShapes, type Foreign, type RunOptions } from "./engine.js";
import { foreignSweep } from "./foreign-sweep.js";
import type { Limits } from "./generate.js";
import type { AuditGraph } from "./graph.js";
import { judge, type Judged, type Symptom } from "./judge.js";
import { Listener } from "./listen.js";
import { operationsOf, sweepOperations } from "./operations.js";
import { otherOutputs, type Second } from "./second.js";

/** What is said of a second sweep that is no fault. */
export const leftoverNotes = {
  adds: "a second sweep over the same graph adds to what the first has left in intermediate nodes: sweep each graph once, or give reset(nodes)",
  nothing:
    "a second sweep over the same graph, from another node, changes nothing: sweep each graph once, or give reset(nodes)",
};

/** Why no line is named. */
export const unseenNote = ({ outcome }: Judged): string =>
  outcome.writes.some(({ phase }) => phase !== "forward")
    ? "no write was seen that shows the fault, so no line is named"
    : "no write of the engine could be observed, so no line is named";

/** How a graph is judged: see `trial`. */
export interface Judging {
  readonly turn?: number;
  readonly watched?: boolean;
}

export function foreignOf(definition: AuditDefinition): Foreign {
  if (definition.form === "sweep") return foreignSweep(definition, sweepOperations);
  return foreignEngine(definition.engine, operationsOf(definition.engine, definition.site));
}

export function limitsOf(definition: AuditDefinition, foreign: Foreign): Limits {
  const { operations } = foreign;
  if (definition.form === "sweep") {
    // a sweep without a second parameter takes the cotangent to be 1
    const seeds = definition.sweep.length < 2 ? [1] : [1, 1, 1, 0.5, -2];
    return { operations, shapes: [[]], lastIsOutput: true, seeds };
  }
  return { operations, shapes: leafShapes(definition.engine), lastIsOutput: false, seeds: [1] };
}

export function sameKind(a: Symptom, b: Symptom): boolean {
  if (a.kind === "trouble" && b.kind === "trouble") return a.trouble.kind === b.trouble.kind;
  // a wrong value makes wrong gradients, and the smaller graph may show only one of them
  const first = (kind: Symptom["kind"]): boolean => kind === "gradient" || kind === "value";
  return a.kind === b.kind || (first(a.kind) && first(b.kind));
}

/** @param turn which of the nodes the second sweep begins at, where it is another's turn each time; else all in turn */
export function trial(
  foreign: Foreign,
  graph: AuditGraph,
  second: Second,
  { turn, watched = false }: Judging = {},
): Judged {
  // values tell a fault of the forward pass from one of the sweep
  const inner = foreign.tellsValues && foreign.form === "engine";
  const run = (options: RunOptions): Judged => {
    const listening = watched ? { listener: new Listener(), inner: true } : {};
    return judge(foreign, graph, foreign.run(graph, { inner, ...listening, ...options }));
  };
  const others = second === "other" && !foreign.sumsFirst ? otherOutputs(graph) : [];
  if (others.length === 0) return run({ again: second === "same" });
  const from = turn === undefined ? others : [others[turn % others.length]];
  let judged = run({ again: true, from: from[0] });
  for (const v of from.slice(1)) {
    if (judged.symptom !== null) break;
    judged = run({ again: true, from: v });
  }
  return judged;
}
