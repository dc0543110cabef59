/** Checkpoint slots of a sweep under a schedule: what they are called, when they change, what lies in them. */
import { CheckpointStates, type SlotAt } from "../timeline/checkpoints.js";
import type { Timeline } from "../timeline/timeline.js";
import { Event, isStep } from "../trace/events.js";

export class Slots {
  private statesMade: CheckpointStates | null = null;
  /** number of rows of the slots table; a slot is named by its row */
  readonly n: number;
  private readonly steps: number[][];

  constructor(private readonly timeline: Timeline) {
    const { slots, events } = timeline.trace;
    this.n = slots?.n ?? 0;
    this.steps = Array.from({ length: this.n }, () => []);
    const { b, kind, node, n } = events;
    if (b === undefined) return;
    for (let row = 0, step = 0; row < n; row++) {
      step += isStep[kind[row]];
      const freed = kind[row] === Event.free && node[row] < 0;
      // running a step backwards empties the slot of the state behind it; an inverse layer has no slot, and b is -1
      const moved =
        kind[row] === Event.snapshot || kind[row] === Event.restore || kind[row] === Event.uncompute;
      const of = this.steps[b[row]];
      if (of !== undefined && (freed || moved) && of.at(-1) !== step) of.push(step);
    }
  }

  /** The state of every primal and slot: made when first asked for, since only a sweep under a schedule needs it. */
  get states(): CheckpointStates {
    return (this.statesMade ??= new CheckpointStates(this.timeline));
  }

  /** "slot 2", "slot 2 of chain, on disk" where the number alone does not tell. */
  title(slot: number): string {
    const { slots, segments, strings } = this.timeline.trace;
    if (slots === undefined || slot < 0 || slot >= slots.n) return "a slot";
    const several = slots.region.some((region) => region !== slots.region[0]);
    const row = several && segments !== undefined ? segments.region.indexOf(slots.region[slot]) : -1;
    const owner = row >= 0 && segments!.owner[row] >= 0 ? ` of ${strings[segments!.owner[row]]}` : "";
    return `slot ${slots.number[slot]}${owner}${slots.disk[slot] === 1 ? ", on disk" : ""}`;
  }

  /** Steps at which something is put into the slot, taken from it, or it is emptied; ascending. */
  stepsOf(slot: number): readonly number[] {
    return this.steps[slot] ?? [];
  }

  /** What lies in the slot at a position, undefined: it is free. */
  at(slot: number, position: number): SlotAt | undefined {
    return this.n === 0 ? undefined : this.states.slotsAt(position).find(({ row }) => row === slot);
  }
}
