/**
 * Which fault an engine has, by experiment: is the run repeatable, are values left alone, is each rule right by itself,
 * are graphs right in which nothing is shared, and which faulty sweep predicts what is said where values are shared. Of
 * several faults the one counts that the smallest failing graph shows, because that graph is what is told beside it.
 */
import { aroundWrong, bareDerivative } from "./around.js";
import { changedValue, sharedSlot } from "./blame.js";
import { overwritesWithin } from "./composite.js";
import { diagnosis, type Context, type Diagnosis } from "./diagnosis.js";
import type { Foreign } from "./engine.js";
import type { FaultClass } from "./fault-class.js";
import { bestFit, explains, type Fit } from "./fit.js";
import type { Limits } from "./generate.js";
import type { AuditGraph } from "./graph.js";
import type { Judged } from "./judge.js";
import { overwriteIn, remainder } from "./lost.js";
import { neverWritesOver, oneBuffer, pushedAsPaid } from "./buffers.js";
import { changedHeld } from "./held-values.js";
import { oneSlotForOperands } from "./loop-slot.js";
import { observe, observeMany, type Observation } from "./observe.js";
import { telling, wrongIn, wrongRules } from "./probes.js";
import { firstStays, ONCE_A_PATH, REPEATED_ONCE, sharingSimulators, treeSimulators } from "./simulate.js";
import { bySharedCell } from "./shared-cells.js";
import { unsteady } from "./unsteady.js";

export type { Diagnosis } from "./diagnosis.js";

const SAMPLES = 60;
const TREES = 24;

/** @param failing the smallest failing graph, run with everything observed */
export function classify(failing: Judged, context: Context): Diagnosis {
  const { symptom } = failing;
  if (symptom?.kind === "trouble") return troubled(failing);
  return (
    changedValues(failing) ??
    wrongValues(failing, context) ??
    changedHeld(failing) ??
    unsteady(failing, context) ??
    bySeed(failing) ??
    byBuffers(failing) ??
    oneSlotForOperands(context) ??
    byRules(failing, context) ??
    byTrees(failing, context) ??
    bySharedCell(failing, context.foreign) ??
    bySharing(failing, context) ??
    byWrites(failing, context) ??
    bareDerivative(failing, context) ??
    byTrees(failing, context, false) ??
    byRemainder(failing) ??
    unclassified(failing, context)
  );
}

/** What is left: what was seen around the wrong cotangent, and what else is wrong. */
function unclassified(failing: Judged, context: Context): Diagnosis {
  const { foreign, limits, seed } = context;
  const rules = wrongRules(foreign, seed, foreign.shape, limits.shapes);
  const alone = rules.map(({ operation }) => foreign.operations[operation].name);
  return diagnosis("unclassified", "", aroundWrong(failing, context, alone));
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
function wrongValues({ offValue, graph, outcome, truth }: Judged, { foreign }: Context): Diagnosis | null {
  if (offValue === null) return null;
  const { node, element } = offValue;
  const show = (x: number | undefined): string => String(Number((x ?? Number.NaN).toPrecision(6)));
  const numbers = `${show(outcome.made[node]?.[element])} instead of ${show(truth.nodes[node].value[element])}`;
  const step = graph.steps[node - graph.inputs.length];
  const name = step === undefined ? null : foreign.operations[step.op].name;
  return diagnosis("wrong value", `of ${name ?? "a leaf"}: ${numbers}`, [], name === null ? null : [name]);
}

/** A bare sweep that begins with another cotangent than the one it was given, and is right for that. */
function bySeed({ outcome, truth, graph }: Judged): Diagnosis | null {
  const began = outcome.gradient[graph.output]?.[0] ?? Number.NaN;
  if (!Number.isFinite(began) || began === 0 || began === graph.seed) return null;
  const factor = began / graph.seed;
  const fits = truth.cotangent.every((want, v) =>
    want.every(
      (x, i) => Math.abs((outcome.gradient[v]?.[i] ?? 0) - x * factor) <= 1e-9 * Math.abs(x * factor),
    ),
  );
  if (!fits) return null;
  return diagnosis(
    "wrong local derivative",
    `the sweep begins with ${began} where the output's cotangent is ${graph.seed}`,
    ["every gradient is wrong by the same factor, the output's own too"],
  );
}

/** Inputs whose handles hold one object, into which the sweep writes, and for which the engine says the same. */
function byBuffers(failing: Judged): Diagnosis | null {
  if (!oneBuffer(failing)) return null;
  return diagnosis("aliasing", "from the start", [
    "the handles of two nodes hold one object, which the sweep writes to",
  ]);
}

/** Only the operations of the failing graph count: another one's fault is not what it shows. */
function byRules(failing: Judged, { foreign, limits, seed }: Context): Diagnosis | null {
  const shown = new Set(failing.graph.steps.map(({ op }) => op));
  const any = wrongRules(foreign, seed, foreign.shape, limits.shapes);
  const all = any.filter(({ operation }) => shown.has(operation));
  if (all.length === 0) return null;
  // made of other operations, between which contributions are lost: no rule is wrong for that
  const composite = all.filter(({ graph }) => overwritesWithin(foreign, graph));
  const wrong = all.filter((one) => !composite.includes(one));
  if (wrong.length === 0) {
    const inside = composite.map(({ operation }) => foreign.operations[operation].name);
    const evidence = "what was assigned over, added to what is left, is the right gradient";
    return diagnosis("overwrite", `within ${inside.join(", ")}`, [evidence], inside);
  }
  // the fault most of them have: a sum where a product is due looks like double counting for an addition
  const having = (one: FaultClass): number => wrong.filter(({ fault }) => fault === one).length;
  const first = wrong.reduce((best, one) => (having(one.fault) > having(best.fault) ? one : best));
  const same = wrong.filter(({ fault }) => fault === first.fault);
  const names = same.map(({ operation }) => foreign.operations[operation].name);
  const evidence = [`wrong in a graph of that one operation, nothing shared: ${names.join(", ")}`];
  const able = first.swapped ? telling(foreign, seed) : [];
  const everywhere = able.every((op) => any.some(({ operation, swapped }) => operation === op && swapped));
  // where all are swapped that can be, it is what they have in common: the sweep
  if (everywhere && able.length > 1)
    return diagnosis(
      first.fault,
      `the derivatives of two operands are swapped, in ${able.map((op) => foreign.operations[op].name).join(", ")}`,
      evidence,
    );
  // the numbers of the smallest graph rather than of another point, where it is one operation on leaves used once
  const [step, ...more] = failing.graph.steps;
  const alone =
    more.length === 0 && step.op === first.operation && new Set(step.operands).size === step.operands.length;
  const shownThere = alone && !first.broadcasts ? wrongIn(foreign, first.operation, failing.graph) : null;
  const detail = shownThere?.fault === first.fault ? shownThere.detail : first.detail;
  return {
    ...diagnosis(first.fault, detail, evidence, names),
    alone: first.graph,
    either: first.swapped && everywhere,
  };
}

/** Graphs of plain numbers on which predictions can be made, of the operations of one graph or of all. */
function plainLimits({ shape }: Foreign, limits: Limits, graph: AuditGraph | null = null): Limits {
  const used = graph === null ? null : new Set(graph.steps.map(({ op }) => op));
  const only = limits.operations.flatMap((op, i) =>
    op.kind === "elementwise" && op.value !== null && used?.has(i) !== false ? [i] : [],
  );
  return { ...limits, only, shapes: [shape] };
}

function fitted(foreign: Foreign, { simulator, scope, score }: Fit, count: number): Diagnosis {
  const names = scope === null ? null : [...scope].map((op) => foreign.operations[op].name);
  const met = score === 1 ? `all ${count}` : `${Math.round(score * count)} of ${count}`;
  const evidence = [`a sweep with this fault predicts the engine's gradients on ${met} graphs`];
  const { detail } = simulator;
  const told = detail === "" || names === null ? detail : `${names.join(", ")}: ${detail}`;
  return diagnosis(simulator.fault, told, evidence, names);
}

/** What the engine says of the smallest failing graph, where predictions can be made for it. */
function shownBy({ graph, symptom }: Judged, { foreign }: Context): Observation | null {
  const seen = symptom?.kind === "gradient" ? observe(foreign, graph) : null;
  // an engine that draws may be right this time
  return seen?.wrong === true ? seen : null;
}

/** @param only what the failing graph shows counts, not another fault */
function byTrees(failing: Judged, context: Context, only = true): Diagnosis | null {
  const { foreign, limits, seed } = context;
  const seen = observeMany(foreign, plainLimits(foreign, limits), seed, "tree", TREES);
  const any = bestFit(foreign, treeSimulators, seen);
  const shown = any === null || !only ? null : shownBy(failing, context);
  const fit =
    any === null || explains(foreign, any, shown) ? any : bestFit(foreign, treeSimulators, seen, shown);
  if (fit !== null) return fitted(foreign, fit, seen.length);
  if (any !== null) return null;
  if (!seen.some((one) => one.wrong)) return null;
  // what is kept once would have been seen, where anything was
  if (failing.outcome.writes.length > 0 && sharedSlot(foreign, failing) === null) return null;
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

/** No sweep fits, and an operation was seen to write over the value of a node that was made before. */
function byWrites(failing: Judged, { foreign }: Context): Diagnosis | null {
  if (changedValue(foreign, failing)?.phase !== "forward") return null;
  return diagnosis("write after read", "by a later operation", [
    "a write was seen that replaces a node's value while a later node is made",
  ]);
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

/** A fault that operations beside those of the smallest graph, with faults of their own, hid. */
function among({ graph }: Judged, { foreign, limits, seed }: Context, shown: Observation | null): Fit | null {
  if (shown === null) return null;
  const only = plainLimits(foreign, limits, graph);
  const seen = observeMany(foreign, only, seed, "shared", SAMPLES);
  const fit = bestFit(foreign, sharingSimulators, seen, shown);
  if (fit === null || fit.scope !== null) return fit;
  const used = new Set(graph.steps.map(({ op }) => op));
  // the others may have the same fault: then it is not theirs alone
  const all = plainLimits(foreign, limits);
  const others = all.only!.filter((op) => !used.has(op));
  const beside =
    others.length === 0 ? [] : observeMany(foreign, { ...all, only: others }, seed, "shared", TREES);
  const alike = sharingSimulators.filter(({ fault }) => fault === fit.simulator.fault);
  const both = beside.length > 0 && bestFit(foreign, alike, beside) !== null;
  return both ? fit : { ...fit, scope: used };
}

function bySharing(failing: Judged, context: Context): Diagnosis | null {
  const { foreign, limits, seed } = context;
  const seen = observeMany(foreign, plainLimits(foreign, limits), seed, "shared", SAMPLES);
  const any = bestFit(foreign, sharingSimulators, seen);
  const shown = shownBy(failing, context);
  const fit =
    any !== null && explains(foreign, any, shown)
      ? any
      : (bestFit(foreign, sharingSimulators, seen, shown) ?? among(failing, context, shown) ?? any);
  const written = overwriteIn(foreign, failing);
  // x * x paid twice, the second time over the first, says the same as one that is paid once
  if (fit?.simulator.detail === REPEATED_ONCE && written !== null)
    return diagnosis("overwrite", "a repeated operand", [
      "a write was seen that puts a contribution of an operand over the one of its other slot",
    ]);
  // one order of visits, two faults: a list that is made first, or a node that is put back on it whenever it is paid
  if (fit?.simulator.detail === ONCE_A_PATH && pushedAsPaid(failing))
    return diagnosis("total pushed on each arrival", "", [
      "a sweep in this order predicts the engine's gradients, and nodes were seen to be put on a list between contributions",
    ]);
  // where nothing was ever written over, it is the first that stays
  if (fit?.simulator.fault === "overwrite" && neverWritesOver(foreign, seen)) {
    const first = bestFit(foreign, firstStays, seen);
    if (first?.score === 1) return fitted(foreign, first, seen.length);
  }
  if (fit !== null && (fit.score === 1 || written === null)) return fitted(foreign, fit, seen.length);
  if (written === null) return null;
  return diagnosis("overwrite", "", ["a write was seen that puts a contribution where another one stood"]);
}
