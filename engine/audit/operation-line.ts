/**
 * Where an operation's wrong derivative was worked out, in an engine whose sweep adds every operation's contribution in
 * one line: that line is right, since others are paid by it. The operation's own is found by what only it runs.
 */
import { placeOf, type SitePlace } from "../tape/sites.js";
import { near } from "./arrivals.js";
import { blamedSite } from "./blame.js";
import type { Diagnosis } from "./diagnosis.js";
import type { Foreign } from "./engine.js";
import type { FaultClass } from "./fault-class.js";
import { nodeCount, type AuditGraph } from "./graph.js";
import { judge, type Judged } from "./judge.js";
import { Listener } from "./listen.js";
import { single } from "./probes.js";
import { sharedCell, sharingWrite } from "./shared-cells.js";
import { CaseStream } from "./stream.js";

interface OperationLine {
  /** null: nothing that only this operation runs was seen */
  readonly place: SitePlace | null;
  /** the line that adds the contribution, which other operations share; null: another operation's */
  readonly adds: SitePlace | null;
}

/** What one run wrote and called, in order. */
interface Trail {
  readonly swept: readonly number[];
  readonly made: readonly number[];
  readonly sweptWrites: readonly number[];
  readonly madeWrites: readonly number[];
}

const STREAM = 0x60000000;

function trailOf(foreign: Foreign, graph: AuditGraph): Trail {
  const listener = new Listener();
  foreign.run(graph, { listener });
  const { entered, writes } = listener;
  const makes = ({ node }: { readonly node: number }): boolean =>
    node >= graph.inputs.length && node < nodeCount(graph);
  const sites = (all: readonly { readonly site: number }[]): number[] => all.map(({ site }) => site);
  return {
    swept: sites(entered.filter(({ phase }) => phase !== "forward")),
    made: sites(entered.filter((one) => one.phase === "forward" && makes(one))),
    sweptWrites: sites(writes.filter(({ phase }) => phase !== "forward")),
    madeWrites: sites(writes.filter((one) => one.phase === "forward" && makes(one))),
  };
}

/** A graph of one operation alone, or null. */
function aloneOf(foreign: Foreign, op: number, seed: number): AuditGraph | null {
  const shape = foreign.operations[op].kind === "matmul" ? [2, 2] : foreign.shape;
  return single(foreign, op, [shape], new CaseStream(seed, STREAM + op));
}

/** What is written and called for operations other than these. */
function sitesOfOthers(foreign: Foreign, names: readonly string[], seed: number): Set<number> {
  const shared = new Set<number>();
  foreign.operations.forEach((row, other) => {
    const made = names.includes(row.name) ? null : aloneOf(foreign, other, seed);
    if (made === null) return;
    for (const sites of Object.values(trailOf(foreign, made)) as readonly number[][])
      for (const at of sites) shared.add(at);
  });
  return shared;
}

/** The function that only one of these operations runs when it makes its node, the last that is entered; null: none was seen. */
function makingFunction(
  foreign: Foreign,
  judged: Judged,
  names: readonly string[],
  seed: number,
): SitePlace | null {
  const shared = sitesOfOthers(foreign, names, seed);
  const op = foreign.operations.findIndex(({ name }) => names.includes(name));
  const alone = aloneOf(foreign, op, seed) ?? judged.graph;
  const made = trailOf(foreign, alone).made.findLast((at) => !shared.has(at));
  return made === undefined ? null : placeOf(made);
}

/** Where an operation makes a node that shares its operand's gradient: the write that hands it on, or the operation itself. */
function makingLine(
  foreign: Foreign,
  judged: Judged,
  names: readonly string[],
  seed: number,
): { place: SitePlace | null; said: string } | null {
  const cell = sharedCell(judged);
  if (cell === null) return null;
  const shared = sitesOfOthers(foreign, names, seed);
  const write = sharingWrite(judged);
  if (write !== null && !shared.has(write.site)) return { place: placeOf(write.site), said: "" };
  const op = judged.graph.steps[cell.later - judged.graph.inputs.length]?.op;
  if (op === undefined) return null;
  const alone = aloneOf(foreign, op, seed) ?? judged.graph;
  const made = trailOf(foreign, alone).made.findLast((at) => !shared.has(at));
  if (made === undefined) return write === null ? null : { place: placeOf(write.site), said: "" };
  return { place: placeOf(made), said: "the function marked makes that node" };
}

/**
 * Null where the line that pays is the operation's own, or nothing tells it from others.
 *
 * @param site the write that put the wrong contribution down
 * @param wrong the operations that have the fault, by name
 * @param seed of the graphs of one operation each
 */
function operationLine(
  foreign: Foreign,
  graph: AuditGraph,
  site: number,
  wrong: readonly string[],
  seed: number,
): OperationLine | null {
  const { operations } = foreign;
  const op = graph.steps.find((step) => wrong.includes(operations[step.op].name))?.op;
  const adds = placeOf(site);
  if (op === undefined || adds === null) return null;
  const shared = sitesOfOthers(foreign, wrong, seed);
  if (!shared.has(site)) return null;
  const alone = aloneOf(foreign, op, seed) ?? graph;
  const trail = trailOf(foreign, alone);
  const adding = trail.sweptWrites.includes(site);
  const own = (sites: readonly number[]): number | undefined => sites.findLast((at) => !shared.has(at));
  // a rule that the sweep calls works it out there; else it was put down when the node was made
  const found =
    own(trail.sweptWrites) ?? own(trail.swept) ?? own(trail.madeWrites) ?? own(trail.made) ?? null;
  return { place: found === null ? null : placeOf(found), adds: adding ? adds : null };
}

const shownPlace = ({ file, line }: SitePlace): string => `${file.slice(file.lastIndexOf("/") + 1)}:${line}`;

/** What is said of it beside the fault. */
function textOf({ place, adds }: OperationLine): string {
  if (adds === null) return place === null ? "its own line was not seen" : "";
  const only = `${shownPlace(adds)} only adds it, as it does for other operations`;
  return place === null ? `${only}: where it is worked out was not seen` : only;
}

/** Faults that are looked for where one of the operations that have them pays. */
const paying: ReadonlySet<FaultClass> = new Set<FaultClass>([
  "wrong local derivative",
  "double counting",
  "dropped second branch",
]);

/**
 * The run in which the line is looked for: at a node that only these operations pay, else a graph of one of them alone. A
 * node that others pay too would lead to a line of theirs, which may be right.
 */
function witness(foreign: Foreign, judged: Judged, { fault, operations, alone }: Diagnosis): Judged {
  const { graph, symptom } = judged;
  if (operations === null || !paying.has(fault) || symptom === null || symptom.kind !== "gradient")
    return judged;
  const node = paidByThese(foreign, judged, operations);
  if (node !== null) return { ...judged, symptom: { ...symptom, node } };
  if (alone === undefined || alone === graph) return judged;
  const shown = judge(foreign, alone, foreign.run(alone, { listener: new Listener(), inner: true }));
  return shown.symptom?.kind === "gradient" ? shown : judged;
}

/** A node with a wrong cotangent that is paid by these operations alone, the nearest to the output. */
function paidByThese(
  foreign: Foreign,
  { graph, truth, outcome }: Judged,
  names: readonly string[],
): number | null {
  const isWrong = (v: number): boolean =>
    outcome.gradient[v]?.some((x, i) => !near(x, truth.cotangent[v][i])) === true;
  const has = (v: number): boolean =>
    names.includes(foreign.operations[graph.steps[v - graph.inputs.length].op].name);
  for (let v = graph.output - 1; v >= 0; v--) {
    const uses = truth.edges.filter(({ to }) => to === v);
    if (uses.length > 0 && isWrong(v) && uses.every(({ from }) => has(from) && !isWrong(from))) return v;
  }
  return null;
}

interface LineFound {
  readonly place: SitePlace | null;
  readonly detail: string;
  /** true: the line is the sweep's, whatever operations it shows with */
  readonly common?: boolean;
}

/**
 * The line at fault, and what is said of it: of a wrong derivative the line that works it out, not the one that adds it.
 * Where what was seen does not tell a line from right ones, none.
 */
export function lineOf(foreign: Foreign, judged: Judged, found: Diagnosis, seed: number): LineFound {
  const { fault, detail, operations } = found;
  const seen = witness(foreign, judged, found);
  const site = blamedSite(fault, foreign, seen);
  const place = site === null ? null : placeOf(site);
  const making =
    fault === "aliasing" && operations !== null ? makingLine(foreign, judged, operations, seed) : null;
  if (making !== null) return { place: making.place, detail: withText(detail, making.said) };
  if (fault === "wrong value") {
    const makes = operations === null ? null : makingFunction(foreign, judged, operations, seed);
    return {
      place: makes,
      detail: makes === null ? detail : withText(detail, "the function marked makes that node"),
    };
  }
  if (fault === "overwrite" && site !== null && operations !== null)
    return { place, detail, common: sitesOfOthers(foreign, operations, seed).has(site) };
  if (site === null || operations === null || fault !== "wrong local derivative") return { place, detail };
  const own = operationLine(foreign, seen.graph, site, operations, seed);
  if (own === null) return { place, detail };
  if (found.either === true && own.place !== null && own.adds !== null) {
    const [made, added] = [own.place, own.adds].map(shownPlace);
    const said = `${made} or the sweep, which adds it at ${added}: no other operation could tell which`;
    return { place: null, detail: withText(detail, said) };
  }
  // a line that other operations are paid by too is better than none; one that these are not paid by is not
  return { place: own.place ?? own.adds, detail: withText(detail, textOf(own)) };
}

const withText = (detail: string, said: string): string => [detail, said].filter((x) => x !== "").join("; ");
