/**
 * The two ways a memory-persistent schedule treats steps s..t, with the bytes each takes. A schedule is persistent when a state it
 * keeps stays until its step is pulled back; then what happens behind a kept state and before it are two independent problems:
 *
 *   cut at c (s < c <= t): run s..c-1, keep state c-1, treat c..t, then s..c-1
 *   tape:                  record s, treat s+1..t, pull s back
 *
 * (Beaumont et al. 2019, equations of their Theorem 1.) `room` is the memory the problem may use. In the contained model the input
 * state s-1 is not in it, since it may lie inside a tape that is counted elsewhere; in the self-contained model it is in it, since it
 * may go as soon as step s is recorded. In both the cotangent of state t is in it.
 */
import type { HeteroChain } from "./chain.js";

export interface Cuts {
  /** room of the whole chain within a budget */
  root(budget: number): number;
  /** least room to run s..c-1 with the cotangent of state t waiting, keeping the input */
  readonly run: (s: number, c: number, t: number) => number;
  /** bytes the part behind a cut at c does not have */
  readonly kept: (s: number, c: number) => number;
  /** least room to record s with the cotangent of state t waiting, and to pull s back */
  readonly record: (s: number, t: number) => number;
  /** bytes the steps behind a recorded step s do not have */
  readonly taped: (s: number) => number;
}

/**
 * Cuts over a chain whose sizes may have been rounded up to classes.
 * `run` answers for c one after the other: it is told s and t once and keeps a running maximum, so c must go up from s + 1.
 */
export function cutsOf(chain: HeteroChain): Cuts {
  const { state, tape, cotangent, forwardOverhead, backwardOverhead } = chain;
  const contained = chain.model === "contained";
  let most = 0;
  // state 0 is never dropped, so in the self-contained model it stays in the room of the first step
  const kept = (s: number): number => (!contained && s === 1 ? state[0] : 0);
  const pull = (s: number): number =>
    kept(s) + cotangent[s] + tape[s] + cotangent[s - 1] + backwardOverhead[s];
  return {
    root: (budget) => (contained ? budget - state[0] : budget),
    run: (s, c, t) => {
      // step c - 1 makes state c - 1 while state c - 2 is there; the input counts as the model says
      const input = contained ? 0 : state[s - 1];
      const last = c - 1;
      const before = last > s ? state[last - 1] : 0;
      const here = input + before + state[last] + forwardOverhead[last];
      most = last === s ? here : Math.max(most, here);
      return cotangent[t] + most;
    },
    kept: (s, c) => (contained ? state[c - 1] : state[s - 1]),
    record: (s, t) =>
      contained
        ? Math.max(cotangent[t] + tape[s] + forwardOverhead[s], pull(s))
        : Math.max(cotangent[t] + state[s - 1] + tape[s] + state[s] + forwardOverhead[s], pull(s)),
    taped: (s) => kept(s) + tape[s],
  };
}
