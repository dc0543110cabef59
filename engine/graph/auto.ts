/**
 * `auto:bytes` and `chain-budget:bytes` on a graph: the sizes and costs of its own chains decide. The budget is for the
 * primals that the graph's chains and segments hold at once, states and tapes; inputs and what lies outside them is not in
 * it, and cotangents are not. So `auto` leaves a part of its budget unused where it can, that the memory of the process stays
 * within it, too; `chain-budget` uses it all.
 */
import type { Schedule } from "../checkpoint/actions.js";
import { segmentSchedule } from "../checkpoint/execute/segment-schedule.js";
import {
  chainBudgetSchedule,
  leastBudget,
  planChain,
  refereeOps,
  storeAllCost,
} from "../checkpoint/hetero/index.js";
import { leastAdvances } from "../checkpoint/binomial.js";
import { reversible } from "../checkpoint/schedules/reversible.js";
import { revolve } from "../checkpoint/schedules/revolve.js";
import { uniformTapes } from "../checkpoint/schedules/uniform-tapes.js";
import { BacksweepError } from "../trace/failure.js";
import { SegmentKind } from "../trace/trace.js";
import type { Room } from "./room.js";
import { REVERSIBLE, type Budget } from "./schedules.js";
import type { Measured } from "./measure.js";

export interface Decision {
  /** by region; null: everything is kept */
  readonly schedules: readonly (Schedule | null)[];
  /** what was taken and what was rejected, for a person */
  readonly remarks: readonly string[];
}

/**
 * Chooses for each region.
 *
 * @param asked the budget as typed; `only`: the plan of `chain-budget` whatever else would be faster
 * @param room what the memory limit leaves: a budget beyond it is cut down to it
 * @throws BacksweepError `option` where nothing fits, with the least budget that does
 */
export function decide(
  name: string,
  { budget: asked, only, inverts }: Budget,
  regions: readonly Measured[],
  room: Pick<Room, "kept" | "held">,
): Decision {
  const all = regions.reduce((sum, { allBytes }) => sum + allBytes, 0);
  const reserve = only ? 0 : reserveOf(regions, asked);
  const budget = Math.min(asked, Math.floor(room.held));
  const limited =
    budget < asked ? [`${name}: the memory limit leaves ${budget} bytes for what is held at once.`] : [];
  if (inverts !== true && all <= asked - reserve && all <= room.kept) {
    return {
      schedules: regions.map(() => null),
      remarks: [`${name}: store-all fits: ${all} bytes of primals; nothing runs again.`],
    };
  }
  const inverted = (region: Measured): boolean => inverts === true && region.kind === SegmentKind.coupling;
  const least = regions.map((region) => (inverted(region) ? inverseBytes(region) : leastOf(region)));
  // of segments by themselves one at a time runs
  const running = regions.reduce(
    (most, { kind, allBytes }) => (kind === SegmentKind.checkpoint ? Math.max(most, allBytes) : most),
    0,
  );
  const needed = least.reduce((sum, bytes) => sum + bytes, running);
  if (needed > budget) {
    throw new BacksweepError(
      "option",
      `schedule "${name}": ${budget} bytes${limited.length === 0 ? "" : " (half of the memory limit)"} are too few: the states and tapes of this graph need ${needed} bytes at least, store-all ${all}`,
    );
  }
  const remarks: string[] = [];
  const left = Math.min(reserve, budget - needed);
  if (reserve > 0) {
    remarks.push(
      left === reserve
        ? `${name}: ${left} bytes of the budget are left to the arrays of the sweep and to garbage.`
        : `${name}: of the ${reserve} bytes that the arrays of the sweep and garbage may take, the budget has ${left}: the memory of the process may pass it.`,
    );
  }
  const spare = budget - needed - left;
  const wish = (region: Measured, bytes: number): number =>
    region.kind === SegmentKind.checkpoint || inverted(region) ? 0 : Math.max(0, region.allBytes - bytes);
  const useful = regions.reduce((sum, region, i) => sum + wish(region, least[i]), 0);
  const schedules = regions.map((region, i) => {
    if (region.kind === SegmentKind.checkpoint) return segmentSchedule;
    if (inverted(region)) return reversible(REVERSIBLE);
    // what is left over is shared out by what each could use
    const share = useful === 0 ? 0 : Math.floor((spare * wish(region, least[i])) / useful);
    if (region.kind === SegmentKind.coupling) {
      remarks.push(
        `${region.name}: not considered, since their inverses are exact in real arithmetic only: reversible+${name} would hold ${inverseBytes(region)} bytes here.`,
      );
    }
    return choose(region, least[i] + share, only, remarks);
  });
  const why =
    inverts === true && all <= asked - reserve
      ? "coupling layers are inverted"
      : all > asked
        ? `it needs ${all} bytes`
        : all > asked - reserve
          ? `its ${all} bytes fit the budget, but not beside the arrays of its sweep`
          : `its ${all} bytes fit the budget, but not the memory limit beside the arrays of its sweep`;
  return { schedules, remarks: [`${name}: store-all was rejected: ${why}.`, ...limited, ...remarks] };
}

/** Contributions and cotangents of a step that is swept over take about twice its primals. */
const SWEPT = 2;
/** Garbage that waits for its collection, and what the engine itself takes to work, at most so many bytes. */
const GARBAGE = 1 / 8;
const ENGINE_BYTES = 2 ** 22;
/** Budgets below this cannot be seen in the memory of a process: they are for primals alone. */
const SEEN_BYTES = 2 ** 20;

/** What is kept of a budget for what it does not count. */
function reserveOf(regions: readonly Measured[], budget: number): number {
  if (budget < SEEN_BYTES) return 0;
  const largest = regions.reduce((most, { stepBytes }) => Math.max(most, stepBytes), 0);
  const garbage = Math.floor(GARBAGE * budget);
  return SWEPT * largest + garbage + Math.min(garbage, ENGINE_BYTES);
}

function leastOf(region: Measured): number {
  if (region.kind === SegmentKind.checkpoint) return region.finalBytes;
  return Math.max(leastBudget(region.chain), region.finalBytes + region.stepBytes);
}

/** An inverse holds the states on both sides of a layer and what the layer computes. */
function inverseBytes({ stateBytes, stepBytes, finalBytes }: Measured): number {
  return finalBytes + stepBytes + 2 * stateBytes;
}

interface Candidate {
  readonly schedule: Schedule;
  readonly bytes: number;
  readonly cost: number;
}

function choose(region: Measured, budget: number, only: boolean, remarks: string[]): Schedule {
  const { chain, steps, allBytes } = region;
  const plain = storeAllCost(chain);
  const plan = planChain(chain, budget);
  const planned: Candidate = {
    schedule: chainBudgetSchedule(plan),
    bytes: plan.peak,
    cost: refereeOps(chain, plan.ops).cost,
  };
  const candidates = only ? [planned] : [planned, ...uniformCandidates(region, budget)];
  let taken = planned;
  for (const candidate of candidates)
    if (candidate.bytes <= budget && candidate.cost < taken.cost) taken = candidate;
  const times = (cost: number): string => String(Number((cost / plain).toPrecision(4)));
  remarks.push(
    `${region.name}: ${taken.schedule.name} is the fastest that fits ${budget} bytes: ${taken.bytes} bytes, ${times(taken.cost)} times the work of store-all.`,
    `${region.name}: rejected store-all: ${allBytes} bytes${candidates
      .filter((candidate) => candidate !== taken)
      .map(({ schedule, bytes, cost }) =>
        bytes > budget
          ? `; ${schedule.name}: needs ${bytes} bytes`
          : `; ${schedule.name}: ${times(cost)} times the work`,
      )
      .join("")}.`,
    ...(taken.schedule.remarks?.(steps) ?? []).map((remark) => `${region.name}: ${remark}`),
  );
  return taken.schedule;
}

/** The schedules for equal steps, taken as if every step were the largest. */
function uniformCandidates({ steps, stateBytes, stepBytes, chain }: Measured, budget: number): Candidate[] {
  const forward = storeAllCost({ ...chain, backward: new Float64Array(steps + 1) });
  const backward = storeAllCost(chain) - forward;
  const costOf = (forwards: number): number => (forward * forwards) / steps + backward;
  // a step that runs, its tape with the state it began with, and the working state
  const fixed = stepBytes + 2 * stateBytes;
  const out: Candidate[] = [];
  const slots = Math.min(steps - 1, stateBytes === 0 ? steps - 1 : Math.floor((budget - fixed) / stateBytes));
  if (slots >= 1) {
    out.push({
      schedule: revolve(`revolve:${slots}`, slots),
      bytes: fixed + slots * stateBytes,
      cost: costOf(leastAdvances(steps, slots) + steps),
    });
  }
  let best: Candidate | null = null;
  for (let k = 1; k <= steps && k <= 10_000; k++) {
    const blocks = Math.ceil(steps / k);
    const bytes = blocks * stateBytes + k * (stepBytes + stateBytes) + fixed;
    const cost = costOf(steps + (blocks - 1) * k);
    if (best === null || (bytes <= budget ? best.bytes > budget || cost < best.cost : bytes < best.bytes))
      best = { schedule: uniformTapes(`uniform-tapes:${k}`, k), bytes, cost };
  }
  if (best !== null) out.push(best);
  return out;
}
