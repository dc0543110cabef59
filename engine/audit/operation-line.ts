/**
 * Where an operation's wrong derivative was worked out, in an engine whose sweep adds every operation's contribution in
 * one line: that line is right, since others are paid by it. The operation's own is found by what only it runs.
 */
import { placeOf, type SitePlace } from "../tape/sites.js";
import { blamedSite } from "./blame.js";
import type { Diagnosis } from "./diagnosis.js";
import type { Foreign } from "./engine.js";
import { nodeCount, type AuditGraph } from "./graph.js";
import type { Judged } from "./judge.js";
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

/** What is written and called for operations other than these. */
function sitesOfOthers(foreign: Foreign, names: readonly string[], seed: number): Set<number> {
  const shared = new Set<number>();
  foreign.operations.forEach((row, other) => {
    if (row.kind !== "elementwise" || names.includes(row.name)) return;
    const made = single(foreign, other, [foreign.shape], new CaseStream(seed, STREAM + other));
    if (made === null) return;
    for (const sites of Object.values(trailOf(foreign, made)) as readonly number[][])
      for (const at of sites) shared.add(at);
  });
  return shared;
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
  const alone = single(foreign, op, [foreign.shape], new CaseStream(seed, STREAM + op)) ?? judged.graph;
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
  const alone = single(foreign, op, [foreign.shape], new CaseStream(seed, STREAM + op)) ?? graph;
  const trail = trailOf(foreign, alone);
  const adding = trail.sweptWrites.includes(site);
  const own = (sites: readonly number[]): number | undefined => sites.findLast((at) => !shared.has(at));
  // a rule that the sweep calls works it out there; else it was put down when the node was made
  const found =
    own(trail.sweptWrites) ?? own(trail.swept) ?? own(trail.madeWrites) ?? own(trail.made) ?? null;
  // where another operation's line was taken for it, nothing is said of that
  if (!adding && found === null) return null;
  return { place: found === null ? null : placeOf(found), adds: adding ? adds : null };
}

/** What is said of it beside the fault. */
function textOf({ place, adds }: OperationLine): string {
  if (adds === null) return "";
  const at = `${adds.file.slice(adds.file.lastIndexOf("/") + 1)}:${adds.line}`;
  const only = `${at} only adds it, as it does for other operations`;
  return place === null ? `${only}: where it is worked out was not seen` : only;
}

/** The line at fault, and what is said of it: of a wrong derivative the line that works it out, not the one that adds it. */
export function lineOf(
  foreign: Foreign,
  judged: Judged,
  { fault, detail, operations }: Diagnosis,
  seed: number,
): { place: SitePlace | null; detail: string } {
  const site = blamedSite(fault, foreign, judged);
  const place = site === null ? null : placeOf(site);
  const making =
    fault === "aliasing" && operations !== null ? makingLine(foreign, judged, operations, seed) : null;
  if (making !== null) return { place: making.place, detail: withText(detail, making.said) };
  if (site === null || operations === null || fault !== "wrong local derivative") return { place, detail };
  const own = operationLine(foreign, judged.graph, site, operations, seed);
  if (own === null) return { place, detail };
  const said = textOf(own);
  return { place: own.place ?? place, detail: withText(detail, said) };
}

const withText = (detail: string, said: string): string => [detail, said].filter((x) => x !== "").join("; ");
