/**
 * The language of checkpoint schedules: a lazy stream of actions over a chain of `steps` steps.
 *
 * Steps count from 0 and step i maps state i to state i + 1. Besides the slots there is one *working state*, which every forward
 * evaluation moves on, and the tapes that `record` made and `reverse` has not used yet. Neither counts as a slot. State 0 lies in
 * no slot unless the schedule stores it; the working state is state 0 when a stream begins.
 */

/** Where a slot lies. Slots of two levels with one number are two slots. A missing level means "ram". */
export type Level = "ram" | "disk";

/** One action. Slots are small integers from 0, numbered per level. */
export type Action =
  /** Run steps from..to-1 and keep nothing; the working state, state `from` before, is state `to` afterwards. from < to. */
  | { readonly kind: "advance"; readonly from: number; readonly to: number }
  /** Run the step and hold its tape; the working state, state `step` before, is state `step + 1` afterwards. */
  | { readonly kind: "record"; readonly step: number }
  /** Pull the cotangent of state `step + 1` back to state `step` with the held tape of the step, and drop that tape. */
  | { readonly kind: "reverse"; readonly step: number }
  /**
   * Put something into an empty slot. A state: the working state, which stays the working state. A tape (`what: "tape"`): the held
   * tape of step `state`, which moves into the slot. `open: true` says that the slot is part of the open block, a state kept
   * between two neighbouring reversals, and no snapshot: it counts in `peakStates`, not in `peakSlots`; to an executor it is a slot
   * like any other.
   */
  | {
      readonly kind: "store";
      readonly state: number;
      readonly slot: number;
      readonly level?: Level;
      readonly what?: "state" | "tape";
      readonly open?: true;
    }
  /** The slot's state becomes the working state, or its tape is held again; the slot keeps what it has until it is freed. */
  | { readonly kind: "restore"; readonly slot: number; readonly level?: Level }
  /** Empty the slot. A tape that was restored from it stays held until it is reversed. */
  | { readonly kind: "free"; readonly slot: number; readonly level?: Level }
  /**
   * A reversible move, one evaluation of the step.
   * Without `slot` (coupling layers): the working state, state `step + 1` before, is state `step` afterwards, by the inverse; with
   * `tape: true` the tape of the step is held as well, since the inverse evaluates the layer's functions at the operands of the
   * forward run, so that `reverse` may follow at once.
   * With `slot` (pebbling): the working state is state `step` and stays so, the slot holds state `step + 1`; running the step again
   * takes that pebble away, and the slot is empty afterwards (no `free` follows).
   */
  | { readonly kind: "uncompute"; readonly step: number; readonly slot?: number; readonly tape?: true };

/**
 * What a stream costs, counted in steps, states and tapes; the names are those of `plan --json`. A forward evaluation of a step is
 * an advance or a record (or a reversible move that keeps no tape). `N` is bigint for closed forms beyond the safe integers.
 */
export interface CountsOf<N> {
  /** States in slots at once, the working state not counted. */
  readonly peakStates: N;
  /** Step tapes at once, held or in slots; a tape that was restored from a slot counts once. */
  readonly peakTapes: N;
  /** Snapshot slots in use at once, whatever lies in them; states of an open block are none. */
  readonly peakSlots: N;
  /** Steps run without keeping their tape. */
  readonly advances: N;
  /** Steps run with their tape kept, by `record` or by `uncompute` with `tape`. */
  readonly records: N;
  /** Reversible moves; those that keep a tape count in `records` too. */
  readonly uncomputes: N;
  /** advances + records + reversible moves without a tape. */
  readonly totalForwards: N;
  /** totalForwards - steps. */
  readonly extraForwards: N;
  /**
   * Advances over steps that had been evaluated before, the textbook's R. Where the first sweep is steps - 1 advances and one
   * record, that is advances - (steps - 1).
   */
  readonly replays: N;
  /** Restores from a slot. */
  readonly reads: N;
  /** Stores into a slot, states of an open block included. */
  readonly writes: N;
  /** The part of reads, writes and slots that lies on disk. */
  readonly diskReads: N;
  readonly diskWrites: N;
  readonly peakDiskSlots: N;
}

export type Counts = CountsOf<number>;

/** Costs of the textbook model: states kept in total and forward evaluations run again. */
export interface ModelCounts {
  readonly peakStates: number;
  readonly replays: number;
}

/** A checkpoint schedule for a chain of any length. */
export interface Schedule {
  /** As typed: "uniform:8". */
  readonly name: string;
  /** The lazy stream for a chain of `steps` >= 1 steps. It may be asked for again, each time from the start. */
  actions(steps: number): Iterable<Action>;
  /** The textbook model, where there is one. */
  model?(steps: number): ModelCounts | null;
  /** The counts of the stream in closed form, exact; for streams too long to run. */
  closedForm?(steps: number): CountsOf<bigint> | null;
  /** About how many actions the stream has: decides whether it is counted by running it. */
  length?(steps: number): number;
  /** Sentences for a person: why model and executed differ, what was clipped, what the optimum is. */
  remarks?(steps: number): readonly string[];
  /** Further facts, as entries of `plan --json`: the cost of a two-level schedule, the offline optimum of an online one. */
  details?(steps: number): Readonly<Record<string, unknown>>;
}
