/** `backsweep replay`: the replay contract of a graph under a schedule, declared and checked by value. */
import { rounder } from "../ops/dtype.js";
import type { ContractPoint, ReplayMismatch } from "../replay/mismatch.js";
import type { CheckpointReport, Gradient, Note } from "../report/report.js";
import { ulpsApart } from "../sweep/spread.js";
import { placeOf } from "../tape/sites.js";
import { Timeline } from "../timeline/timeline.js";
import { arrayAt } from "../trace/arrays.js";
import { Event } from "../trace/events.js";
import { BacksweepError } from "../trace/failure.js";
import { nodeTitle, siteRange } from "../trace/read.js";
import type { Dtype, Trace } from "../trace/trace.js";
import type { ContractCounts } from "../graph/contract.js";
import type { RunSettings } from "../graph/options.js";
import type { Subject } from "../graph/record.js";
import { GraphRun, type RunOutcome } from "../graph/run.js";
import { STORE_ALL } from "../graph/schedules.js";
import { parseAccumulation } from "../sweep/accumulate.js";
import { gradientDistance, type GradientDistance } from "./gradient-distance.js";

export interface ReplayAnalysis {
  readonly kind: "replay";
  /** unmatched: every replay draws anew from the graph's stream */
  readonly stream: "matched" | "unmatched";
  /** number format of the replay; null: the first run's */
  readonly dtype: Dtype | null;
  /** how the sweep over replays adds contributions; null: as declared */
  readonly accumulate: string | null;
}

export interface Place {
  readonly file: string | null;
  /** from 1; 0 unknown */
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export type PlacedMismatch = Omit<ReplayMismatch, "site"> & Place;

/** The first contribution of the sweep that is another than under store-all. */
export interface DerivativeMismatch extends Place {
  /** the node that pays and the node that is paid, as they are called */
  readonly from: string;
  readonly to: string;
  /** an element of an array contribution, -1: a number */
  readonly index: number;
  readonly storeAll: number;
  readonly replay: number;
  readonly ulps: number;
}

export interface ReplayResult {
  readonly schedule: string;
  readonly stream: "matched" | "unmatched";
  /** what the first run and the replay declare */
  readonly declared: {
    readonly dtype: Dtype;
    readonly replayDtype: Dtype;
    readonly accumulation: string;
    readonly replayAccumulation: string;
    readonly seed: number;
    /** draws from the graph's stream, and decisions on traced values, in the first run */
    readonly draws: number;
    readonly decisions: number;
  };
  readonly compared: ContractCounts;
  /** the five points: whether each held */
  readonly points: readonly {
    readonly point: ContractPoint;
    readonly holds: boolean;
    readonly mismatches: number;
  }[];
  readonly mismatches: readonly PlacedMismatch[];
  /** mismatches beyond those listed */
  readonly more: number;
  /** random numbers and clocks that are not the graph's own, in replayed steps */
  readonly outside: readonly (Place & { readonly what: string; readonly calls: number })[];
  /** false: the replay recorded other operations, so there is no sweep over it */
  readonly completed: boolean;
  /** arithmetic work and peak state, as executed; null where there was no sweep */
  readonly checkpoint: CheckpointReport | null;
  readonly storeAll: Gradient;
  /** what the sweep over the replay gives; null where there was none */
  readonly gradient: Gradient | null;
  readonly distance: GradientDistance | null;
  readonly firstDerivativeMismatch: DerivativeMismatch | null;
  /** true: reversible layers, whose inverse is exact in real arithmetic only: a difference is no finding */
  readonly reversible: boolean;
  /** cuts and kinks met in the run that keeps everything */
  readonly notes: readonly Note[];
}

const POINTS: readonly ContractPoint[] = ["format", "random", "state", "decision", "write"];

/**
 * Runs the graph under store-all and under the schedule, compares every replay with the first run, and the two gradients.
 * A replay that differs goes on with its own values, as a checkpointing library would, as long as it records the same
 * operations: so the size of the damage is seen, too.
 *
 * @throws BacksweepError `option` where nothing is replayed, and what a run throws
 */
export function replay(subject: Subject, asked: ReplayAnalysis): ReplayResult {
  const { settings } = subject;
  if (settings.schedule === STORE_ALL) {
    throw new BacksweepError(
      "option",
      "replay: nothing is replayed under store-all: choose a schedule, such as --schedule revolve:4",
    );
  }
  const accumulate = asked.accumulate ?? settings.accumulate;
  parseAccumulation(accumulate);
  const replayDtype = asked.dtype ?? settings.dtype;
  const mode = {
    goOn: true,
    unmatched: asked.stream === "unmatched",
    round: replayDtype === settings.dtype ? undefined : replayDtype === "f64" ? null : rounder(replayDtype),
  };
  const begin = (change: Partial<RunSettings>): GraphRun =>
    new GraphRun(subject.definition, { ...settings, ...change }, subject.context, mode);
  // cuts exist only under a schedule: a graph that is cut is compared in tape order, which is the same for both
  let change: Partial<RunSettings> = { accumulate };
  let run = begin(change);
  let outcome = completed(run);
  if (outcome !== null && settings.order === "breadth" && isCut(outcome.report.checkpoint)) {
    change = { ...change, order: "tape" };
    run = begin(change);
    outcome = completed(run);
  }
  const kept = begin({ ...change, accumulate: settings.accumulate, schedule: STORE_ALL }).run();
  const contract = run.contract!;
  const mismatches = contract.mismatches.map(placed);
  mismatches.unshift(...declaredOtherwise(settings, accumulate, replayDtype));
  const checkpoint = outcome?.report.checkpoint ?? null;
  const storeAll = kept.report.gradient;
  const gradient = outcome?.report.gradient ?? null;
  return {
    schedule: settings.schedule,
    stream: asked.stream,
    declared: {
      dtype: settings.dtype,
      replayDtype,
      accumulation: settings.accumulate,
      replayAccumulation: accumulate,
      seed: settings.seed,
      draws: kept.trace.draws.n,
      decisions: kept.trace.decisions.n,
    },
    compared: { ...contract.counts },
    points: POINTS.map((point) => {
      const count = mismatches.filter((one) => one.point === point).length;
      return { point, holds: count === 0, mismatches: count };
    }),
    mismatches,
    more: contract.more,
    outside: outsideOf(contract.outsideDraws),
    completed: outcome !== null,
    checkpoint,
    storeAll,
    gradient,
    distance: gradient === null ? null : gradientDistance(gradient, storeAll, settings.cotangentDtype),
    firstDerivativeMismatch:
      outcome === null ? null : firstDerivative(kept.trace, outcome.trace, settings.cotangentDtype),
    reversible: checkpoint?.regions.some(({ executed }) => (executed?.uncomputes ?? 0) > 0) ?? false,
    notes: kept.report.notes.filter(({ code }) => code === "cut" || code === "kink"),
  };
}

/** Null where the replay recorded another program: the contract has it. */
function completed(run: GraphRun): RunOutcome | null {
  try {
    return run.run();
  } catch (error) {
    if (error instanceof BacksweepError && error.kind === "replay" && run.contract!.mismatches.length > 0)
      return null;
    throw error;
  }
}

const isCut = (checkpoint: CheckpointReport | undefined): boolean =>
  checkpoint?.regions.some(({ kind }) => kind === "cut") ?? false;

const NOWHERE: Place = { file: null, line: 0, column: 0, endLine: 0, endColumn: 0 };

function placeAt(site: number): Place {
  const place = placeOf(site);
  if (place === null) return NOWHERE;
  const { file, line, column, endLine, endColumn } = place;
  return { file, line, column, endLine, endColumn };
}

function placed({ site, ...rest }: ReplayMismatch): PlacedMismatch {
  return { ...rest, ...placeAt(site) };
}

function* declaredOtherwise(
  settings: RunSettings,
  accumulate: string,
  replayDtype: Dtype,
): Generator<PlacedMismatch> {
  const about = { point: "format" as const, region: "", step: -1, node: -1, index: -1 };
  const values = { first: null, replay: null, ulps: null, ...NOWHERE };
  if (replayDtype !== settings.dtype) {
    const message = `values are declared ${settings.dtype} and replayed in ${replayDtype}`;
    yield { ...about, ...values, message };
  }
  if (accumulate !== settings.accumulate) {
    const message = `contributions are declared to be added by ${settings.accumulate} and are added by ${accumulate} over the replay`;
    yield { ...about, ...values, message };
  }
}

function outsideOf(
  draws: readonly { readonly what: string; readonly site: number }[],
): ReplayResult["outside"] {
  const calls = new Map<string, Place & { what: string; calls: number }>();
  for (const { what, site } of draws) {
    const key = `${what}/${site}`;
    const known = calls.get(key);
    if (known === undefined) calls.set(key, { what, calls: 1, ...placeAt(site) });
    else known.calls++;
  }
  return [...calls.values()];
}

/** Contributions in the order in which they flow under store-all. */
function firstDerivative(kept: Trace, replayed: Trace, dtype: Dtype): DerivativeMismatch | null {
  const before = new Timeline(kept);
  const now = new Timeline(replayed);
  const { events, edges, nodes } = kept;
  for (let row = 0; row < events.n; row++) {
    if (events.kind[row] !== Event.contribute) continue;
    const edge = events.edge[row];
    const found = differing(kept, before.contributionRow(edge), replayed, now.contributionRow(edge));
    if (found === null) continue;
    const site = siteRange(kept, nodes.site[edges.to[edge]]);
    const place =
      site === null
        ? NOWHERE
        : {
            file: absolute(kept.header.root, site.file),
            line: site.line,
            column: site.column,
            endLine: site.endLine,
            endColumn: site.endColumn,
          };
    return {
      from: nodeTitle(kept, edges.to[edge]),
      to: nodeTitle(kept, edges.from[edge]),
      ...found,
      ulps: ulpsApart(found.replay, found.storeAll, dtype),
      ...place,
    };
  }
  return null;
}

/** A trace has its paths relative to its root. */
const absolute = (root: string, file: string): string =>
  root === "" || /^([/\\]|[A-Za-z]:)/.test(file) ? file : `${root}/${file}`;

function differing(
  kept: Trace,
  row: number,
  replayed: Trace,
  other: number,
): { readonly index: number; readonly storeAll: number; readonly replay: number } | null {
  if (row < 0 || other < 0) return row === other ? null : { index: -1, storeAll: NaN, replay: NaN };
  const array = arrayAt(kept, row);
  const beside = arrayAt(replayed, other);
  if (array !== null && beside !== null) {
    const count = Math.min(array.data.length, beside.data.length);
    for (let i = 0; i < count; i++)
      if (!Object.is(array.data[i], beside.data[i]))
        return { index: i, storeAll: array.data[i], replay: beside.data[i] };
  }
  const storeAll = kept.values.mean[row];
  const replay = replayed.values.mean[other];
  return Object.is(storeAll, replay) ? null : { index: -1, storeAll, replay };
}
