/** Which states an online schedule holds while the chain grows; see `online.ts` for the rule. */
import { beta, leastAdvances } from "../binomial.js";

/** Where a state goes: into a slot that held another one (`taken`) or none. */
export interface OnlineSlot {
  readonly slot: number;
  readonly taken: boolean;
}

export class OnlinePositions {
  /** Stored states, rising, and the slot of each. State 0 is stored from the start. */
  readonly states = [0];
  readonly slots = [0];
  /** Positions of the stage that were stored when they were passed, and stay until it ends. */
  private readonly kept = [true];
  /** The stage's repetition number, the length at which it ends, the next of its positions and how many it had so far. */
  private stage = 1;
  private stageEnd: number;
  private next: number;
  private passed = 1;
  /** The state other than the first and the last whose loss costs least; null: none may go; undefined: not known. */
  private cheapest: { readonly index: number; readonly change: number } | null | undefined;

  constructor(private readonly c: number) {
    this.stageEnd = beta(c, 1);
    this.next = c > 1 ? 1 : Infinity;
  }

  /** Slots never used. */
  get unused(): number[] {
    return Array.from({ length: this.c - this.states.length }, (_, i) => this.states.length + i);
  }

  /** The chain has reached `state` and goes on behind it: its slot when it is stored, null when it is not. States come in order. */
  pass(state: number): OnlineSlot | null {
    if (state >= this.stageEnd) this.nextStage();
    const wanted = state === this.next;
    if (wanted) {
      this.passed++;
      this.next = this.passed < this.c ? state + beta(this.c - this.passed + 1, this.stage - 1) : Infinity;
    }
    if (this.states.length < this.c) {
      const slot = this.states.length;
      this.append(state, slot, wanted);
      return { slot, taken: false };
    }
    const index = this.leastLoss(state, wanted);
    if (index < 0) return null;
    const slot = this.slots[index];
    this.states.splice(index, 1);
    this.slots.splice(index, 1);
    this.kept.splice(index, 1);
    this.append(state, slot, wanted);
    return { slot, taken: true };
  }

  private append(state: number, slot: number, kept: boolean): void {
    this.states.push(state);
    this.slots.push(slot);
    this.kept.push(kept);
    this.cheapest = undefined;
  }

  private nextStage(): void {
    this.next = this.c > 1 ? this.stageEnd : Infinity;
    this.stage++;
    this.stageEnd = beta(this.c, this.stage);
    this.passed = 1;
    this.kept.fill(false, 1);
    this.cheapest = undefined;
  }

  /**
   * Which stored state to give up for `state`, for a chain that ends two states further on; -1: none, keeping all of them is
   * cheaper. Of equal losses the one nearest to the end is taken.
   */
  private leastLoss(state: number, must: boolean): number {
    const { states, c, kept } = this;
    const last = states.length - 1;
    const end = state + 2;
    if (this.cheapest === undefined) this.cheapest = this.cheapestInner();
    // what all of them share is left out: the parts up to the last state, as they stand
    let best = -1;
    let least = must ? Infinity : states[last] + leastAdvances(end - states[last], 1);
    const behind = leastAdvances(end - state, 1);
    const inner = this.cheapest;
    if (inner !== null) {
      const cost = state + inner.change + leastAdvances(state - states[last], 2) + behind;
      if (cost <= least) {
        least = cost;
        best = inner.index;
      }
    }
    if (last > 0 && !kept[last]) {
      // the part before the last state reaches to `state` instead
      const before = leastAdvances(states[last] - states[last - 1], c - last + 1);
      const now = leastAdvances(state - states[last - 1], c - last + 1);
      if (state + now - before + behind <= least) best = last;
    }
    return best;
  }

  /** Among states 1..last-1: the change of the cost of the parts up to the last state; those behind the gap have one slot more. */
  private cheapestInner(): { readonly index: number; readonly change: number } | null {
    const { states, c, kept } = this;
    const last = states.length - 1;
    let best: { index: number; change: number } | null = null;
    // what the parts behind the gap gain by the slot
    let gain = 0;
    for (let k = last - 1; k >= 1; k--) {
      const own = leastAdvances(states[k + 1] - states[k], c - k);
      if (!kept[k]) {
        const before = leastAdvances(states[k] - states[k - 1], c - k + 1);
        const merged = leastAdvances(states[k + 1] - states[k - 1], c - k + 1);
        const change = merged - before - own + gain;
        if (best === null || change < best.change) best = { index: k, change };
      }
      gain += leastAdvances(states[k + 1] - states[k], c - k + 1) - own;
    }
    return best;
  }
}
