/** Engines whose runs do not repeat: they draw, they count, or an earlier run has left something behind. */
import { diagnosis, replay, type Context, type Diagnosis } from "./diagnosis.js";
import type { Foreign } from "./engine.js";
import { mismatch, type Judged } from "./judge.js";
import { truthOf } from "./graph.js";
import { nodeNames } from "./print.js";

const RERUNS = 20;
const FROM_EARLIER =
  "from one graph to the next: the engine's numbers contain what graphs that were run before have left";

/** Runs that do not give the same twice. */
export function unsteady(failing: Judged, { foreign, right }: Context): Diagnosis | null {
  const draws = failing.outcome.draws.filter(({ phase }) => phase !== "forward").length;
  if (draws > 0)
    return diagnosis(replay, "the reverse sweep draws random numbers or reads a clock", [
      `${draws} draws during the sweep of the smallest graph`,
    ]);
  if (failing.symptom?.kind === "second sweep" && jumpsTwice(failing, foreign))
    return diagnosis(replay, "the same graph gives other gradients each time it is run", []);
  if (failing.first !== null) return remembered(failing, failing.first);
  if (failing.symptom?.kind === "second sweep")
    return diagnosis("stale gradients", "a second sweep over the same graph", [
      "the first sweep is right, the second is not",
    ]);
  // an operation whose value the engine decides has a truth of its own each time
  const decides = failing.graph.steps.some(({ op }) => foreign.operations[op].value === null);
  const runs: number[][] = [];
  for (let k = 0; k < RERUNS; k++) {
    const outcome = foreign.run(failing.graph);
    if (outcome.trouble !== null) break;
    const truth = truthOf(failing.graph, foreign.operations, outcome.made);
    runs.push(
      outcome.gradient
        .slice(0, failing.graph.inputs.length)
        .flatMap((data, v) =>
          Array.from(data ?? [], (x, i) =>
            decides ? Number(Math.abs(x - truth.cotangent[v][i]) > 1e-6) : Number.isNaN(x) ? 0 : x,
          ),
        ),
    );
  }
  const first = changeOf(runs);
  if (first === "drifts" && !decides)
    return diagnosis("stale gradients", FROM_EARLIER, [
      "the same graph gives gradients that grow each time it is run",
    ]);
  const redrawn = diagnosis(replay, "the same graph gives other gradients each time it is run", []);
  if (first !== "none") return redrawn;
  if (right === null) return null;
  const later: number[][] = [];
  let times = 0;
  for (let k = 0; k < RERUNS; k++) {
    const again = foreign.run(right);
    if (again.trouble !== null) return null;
    const truth = truthOf(right, foreign.operations, again.made);
    if (mismatch(foreign, { graph: right, truth }, again.gradient) !== null) times++;
    later.push(again.gradient.slice(0, right.inputs.length).flatMap((data) => Array.from(data ?? [])));
  }
  // a rare draw spares a small graph for twenty runs, and hits a large one each time
  if ((times > 0 && times < RERUNS) || (times === RERUNS && changeOf(later) === "jumps")) return redrawn;
  if (times === RERUNS)
    return diagnosis("stale gradients", FROM_EARLIER, [
      "a graph that was right when it was run first is wrong now",
    ]);
  return null;
}

/** True where two sweeps over one graph do not give the same each time they are made: what was left would be the same. */
function jumpsTwice({ graph, first }: Judged, foreign: Foreign): boolean {
  const start = first === null ? graph : { ...graph, output: first };
  const options = first === null ? { again: true } : { again: true, from: graph.output };
  const runs: number[][] = [];
  for (let k = 0; k < RERUNS; k++) {
    const { trouble, gradient, again } = foreign.run(start, options);
    if (trouble !== null || again === null) return false;
    runs.push([gradient, again].flatMap((of) => graph.inputs.flatMap((_, v) => Array.from(of[v] ?? []))));
  }
  return changeOf(runs) === "jumps";
}

/** A second sweep, from another node, is wrong. */
function remembered({ graph, outcome }: Judged, first: number): Diagnosis {
  const names = nodeNames(graph);
  const frozen = graph.inputs.every((_, v) => String(outcome.again?.[v]) === String(outcome.gradient[v]));
  const where = `a second sweep over the same graph, from ${names[graph.output]} after one from ${names[first]}`;
  return diagnosis("stale gradients", frozen ? `${where}, gives the gradients of the first` : where, [
    "the first sweep is right, the second, from another node, is not",
  ]);
}

/** How the gradients of one graph change from run to run. What is left over from the run before only ever adds. */
function changeOf(runs: readonly (readonly number[])[]): "none" | "drifts" | "jumps" {
  const steps = runs
    .slice(1)
    .map((run, k) => run.map((x, i) => (Object.is(x, runs[k][i]) ? 0 : x - runs[k][i])));
  const moves = (step: readonly number[]): boolean => step.some((d) => d !== 0);
  // an engine that repeats itself does so to the last bit
  if (!steps.some(moves)) return "none";
  const oneWay = runs[0].every(
    (_, i) => steps.every((step) => step[i] >= 0) || steps.every((step) => step[i] <= 0),
  );
  return steps.every(moves) && oneWay ? "drifts" : "jumps";
}
