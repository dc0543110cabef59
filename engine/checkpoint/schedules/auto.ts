/**
 * `auto:bytes` where no graph gives sizes and costs: a state and a step's tape are one unit each, a forward evaluation is one unit of
 * time. The fastest schedule that holds no more than the budget is taken. With a graph, its own sizes and costs decide.
 */
import { BacksweepError } from "../../trace/failure.js";
import type { Action, Schedule } from "../actions.js";
import { leastAdvances } from "../binomial.js";
import { MixedTable } from "./mixed-table.js";
import { mixed } from "./mixed.js";
import { revolve } from "./revolve.js";
import { storeAll } from "./store-all.js";
import { uniformTapes } from "./uniform-tapes.js";
import { amount } from "../words.js";

interface Candidate {
  readonly schedule: Schedule;
  /** states and tapes held at once */
  readonly units: number;
  readonly forwards: number;
}

interface Choice {
  readonly taken: Candidate;
  /** "store-all (64 units)" with the reason */
  readonly rejected: readonly string[];
}

/** Block lengths tried, from the longest that could fit. */
const MOST_TRIED = 100_000;

/** The fastest block length whose states and tapes fit, or the smallest in need when none fits. */
function bestTapes(steps: number, budget: number): Candidate {
  let best: { k: number; units: number; forwards: number } | null = null;
  const largest = Math.min(steps, Math.max(1, budget));
  for (let k = largest; k >= 1 && k > largest - MOST_TRIED; k--) {
    const blocks = Math.ceil(steps / k);
    const units = blocks + k;
    const forwards = 2 * steps - (steps - (blocks - 1) * k);
    const better =
      best === null ||
      (units <= budget ? best.units > budget || forwards < best.forwards : units < best.units);
    if (better) best = { k, units, forwards };
    // shorter blocks only take more states
    if (blocks > budget && k < Math.sqrt(steps)) break;
  }
  const { k, units, forwards } = best!;
  return { schedule: uniformTapes(`uniform-tapes:${k}`, k), units, forwards };
}

function choose(name: string, steps: number, budget: number): Choice {
  const slots = Math.min(budget - 1, Math.max(1, steps - 1));
  const need = steps === 1 ? 1 : 2;
  if (budget < need)
    throw new BacksweepError(
      "option",
      `${name}: ${amount(steps, "step")} need ${need} units at least, a state and a tape; with no graph, each is one unit`,
    );
  const candidates: Candidate[] = [
    { schedule: storeAll("store-all"), units: steps, forwards: steps },
    bestTapes(steps, budget),
  ];
  const rejected: string[] = [];
  if (slots >= 1) {
    const states = `revolve:${slots}`;
    candidates.push({
      schedule: revolve(states, slots),
      units: Math.min(steps, slots + 1),
      forwards: leastAdvances(steps, slots) + steps,
    });
    try {
      const table = new MixedTable(name, steps, slots);
      const forwards = table.forwards(steps, slots);
      candidates.push({
        schedule: mixed(`mixed:${slots}`, slots),
        units: Math.min(steps, slots + 1),
        forwards,
      });
    } catch (error) {
      if (!(error instanceof BacksweepError)) throw error;
      rejected.push(`mixed:${slots}: its table is too large for ${amount(steps, "step")}`);
    }
  }
  let taken: Candidate | null = null;
  for (const candidate of candidates)
    if (candidate.units <= budget && (taken === null || candidate.forwards < taken.forwards))
      taken = candidate;
  if (taken === null)
    throw new BacksweepError("internal", `${name}: no schedule for ${amount(steps, "step")}`);
  for (const candidate of candidates) {
    if (candidate === taken) continue;
    const { schedule, units, forwards } = candidate;
    rejected.push(
      units > budget
        ? `${schedule.name}: needs ${units} units`
        : `${schedule.name}: ${amount(forwards, "forward")}`,
    );
  }
  return { taken, rejected };
}

export function auto(name: string, budget: number): Schedule {
  let last: { readonly steps: number; readonly choice: Choice } | null = null;
  const at = (steps: number): Choice => {
    if (last?.steps !== steps) last = { steps, choice: choose(name, steps, budget) };
    return last.choice;
  };
  const chosen = (steps: number): Schedule => at(steps).taken.schedule;
  return {
    name,
    actions: (steps): Iterable<Action> => chosen(steps).actions(steps),
    model: (steps) => chosen(steps).model?.(steps) ?? null,
    closedForm: (steps) => chosen(steps).closedForm?.(steps) ?? null,
    length: (steps) => chosen(steps).length!(steps),
    remarks(steps) {
      const { taken, rejected } = at(steps);
      return [
        `${taken.schedule.name} is the fastest within ${budget} units: ${taken.units} units, ${amount(taken.forwards, "forward")}. With no graph, a state and a tape are one unit each.`,
        `Rejected: ${rejected.join("; ")}.`,
        ...(taken.schedule.remarks?.(steps) ?? []),
      ];
    },
    details: (steps) => ({ chosen: chosen(steps).name, rejected: at(steps).rejected }),
  };
}
