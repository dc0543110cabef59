/**
 * `chain-budget:bytes`: the cheapest memory-persistent schedule of a heterogeneous chain within a budget of bytes.
 *
 * Bytes become memory classes. Sizes are rounded up and the room down, so a plan never exceeds its budget; where all sizes and the
 * budget have a common divisor and are few, nothing is rounded and the plan is Rotor's optimum. Cost and peak are those of the
 * operations, replayed in bytes.
 */
import { BacksweepError } from "../../trace/failure.js";
import type { Action, Schedule } from "../actions.js";
import { storeAllCost, validateChain, type HeteroChain } from "./chain.js";
import { coarsen, refine } from "./coarsen.js";
import { cutsOf } from "./cuts.js";
import { exactChain, LONGEST_EXACT } from "./exact.js";
import { leastRoom, type LeastRoom } from "./minimum.js";
import { refereeOps, type ChainOp } from "./ops.js";
import { persistentTable } from "./persistent.js";
import { actionsOf } from "./stream.js";
import { unfold } from "./unfold.js";

export interface ChainBudgetOptions {
  /** Most memory classes (500 unless told otherwise; fewer for chains of more than 250 steps, to keep the work in bounds). */
  readonly classes?: number;
  /** Ask for the true optimum as a certificate: chains of at most LONGEST_EXACT steps. */
  readonly certificate?: boolean;
}

export interface ChainPlan {
  readonly chain: HeteroChain;
  readonly budget: number;
  readonly ops: readonly ChainOp[];
  readonly cost: number;
  readonly peak: number;
  /** cost of a run that records every step once */
  readonly storeAllCost: number;
  /** bytes of a class; 1 or a common divisor of all sizes where nothing was rounded */
  readonly classBytes: number;
  /** true: no memory-persistent schedule within the budget is cheaper */
  readonly persistentOptimum: boolean;
  /** steps treated as one: above 1 for chains of more than LONGEST_FINE steps */
  readonly block: number;
  /** cost of the cheapest schedule of all; null where it was not asked for or could not be found */
  readonly optimum: number | null;
}

/** Longest chain planned step by step, and the work (additions) that the number of classes is chosen for. */
const LONGEST_FINE = 400;
const WORK = 1.3e9;

/** Least budget in bytes of a memory-persistent schedule, by blocks for chains of more than 400 steps. */
export function leastBudget(chain: HeteroChain): number {
  validateChain(chain);
  return leastRoom(coarsened(chain).chain).budget;
}

/** @throws BacksweepError "option" where no memory-persistent schedule fits, with the least budget that one does. */
export function planChain(chain: HeteroChain, budget: number, options: ChainBudgetOptions = {}): ChainPlan {
  validateChain(chain);
  if (!Number.isSafeInteger(budget) || budget < 0)
    throw new BacksweepError("option", `chain-budget:${budget}: the budget is a whole number of bytes`);
  const { chain: coarse, block } = coarsened(chain);
  const least = leastRoom(coarse);
  if (least.budget > budget) {
    throw new BacksweepError(
      "option",
      `chain-budget:${budget}: this chain needs ${least.budget} bytes at least` +
        (block > 1 ? ` in blocks of ${block}` : ""),
    );
  }
  const { ops: blocks, classBytes } = cheapest(coarse, budget, least, options.classes ?? 500);
  const ops = block > 1 ? refine(chain, block, blocks) : blocks;
  const { cost, peak } = refereeOps(chain, ops);
  if (peak > budget) throw new Error(`chain-budget: a plan of ${peak} bytes for ${budget}`);
  const floor = storeAllCost(chain);
  const exact =
    options.certificate === true && chain.n <= LONGEST_EXACT && cost > floor
      ? exactChain(chain, budget)
      : null;
  return {
    chain,
    budget,
    ops,
    cost,
    peak,
    storeAllCost: floor,
    classBytes,
    persistentOptimum:
      cost === floor || (block === 1 && Number.isInteger(classBytes) && exactSizes(coarse, classBytes)),
    block,
    optimum: cost === floor ? floor : exact === null || exact === "limit" ? null : exact.cost,
  };
}

/** A plan as a schedule for the chain it was made for. */
export function chainBudgetSchedule(plan: ChainPlan): Schedule {
  const { chain, budget } = plan;
  const name = `chain-budget:${budget}`;
  return {
    name,
    actions: (steps): Iterable<Action> => {
      if (steps !== chain.n)
        throw new BacksweepError("option", `${name} was planned for ${chain.n} steps, not ${steps}`);
      return actionsOf(plan.ops);
    },
    length: () => 2 * plan.ops.length,
    remarks: () => remarksOf(plan),
  };
}

function remarksOf(plan: ChainPlan): string[] {
  const lines = [
    `Needs ${plan.peak} of ${plan.budget} bytes; costs ${ratio(plan.cost, plan.storeAllCost)} of a run that records every step once.`,
  ];
  if (plan.block > 1)
    lines.push(`Planned in blocks of ${plan.block} steps: a cheaper plan may cut inside a block.`);
  else if (!plan.persistentOptimum)
    lines.push(
      `Sizes were rounded up to memory classes of ${Math.ceil(plan.classBytes)} bytes: a cheaper plan may fit.`,
    );
  else if (plan.cost > plan.storeAllCost)
    lines.push("The cheapest memory-persistent schedule: a state kept stays until its step is pulled back.");
  if (plan.optimum !== null && plan.optimum < plan.cost)
    lines.push(
      `The cheapest schedule of all costs ${ratio(plan.optimum, plan.cost)} of this one, by exhaustive search.`,
    );
  else if (plan.optimum !== null) lines.push("No schedule at all is cheaper.");
  return lines;
}

const ratio = (a: number, b: number): string => (b === 0 ? "1" : String(Number((a / b).toPrecision(4))));

function coarsened(chain: HeteroChain): { chain: HeteroChain; block: number } {
  const block = Math.ceil(chain.n / LONGEST_FINE);
  return { chain: block > 1 ? coarsen(chain, block) : chain, block };
}

function sizesOf(chain: HeteroChain): ArrayLike<number>[] {
  return [chain.state, chain.tape, chain.cotangent, chain.forwardOverhead, chain.backwardOverhead];
}

/** True where every size is a multiple of the class. */
function exactSizes(chain: HeteroChain, unit: number): boolean {
  return (
    sizesOf(chain).every((sizes) => Array.from(sizes).every((size, i) => i === 0 || size % unit === 0)) &&
    chain.state[0] % unit === 0 &&
    chain.cotangent[0] % unit === 0
  );
}

function cheapest(
  chain: HeteroChain,
  budget: number,
  least: LeastRoom,
  classes: number,
): { ops: ChainOp[]; classBytes: number } {
  const cuts = cutsOf(chain);
  const all = unfold(chain, 0, () => 0);
  const enough = refereeOps(chain, all).peak;
  if (enough <= budget) return { ops: all, classBytes: 1 };
  const room = cuts.root(budget);
  let divisor = 0;
  for (const sizes of sizesOf(chain))
    for (let i = 0; i <= chain.n; i++) divisor = gcd(divisor, sizes[i] || 0);
  divisor = Math.max(1, divisor);
  const most = Math.max(32, Math.min(classes, Math.floor((6 * WORK) / chain.n ** 3)));
  const exact = Math.floor(room / divisor) <= most;
  // classes of room / most bytes, kept as a fraction: ceil(size * most / room) in whole numbers
  const count = exact ? Math.floor(room / divisor) : most;
  const scale = (bytes: number): number =>
    exact
      ? Math.ceil((bytes || 0) / divisor)
      : Number((BigInt(bytes || 0) * BigInt(most) + BigInt(room) - 1n) / BigInt(room));
  const scaled = (sizes: ArrayLike<number>): Float64Array => Float64Array.from(sizes, scale);
  const rounded: HeteroChain = {
    ...chain,
    state: scaled(chain.state),
    tape: scaled(chain.tape),
    cotangent: scaled(chain.cotangent),
    forwardOverhead: scaled(chain.forwardOverhead),
    backwardOverhead: scaled(chain.backwardOverhead),
  };
  const table = persistentTable(rounded, count);
  const classBytes = exact ? divisor : room / most;
  // so near the least budget that rounding leaves nothing: the schedule of least memory fits by its definition
  if (table.cost(1, chain.n, count) === Infinity)
    return { ops: unfold(chain, room, (s, t) => least.choice(s, t)), classBytes };
  return { ops: unfold(rounded, count, table.choice), classBytes };
}

function gcd(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}
