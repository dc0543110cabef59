/** Graphs made for a diagnosis, run on the foreign engine: what it says of each, ready to be compared with predictions. */
import type { Foreign } from "./engine.js";
import { randomAuditGraph, randomTree, type Limits } from "./generate.js";
import { isTameGraph, truthOf, type AuditGraph, type Truth } from "./graph.js";
import { isPlain, simTape, type SimTape } from "./sim-tape.js";
import { CaseStream } from "./stream.js";

/** What the engine says of the inputs of one graph, the first element of each. */
export interface Observation {
  readonly graph: AuditGraph;
  readonly truth: Truth;
  readonly tape: SimTape;
  readonly got: readonly number[];
  /** the true cotangents are not what it says */
  readonly wrong: boolean;
}

const RELATIVE = 1e-6;
/** Looser, for engines in binary32. */
const RELATIVE_F32 = 2e-3;

export function agrees(foreign: Foreign, observation: Observation, predicted: ArrayLike<number>): boolean {
  const { got, truth } = observation;
  const relative = (foreign.tolerance ?? 0) > 1e-7 ? RELATIVE_F32 : RELATIVE;
  return got.every((x, v) => {
    const want = predicted[v];
    if (Number.isNaN(x) || Number.isNaN(want)) return Number.isNaN(x) && Number.isNaN(want);
    return Math.abs(x - want) <= relative * (truth.scale[v][0] + Math.abs(want)) + 1e-12;
  });
}

/** Null where the engine gave no gradient, or the graph is none that predictions can be made for. */
export function observe(foreign: Foreign, graph: AuditGraph): Observation | null {
  const outcome = foreign.run(graph);
  if (outcome.trouble !== null || outcome.gradient.length === 0) return null;
  const truth = truthOf(graph, foreign.operations, outcome.made);
  if (!isPlain(graph, foreign.operations, truth)) return null;
  const got = graph.inputs.map((_, v) => outcome.gradient[v]?.[0] ?? 0);
  const tape = simTape(graph, foreign.operations, truth);
  const right = truth.cotangent.map((data) => data[0]);
  const made = { graph, truth, tape, got, wrong: false };
  return { ...made, wrong: !agrees(foreign, made, right) };
}

const ITEM = 0x40000000;

/** Random graphs of one kind on operations that are right by themselves. */
export function observeMany(
  foreign: Foreign,
  limits: Limits,
  seed: number,
  kind: "tree" | "shared",
  count: number,
): Observation[] {
  const out: Observation[] = [];
  for (let item = 0; out.length < count && item < count * 2; item++) {
    const stream = new CaseStream(seed, ITEM + item * 2 + (kind === "tree" ? 1 : 0));
    const graph = kind === "tree" ? randomTree(stream, limits) : randomAuditGraph(stream, item % 4, limits);
    if (!isTameGraph(graph, foreign.operations)) continue;
    const seen = observe(foreign, graph);
    if (seen !== null) out.push(seen);
  }
  return out;
}
