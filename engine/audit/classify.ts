/**
 * Which fault an engine has, by experiment: is the run repeatable, are values left alone, is each rule right by itself,
 * are graphs right in which nothing is shared, and which faulty sweep predicts what is said where values are shared.
 */
import { truthOf } from "./graph.js";
import type { Foreign } from "./engine.js";
import type { FaultClass } from "./fault-class.js";
import type { Limits } from "./generate.js";
import { mismatch, type Judged } from "./judge.js";
import { overwriteIn, remainder } from "./lost.js";
import { agrees, observeMany, type Observation } from "./observe.js";
import { wrongRules } from "./probes.js";
import { sharingSimulators, treeSimulators, type Scope, type Simulator } from "./simulate.js";

export interface Diagnosis {
  readonly fault: FaultClass;
  /** what exactly; "" where the class says all */
  readonly detail: string;
  /** operations that have the fault, by name; null: it is the sweep's */
  readonly operations: readonly string[] | null;
  /** how it was found out, a sentence each */
  readonly evidence: readonly string[];
}

/** What is known beside the failing graph. */
export interface Context {
  readonly foreign: Foreign;
  readonly limits: Limits;
  readonly seed: number;
  /** the first graph that the engine got right, to be tried again */
  readonly right: Judged["graph"] | null;
}

const RERUNS = 20;
const SAMPLES = 60;
const TREES = 24;
/** Part of the graphs that a prediction must meet when none meets all. */
const MOST = 0.9;

const diagnosis = (
  fault: FaultClass,
  detail: string,
  evidence: readonly string[],
  operations: readonly string[] | null = null,
): Diagnosis => ({ fault, detail, operations, evidence });

const replay: FaultClass = "replay with new randomness or another branch";

/** @param failing the smallest failing graph, run with everything observed */
export function classify(failing: Judged, context: Context): Diagnosis {
  const { symptom } = failing;
  if (symptom?.kind === "trouble") return troubled(failing);
  return (
    changedValues(failing) ??
    wrongValues(failing, context) ??
    unsteady(failing, context) ??
    byRules(context) ??
    byTrees(context) ??
    bySharing(failing, context) ??
    byRemainder(failing) ??
    diagnosis("unclassified", "", ["none of the faulty sweeps that were tried predicts these gradients"])
  );
}

function troubled({ symptom }: Judged): Diagnosis {
  const trouble = symptom?.kind === "trouble" ? symptom.trouble : null;
  if (trouble?.kind === "overflow") return diagnosis("stack overflow", trouble.message, []);
  return diagnosis("throws", trouble?.message ?? "", []);
}

/** Values that are not what they were when the node was made. */
function changedValues({ outcome, truth }: Judged): Diagnosis | null {
  const { made, before, after } = outcome;
  const moved = (a: Float64Array | null | undefined, b: Float64Array | null | undefined): boolean =>
    a !== null &&
    a !== undefined &&
    b !== null &&
    b !== undefined &&
    a.some((x, i) => !Object.is(x, b[i]) && !(Math.abs(x - b[i]) <= 1e-9 * Math.abs(x)));
  for (let v = 0; v < truth.nodes.length; v++) {
    if (moved(made[v], before[v]))
      return diagnosis("write after read", "by a later operation", [
        "a node's value changed during the forward pass",
      ]);
    if (moved(before[v], after[v]))
      return diagnosis("write after read", "by the sweep", ["a node's value changed during the sweep"]);
  }
  return null;
}

/** Values that are wrong when they are made. */
function wrongValues({ offValue, graph }: Judged, { foreign }: Context): Diagnosis | null {
  if (offValue === null) return null;
  const step = graph.steps[offValue.node - graph.inputs.length];
  const name = step === undefined ? null : foreign.operations[step.op].name;
  return diagnosis(
    "wrong value",
    name === null ? "of a leaf" : `of ${name}`,
    [],
    name === null ? null : [name],
  );
}

/** Runs that do not give the same twice. */
function unsteady(failing: Judged, { foreign, right }: Context): Diagnosis | null {
  const draws = failing.outcome.draws.filter(({ phase }) => phase !== "forward").length;
  if (draws > 0)
    return diagnosis(replay, "the reverse sweep draws random numbers or reads a clock", [
      `${draws} draws during the sweep of the smallest graph`,
    ]);
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
  const steps = runs.slice(1).map((run, k) => run.map((x, i) => x - runs[k][i]));
  // an engine that repeats itself does so to the last bit
  const differs = steps.some((step) => step.some((d) => d !== 0));
  const always = steps.every((step) => step.some((d) => d !== 0));
  // what is left over from run to run only ever adds
  const drifts = runs[0]?.every(
    (_, i) => steps.every((step) => step[i] >= 0) || steps.every((step) => step[i] <= 0),
  );
  if (always && drifts === true && !decides)
    return diagnosis("stale gradients", "from one graph to the next", [
      "the same graph gives gradients that grow each time it is run",
    ]);
  if (differs) return diagnosis(replay, "the same graph gives other gradients each time it is run", []);
  if (right === null) return null;
  const wrong = Array.from({ length: RERUNS }, () => {
    const again = foreign.run(right);
    const truth = truthOf(right, foreign.operations, again.made);
    return (
      again.trouble === null &&
      mismatch(again.gradient, truth, right.inputs.length, foreign.tolerance) !== null
    );
  });
  const times = wrong.filter(Boolean).length;
  if (times > 0 && times < RERUNS)
    return diagnosis(replay, "the same graph gives other gradients each time it is run", []);
  if (times === RERUNS)
    return diagnosis("stale gradients", "from one graph to the next", [
      "a graph that was right when it was run first is wrong now",
    ]);
  return null;
}

function byRules({ foreign, limits, seed }: Context): Diagnosis | null {
  const shape = limits.shapes.find((one) => one.length === 1) ?? limits.shapes[0];
  const wrong = wrongRules(foreign, seed, shape, limits.shapes);
  if (wrong.length === 0) return null;
  const first = wrong[0];
  const same = wrong.filter(({ fault }) => fault === first.fault);
  const names = same.map(({ operation }) => foreign.operations[operation].name);
  return diagnosis(
    first.fault,
    first.detail,
    [`wrong in a graph of that one operation, nothing shared: ${names.join(", ")}`],
    names,
  );
}

/** Graphs of plain numbers on which predictions can be made. */
function plainLimits(limits: Limits): Limits {
  const only = limits.operations.flatMap((op, i) =>
    op.kind === "elementwise" && op.value !== null ? [i] : [],
  );
  const shape = limits.shapes.find((one) => one.length === 1) ?? limits.shapes[0];
  return { ...limits, only, shapes: [shape] };
}

interface Fit {
  readonly simulator: Simulator;
  readonly scope: Scope;
  /** part of all graphs, and of the wrong ones */
  readonly score: number;
}

function scoreOf(foreign: Foreign, simulator: Simulator, scope: Scope, seen: readonly Observation[]): number {
  let met = 0;
  for (const one of seen) if (agrees(foreign, one, simulator.predict(one.tape, scope))) met++;
  return met / seen.length;
}

/** The faulty sweep that says what the engine says; of those that meet all graphs the first. */
function bestFit(
  foreign: Foreign,
  simulators: readonly Simulator[],
  seen: readonly Observation[],
): Fit | null {
  const wrong = seen.filter((one) => one.wrong);
  if (wrong.length === 0) return null;
  let best: Fit | null = null;
  for (const simulator of simulators) {
    const score = scoreOf(foreign, simulator, null, seen);
    if (score === 1) return { simulator, scope: null, score };
    if (scoreOf(foreign, simulator, null, wrong) < 0.5) continue;
    if (best === null || score > best.score) best = { simulator, scope: null, score };
  }
  const scoped = inSomeOperations(foreign, simulators, seen);
  if (scoped !== null && (best === null || scoped.score > best.score)) best = scoped;
  return best !== null && best.score >= MOST ? best : null;
}

/** The fault in some operations only: added one by one while the prediction gets better. */
function inSomeOperations(
  foreign: Foreign,
  simulators: readonly Simulator[],
  seen: readonly Observation[],
): Fit | null {
  const used = [...new Set(seen.flatMap(({ graph }) => graph.steps.map(({ op }) => op)))];
  const none = seen.filter((one) => !one.wrong).length / seen.length;
  let best: Fit | null = null;
  for (const simulator of simulators) {
    if (!simulator.scoped) continue;
    let scope = new Set<number>();
    let score = none;
    for (;;) {
      let next: { scope: Set<number>; score: number } | null = null;
      for (const op of used) {
        if (scope.has(op)) continue;
        const wider = new Set(scope).add(op);
        const s = scoreOf(foreign, simulator, wider, seen);
        if (s > score && (next === null || s > next.score)) next = { scope: wider, score: s };
      }
      if (next === null) break;
      ({ scope, score } = next);
      if (score === 1) break;
    }
    if (score > none && (best === null || score > best.score)) best = { simulator, scope, score };
    if (score === 1) break;
  }
  return best;
}

function fitted(foreign: Foreign, { simulator, scope, score }: Fit, count: number): Diagnosis {
  const names = scope === null ? null : [...scope].map((op) => foreign.operations[op].name);
  const met = score === 1 ? `all ${count}` : `${Math.round(score * count)} of ${count}`;
  const evidence = [`a sweep with this fault predicts the engine's gradients on ${met} graphs`];
  return diagnosis(simulator.fault, simulator.detail, evidence, names);
}

function byTrees({ foreign, limits, seed }: Context): Diagnosis | null {
  const seen = observeMany(foreign, plainLimits(limits), seed, "tree", TREES);
  const fit = bestFit(foreign, treeSimulators, seen);
  if (fit !== null) return fitted(foreign, fit, seen.length);
  if (!seen.some((one) => one.wrong)) return null;
  // wrong only where an operation stands more than once: something it keeps is kept once
  const repeats = ({ graph }: Observation): boolean =>
    new Set(graph.steps.map(({ op }) => op)).size < graph.steps.length;
  if (
    seen.every((one) => !one.wrong || repeats(one)) &&
    seen.some((one) => !one.wrong && one.graph.steps.length > 1)
  )
    return diagnosis("one slot per loop", "", ["wrong only in graphs in which an operation stands twice"]);
  return null;
}

/** No sweep as a whole fits: what is too much or too little at the smallest graph is whole contributions, all the same. */
function byRemainder(failing: Judged): Diagnosis | null {
  const found = remainder(failing);
  if (found === null) return null;
  const many = found.count === 1 ? "one contribution" : `${found.count} contributions`;
  return found.missing
    ? diagnosis("dropped second branch", "", [`${many} of the smallest graph never arrived`])
    : diagnosis("double counting", "", [`${many} of the smallest graph came once too often`]);
}

function bySharing(failing: Judged, { foreign, limits, seed }: Context): Diagnosis | null {
  const seen = observeMany(foreign, plainLimits(limits), seed, "shared", SAMPLES);
  const fit = bestFit(foreign, sharingSimulators, seen);
  const written = overwriteIn(foreign, failing);
  if (fit !== null && (fit.score === 1 || written === null)) return fitted(foreign, fit, seen.length);
  if (written === null) return null;
  return diagnosis("overwrite", "", ["a write was seen that puts a contribution where another one stood"]);
}
