/** One work item: all engines on one problem, checked against each other, then timed by turns. */
import { distance } from "./agreement.js";
import type { EngineEntry } from "./engines/index.js";
import type { Options } from "./options.js";
import { places } from "./places.js";
import { problemById } from "./problems/index.js";
import type { Outcome, Problem } from "./problems/problem.js";
import { EngineProcess } from "./process/parent.js";
import { median, quantile } from "./stats.js";

export interface EngineResult {
  readonly id: string;
  readonly title: string;
  readonly group: EngineEntry["group"];
  /** in words why there are no times, null when there are */
  readonly failure: string | null;
  /** the engine says itself that it does not do this work */
  readonly refused: boolean;
  /** distance from the reference, see `agreement.ts`; null when nothing was computed */
  readonly error: number | null;
  /** median milliseconds of a warm call */
  readonly ms: number | null;
  /** median of the ratios to hand JavaScript in the same round, and its quartiles */
  readonly ratio: number | null;
  readonly quartiles: readonly [number, number] | null;
  /** median milliseconds of the first call in a fresh process, without loading the engine's code */
  readonly coldMs: number | null;
}

export interface ItemResult {
  readonly id: string;
  readonly title: string;
  readonly operations: number;
  readonly rounds: number;
  /** where the reference numbers come from */
  readonly reference: string;
  readonly engines: readonly EngineResult[];
}

interface Runner {
  readonly entry: EngineEntry;
  readonly process: EngineProcess | null;
  failure: string | null;
  refused: boolean;
  error: number | null;
  outcome: Outcome | null;
  coldMs: number | null;
  /** milliseconds of a call by round; a slow engine sits out the last rounds */
  readonly times: (number | undefined)[];
  /** milliseconds spent in rounds */
  spent: number;
}

/** An engine that has computed for so long sits out the rounds that are left. */
const ENOUGH = 20_000;
/** Rounds that every engine plays. */
const LEAST_ROUNDS = 3;

/**
 * The small problem of the same kind. A mixture keeps its shape: in two dimensions the loop that is the innermost in ten turns
 * once, and a host compiles for what it has seen.
 */
function rehearsalOf(problem: Problem): string {
  switch (problem.kind) {
    case "rosenbrock":
      return "rosenbrock-50";
    case "mlp":
      return "mlp-8-6-4-b3";
    case "gmm":
      return `gmm-d${problem.d}-k${problem.k}-n10`;
    case "lstm":
      return "lstm-l1-c4-b2";
    case "chain":
      return "chain-300";
  }
}

/**
 * @param entries hand JavaScript first: every ratio is to it
 * @param missing reasons why engines cannot run, by id
 */
export async function measureItem(
  id: string,
  entries: readonly EngineEntry[],
  missing: ReadonlyMap<string, string>,
  options: Options,
): Promise<ItemResult> {
  const problem = problemById(id, places().root);
  const runners: Runner[] = [];
  try {
    for (const entry of entries) runners.push(await start(entry, id, rehearsalOf(problem), missing, options));
    const yardstick = runners[0].outcome;
    const reference = problem.expected ?? yardstick;
    if (reference === null) throw new Error(`hand JavaScript failed on ${id}: ${runners[0].failure}`);
    for (const runner of runners) check(runner, reference);
    const alive = (): Runner[] => runners.filter((runner) => runner.failure === null);
    for (const runner of alive()) {
      const reply = await runner.process!.ask({
        kind: "warm",
        budget: options.roundMs,
        limit: options.warmMs,
      });
      if (reply.kind === "failed") runner.failure = reply.reason;
    }
    for (let round = 0; round < options.rounds; round++) await playRound(alive(), round, options.roundMs);
    return {
      id,
      title: problem.title,
      operations: problem.operations,
      rounds: options.rounds,
      reference: problem.expected === null ? "hand JavaScript" : "GradBench",
      engines: runners.map((runner) => result(runner, runners[0].times)),
    };
  } finally {
    for (const runner of runners) runner.process?.end();
  }
}

const tolerances = new WeakMap<Runner, number>();

async function start(
  entry: EngineEntry,
  problem: string,
  rehearsal: string,
  missing: ReadonlyMap<string, string>,
  options: Options,
): Promise<Runner> {
  const reason = missing.get(entry.id);
  const base = { entry, error: null, outcome: null, coldMs: null, refused: true, times: [], spent: 0 };
  if (reason !== undefined) return { ...base, process: null, failure: reason };
  const cold: number[] = [];
  for (let i = 0; i < options.cold; i++) {
    const fresh = new EngineProcess(entry.id, problem, null);
    const reply = await fresh.reply();
    fresh.end();
    if (reply.kind !== "ready" || reply.ms === null) break;
    cold.push(reply.ms);
  }
  const process = new EngineProcess(entry.id, problem, options.smoke ? null : rehearsal);
  const reply = await process.reply();
  const runner: Runner = {
    ...base,
    process,
    failure: reply.kind === "refused" || reply.kind === "failed" ? reply.reason : null,
    coldMs: cold.length > 0 ? median(cold) : null,
    outcome: reply.kind === "ready" ? reply.outcome : null,
    refused: reply.kind === "refused",
  };
  if (reply.kind === "ready") tolerances.set(runner, reply.tolerance);
  return runner;
}

/** An engine that computes something else is reported, and not timed. */
function check(runner: Runner, reference: Outcome): void {
  if (runner.outcome === null) return;
  runner.error = distance(runner.outcome, reference);
  const tolerance = tolerances.get(runner)!;
  if (!(runner.error <= tolerance))
    runner.failure = `DISAGREES by ${runner.error.toExponential(1)} (tolerance ${tolerance})`;
}

/** Every engine once, beginning with another one each round. */
async function playRound(runners: readonly Runner[], round: number, budget: number): Promise<void> {
  for (let i = 0; i < runners.length; i++) {
    const runner = runners[(i + round) % runners.length];
    if (runner.spent > ENOUGH && round >= LEAST_ROUNDS) continue;
    const start = performance.now();
    const reply = await runner.process!.ask({ kind: "round", budget });
    runner.spent += performance.now() - start;
    if (reply.kind === "time") runner.times[round] = reply.ms;
    else runner.failure = reply.kind === "failed" ? reply.reason : "an answer nobody asked for";
  }
}

function result(
  { entry, failure, refused, error, coldMs, times }: Runner,
  yardstick: readonly (number | undefined)[],
): EngineResult {
  const base = { id: entry.id, title: entry.title, group: entry.group, failure, refused, error };
  const played = times.flatMap((ms, round) => (ms === undefined ? [] : [{ ms, hand: yardstick[round] }]));
  const ratios = played.flatMap(({ ms, hand }) => (hand === undefined ? [] : [ms / hand]));
  if (failure !== null || ratios.length === 0)
    return { ...base, coldMs: failure === null ? coldMs : null, ms: null, ratio: null, quartiles: null };
  return {
    ...base,
    coldMs,
    ms: median(played.map(({ ms }) => ms)),
    ratio: median(ratios),
    quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}
