/**
 * Schedules side by side, from the host: each is run in a fresh process, so that the memory measured is its own. Plain
 * data, for the command line and for the panel.
 */
import { gradientDistance, type GradientDistance } from "../engine/analysis/gradient-distance.js";
import type { CompareResult } from "../engine/analysis/compare.js";
import { parseSchedule } from "../engine/checkpoint/parse.js";
import { planSchedule } from "../engine/checkpoint/plan.js";
import type { Gradient, Note } from "../engine/report/report.js";
import type { Dtype } from "../engine/trace/trace.js";
import { Runner, type RunnerOptions } from "./client.js";
import type { AnalysisSettings, Failure, MeasuredMemory, RunFailure, RunRequest } from "./messages.js";

/** Counts over all chains, segments and cuts of the graph; each at its own peak. */
export interface CompareCounts {
  readonly steps: number;
  readonly peakStates: number;
  readonly peakTapes: number;
  readonly totalForwards: number;
  readonly extraForwards: number;
  readonly replays: number;
}

export interface CompareRow {
  readonly schedule: string;
  /** why it did not run; the other entries are null then */
  readonly failure: Failure | null;
  readonly counts: CompareCounts | null;
  /** bytes of primals the executor held at once */
  readonly allocatedBytes: number | null;
  /** resident memory of the process it ran in, as the system measures it */
  readonly measured: MeasuredMemory | null;
  readonly gradient: Gradient | null;
  /** against the reference row's gradient; null for a row without one */
  readonly distance: GradientDistance | null;
  /** reversible layers were inverted, which is exact in real arithmetic only: the gradient may differ */
  readonly reversible: boolean;
  /** sentences of the executor for a person */
  readonly remarks: readonly string[];
}

export interface Comparison {
  readonly graph: string;
  readonly settings: AnalysisSettings;
  /** the schedule whose gradient the others are compared with: store-all, or the first that ran */
  readonly reference: string;
  readonly rows: readonly CompareRow[];
  /** cuts and kinks met while the reference was recorded: they are the same under every schedule */
  readonly notes: readonly Note[];
}

type Asked = Pick<RunnerOptions, "runnerPath" | "log" | "onConsole">;

const STORE_ALL = "store-all";

/**
 * Runs a graph under each schedule, store-all first in any case.
 *
 * @param schedules null: a list that suits the graph's length
 * @param told called with every row as it is there
 * @returns a failure when no schedule ran, or the whole was cancelled
 */
export async function compareSchedules(
  options: Asked,
  request: RunRequest,
  schedules: readonly string[] | null,
  signal?: AbortSignal,
  told: (row: CompareRow) => void = () => undefined,
): Promise<Comparison | RunFailure> {
  const rows: CompareRow[] = [];
  let head: { readonly graph: string; readonly settings: AnalysisSettings } | null = null;
  let reference: CompareRow | null = null;
  let notes: readonly Note[] | null = null;
  let refused: Failure | null = null;
  const queue = [...new Set([STORE_ALL, ...(schedules ?? [])])];
  for (let at = 0; at < queue.length; at++) {
    const schedule = queue[at];
    const answer = await one(options, request, schedule, signal);
    if ("failure" in answer) {
      const { failure } = answer;
      if (failure.kind === "cancelled") return { ok: false, failure, partial: null };
      refused ??= failure;
      rows.push(failed(schedule, failure));
    } else {
      head ??= { graph: answer.graph, settings: answer.settings };
      const row = rowOf(
        answer.result,
        answer.measured,
        reference?.gradient ?? null,
        head.settings.cotangentDtype,
      );
      reference ??= row;
      notes ??= answer.result.notes;
      rows.push(row);
    }
    told(rows[rows.length - 1]);
    if (at === 0 && schedules === null) queue.push(...defaultSchedules(rows[0], request.memoryBytes));
  }
  if (head === null) return { ok: false, failure: refused!, partial: null };
  return {
    ...head,
    settings: { ...head.settings, schedule: STORE_ALL },
    reference: reference!.schedule,
    rows,
    notes: notes!,
  };
}

/** Schedules that are worth a look for a graph of so many steps. */
function defaultSchedules({ counts, allocatedBytes }: CompareRow, memoryBytes: number): string[] {
  const steps = counts?.steps ?? 64;
  const slots = Math.max(1, Math.ceil(Math.log2(Math.max(2, steps))));
  const bytes = allocatedBytes === null ? Math.floor(memoryBytes / 8) : Math.ceil(allocatedBytes / 2);
  const tapes = Math.max(1, Math.ceil(Math.sqrt(steps)));
  return [
    "none",
    "sqrt",
    `uniform-tapes:${tapes}`,
    "bisection",
    `revolve:${slots}`,
    `mixed:${slots}`,
    `auto:${bytesText(bytes)}`,
  ];
}

/** A budget as one would type it: 64MiB, 12KiB, 700. */
function bytesText(bytes: number): string {
  for (const [unit, size] of [
    ["GiB", 2 ** 30],
    ["MiB", 2 ** 20],
    ["KiB", 2 ** 10],
  ] as const)
    if (bytes >= size && bytes % size === 0) return `${bytes / size}${unit}`;
  return String(bytes);
}

type Answer =
  | {
      readonly graph: string;
      readonly settings: AnalysisSettings;
      readonly result: CompareResult;
      readonly measured: MeasuredMemory;
    }
  | { readonly failure: Failure };

async function one(
  options: Asked,
  request: RunRequest,
  schedule: string,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const runner = new Runner({ ...options, spare: false });
  try {
    const answer = await runner.analyse<"compare">(
      { ...request, options: { ...request.options, schedule }, analysis: { kind: "compare" } },
      signal,
    );
    if (!answer.ok) return { failure: answer.failure };
    const analysed = answer.analysed[0];
    if (analysed.failure !== null) return { failure: analysed.failure };
    const { graph, settings, result } = analysed;
    return { graph, settings, result, measured: answer.measured! };
  } finally {
    runner.dispose();
  }
}

function failed(schedule: string, failure: Failure): CompareRow {
  const none = { counts: null, allocatedBytes: null, measured: null, gradient: null, distance: null };
  return { schedule, failure, ...none, reversible: false, remarks: [] };
}

function rowOf(
  { schedule, gradient, checkpoint }: CompareResult,
  measured: MeasuredMemory,
  reference: Gradient | null,
  dtype: Dtype,
): CompareRow {
  return {
    schedule,
    failure: null,
    counts: checkpoint === null ? null : countsOf(checkpoint.regions),
    allocatedBytes: checkpoint?.allocatedBytes.peak ?? null,
    measured,
    gradient,
    distance: gradientDistance(gradient, reference ?? gradient, dtype),
    reversible: checkpoint?.regions.some(({ executed }) => (executed?.uncomputes ?? 0) > 0) ?? false,
    remarks: checkpoint?.remarks ?? [],
  };
}

function countsOf(regions: NonNullable<CompareResult["checkpoint"]>["regions"]): CompareCounts {
  const sum = { steps: 0, peakStates: 0, peakTapes: 0, totalForwards: 0, extraForwards: 0, replays: 0 };
  for (const { steps, executed } of regions) {
    const done = executed ?? planSchedule(parseSchedule(STORE_ALL), steps).executed;
    sum.steps += steps;
    sum.peakStates += Number(done.peakStates);
    sum.peakTapes += Number(done.peakTapes);
    sum.totalForwards += Number(done.totalForwards);
    sum.extraForwards += Number(done.extraForwards);
    sum.replays += Number(done.replays);
  }
  return sum;
}
