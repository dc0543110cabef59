/** The least memory in which a heterogeneous chain can be reversed by a memory-persistent schedule, exact in bytes. */
import type { HeteroChain } from "./chain.js";
import { cutsOf } from "./cuts.js";

export interface LeastRoom {
  /** bytes, input state and all */
  readonly budget: number;
  /** 0: record step s; otherwise the c at which to cut */
  choice(s: number, t: number): number;
}

/** O(n^3) comparisons and O(n^2) memory: the recurrence of `persistent.ts` for the room instead of the cost. */
export function leastRoom(chain: HeteroChain): LeastRoom {
  const { n } = chain;
  const cuts = cutsOf(chain);
  const at = (s: number, t: number): number => (t * (t - 1)) / 2 + s - 1;
  const room = new Float64Array(at(n, n) + 1);
  const choices = new Int32Array(at(n, n) + 1);
  for (let length = 1; length <= n; length++) {
    for (let s = 1; s + length - 1 <= n; s++) {
      const t = s + length - 1;
      let best = cuts.record(s, t);
      let choice = 0;
      if (s < t) best = Math.max(best, cuts.taped(s) + room[at(s + 1, t)]);
      for (let c = s + 1; c <= t; c++) {
        const need = Math.max(cuts.run(s, c, t), cuts.kept(s, c) + room[at(c, t)], room[at(s, c - 1)]);
        if (need < best) {
          best = need;
          choice = c;
        }
      }
      room[at(s, t)] = best;
      choices[at(s, t)] = choice;
    }
  }
  // `root` takes a constant off a budget
  return { budget: room[at(1, n)] - cuts.root(0), choice: (s, t) => choices[at(s, t)] };
}
