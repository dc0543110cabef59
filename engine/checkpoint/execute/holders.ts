/**
 * Who holds the states and tapes of a chain: a state lies in slots, in tapes of the step behind it, and may be the working
 * state; a tape may be held and lie in a slot. With the last holder the primals are let go.
 */
import { Did, type StorageLog } from "./log.js";
import type { Primals } from "./primals.js";
import type { Steps } from "./steps.js";
import type { Tally } from "./tally.js";

export class Holders {
  private readonly states = new Map<number, number>();
  private readonly tapes = new Map<number, number>();

  constructor(
    private readonly steps: Steps,
    private readonly primals: Primals,
    private readonly log: StorageLog | null,
    private readonly tally: Tally,
  ) {}

  holdState(state: number): void {
    this.states.set(state, (this.states.get(state) ?? 0) + 1);
    for (const node of this.steps.leaves(state)) this.primals.hold(node);
  }

  releaseState(state: number): void {
    const left = this.states.get(state)! - 1;
    for (const node of this.steps.leaves(state)) this.primals.release(node);
    if (left > 0) this.states.set(state, left);
    else {
      this.states.delete(state);
      this.steps.forget?.(state);
    }
  }

  /** Says which nodes a slot or a tape retains. */
  retained(state: number, slot: boolean): void {
    if (this.log === null) return;
    for (const node of this.steps.leaves(state)) this.log.push(Did.store, node, slot ? 1 : 0);
  }

  /** True where somebody holds the tape of a step. */
  hasTape(step: number): boolean {
    return this.tapes.has(step);
  }

  /** A tape holds the primals of its step's nodes, and the state the step began with. */
  holdTape(step: number): void {
    const { steps, primals, log } = this;
    this.tapes.set(step, (this.tapes.get(step) ?? 0) + 1);
    this.holdState(step);
    this.retained(step, false);
    for (let node = steps.first(step); node < steps.end(step); node++) {
      primals.hold(node);
      log?.push(Did.store, node, 0);
    }
    this.tally.tapes(this.tapes.size);
  }

  releaseTape(step: number): void {
    const { steps, primals } = this;
    const left = this.tapes.get(step)! - 1;
    if (left > 0) this.tapes.set(step, left);
    else this.tapes.delete(step);
    this.tally.tapes(this.tapes.size);
    if (left === 0) steps.dropTape?.(step);
    for (let node = steps.first(step); node < steps.end(step); node++) primals.release(node);
    this.releaseState(step);
  }
}
