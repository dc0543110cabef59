/**
 * The true optimum of a short heterogeneous chain, over all schedules: kept states may be dropped early and made again. It certifies how
 * far the memory-persistent optimum is from it (in the reference chains up to 1.227 times).
 */
import { bestFirst, type SearchProblem } from "../dag/search.js";
import type { HeteroChain } from "./chain.js";
import type { ChainOp, ChainOpKind } from "./ops.js";

/** Longest chain searched, and most states entered unless told otherwise. */
export const LONGEST_EXACT = 12;
export const MOST_STATES = 2_000_000;

const kinds: readonly ChainOpKind[] = ["F", "T", "B", "dA", "dB", "demote"];

export interface ExactChain {
  readonly cost: number;
  readonly ops: readonly ChainOp[];
  readonly states: number;
}

/**
 * Cheapest schedule within `budget` bytes; null where there is none; "limit" when the chain is too long or too many states were entered.
 */
export function exactChain(
  chain: HeteroChain,
  budget: number,
  limit = MOST_STATES,
): ExactChain | null | "limit" {
  if (chain.n > LONGEST_EXACT) return "limit";
  const found = bestFirst({ ...game(chain, budget), limit, combine: "sum" });
  if (found.kind !== "found") return found.kind === "none" ? null : "limit";
  const ops = found.labels.map((label) => ({
    kind: kinds[label % kinds.length],
    i: Math.floor(label / kinds.length),
  }));
  return { cost: found.cost, ops, states: found.states };
}

/** Least budget in bytes of any schedule, or "limit". */
export function exactLeastBudget(chain: HeteroChain, limit = MOST_STATES): number | "limit" {
  if (chain.n > LONGEST_EXACT) return "limit";
  const peaks = game(chain, Infinity, true);
  const found = bestFirst({ ...peaks, limit, combine: "max" });
  if (found.kind !== "found") return "limit";
  // an operation is never needed at the very start: what is live then counts too
  return Math.max(found.cost, chain.state[0] + chain.cotangent[chain.n]);
}

/**
 * States as numbers: two bits a step (1: state i is kept, 2: its tape), and how far the sweep has come back.
 * `peaks`: operations cost the bytes they need, instead of their time.
 */
function game(chain: HeteroChain, budget: number, peaks = false): Omit<SearchProblem, "limit" | "combine"> {
  const { n, state, tape, cotangent, forward, backward } = chain;
  const contained = chain.model === "contained";
  const size = 4 ** n;
  const bits = (code: number, i: number): number => Math.floor(code / 4 ** (i - 1)) % 4;
  const live = (code: number, back: number): number => {
    let bytes = state[0] + cotangent[back];
    for (let i = 1; i <= n; i++) {
      const has = bits(code, i);
      if (has & 1) bytes += state[i];
      if (has & 2) bytes += tape[i];
    }
    return bytes;
  };
  const available = (code: number, i: number): boolean =>
    i === 0 || (bits(code, i) & (contained ? 3 : 1)) !== 0;
  return {
    start: n * size,
    goal: (at) => at < size,
    expand: (at, to) => {
      const back = Math.floor(at / size);
      const code = at % size;
      const here = live(code, back);
      const step = (kind: number, i: number, next: number, need: number, cost: number): void => {
        if (need <= budget) to(next, peaks ? need : cost, i * kinds.length + kind);
      };
      for (let i = 1; i <= back; i++) {
        const has = bits(code, i);
        const unit = 4 ** (i - 1);
        const room = here + chain.forwardOverhead[i];
        if (available(code, i - 1)) {
          if (!available(code, i) && i < back) step(0, i, at + unit, room + state[i], forward[i]);
          if (contained && has === 0) step(1, i, at + 2 * unit, room + tape[i], forward[i]);
          if (!contained && has < 2) {
            const made = tape[i] + (has === 0 ? state[i] : 0);
            step(1, i, at + (3 - has) * unit, room + made, forward[i]);
          }
        }
        if (has & 1) step(3, i, at - unit, 0, 0);
        if (has & 2) step(4, i, at - 2 * unit, 0, 0);
        if (contained && has === 2) step(5, i, at - unit, 0, 0);
      }
      const ready = contained ? available(code, back - 1) : true;
      if (ready && (bits(code, back) & 2) !== 0) {
        const need = here + cotangent[back - 1] + chain.backwardOverhead[back];
        const next = (back - 1) * size + code - bits(code, back) * 4 ** (back - 1);
        step(2, back, next, need, backward[back]);
      }
    },
    // every step still to be pulled back is, and is recorded first unless its tape is there
    bound: (at) => {
      if (peaks) return 0;
      const back = Math.floor(at / size);
      const code = at % size;
      let cost = 0;
      for (let i = 1; i <= back; i++) cost += backward[i] + (bits(code, i) & 2 ? 0 : forward[i]);
      return cost;
    },
  };
}
