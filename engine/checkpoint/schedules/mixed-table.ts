/**
 * The optimum when a slot holds either a state or the tape of one step (Maddison 2024, "Step-based checkpointing with high-level
 * algorithmic differentiation", J. Comput. Sci. 82).
 *
 * F(n, s): the fewest forwards, advances and records together, that reverse n steps from their first state with s empty slots.
 *
 *     F(1, s) = 1,   F(n, 0) impossible for n > 1
 *     F(n, s) = min of  1 + F(n - 1, s - 1)                            the first step's tape goes into a slot
 *                       i + F(n - i, s - 1) + F(i, s), 1 <= i < n      its state does, and i steps are advanced
 */
import { BacksweepError } from "../../trace/failure.js";
import { amount } from "../words.js";

/** Table entries times divisions tried: a few seconds. */
const MOST_WORK = 3e9;

export class MixedTable {
  readonly slots: number;
  /** fewest forwards, by slots and length */
  private readonly best: Float64Array[];
  /** what the first step of a part does: 0 its tape is kept, i its state is and i steps are advanced */
  private readonly first: Int32Array[];

  /**
   * @param slots clipped to steps - 1
   * @throws BacksweepError `option` when the table would be too large
   */
  constructor(name: string, steps: number, slots: number) {
    this.slots = Math.min(slots, Math.max(1, steps - 1));
    // with a slot for every step but the last the answer is known
    const rows = this.slots >= steps - 1 ? 0 : this.slots;
    if ((rows * steps * steps) / 2 > MOST_WORK)
      throw new BacksweepError(
        "option",
        `${name}: planned by a table over steps^2 x slots, too large for ${amount(steps, "step")}; revolve:${slots} needs none`,
      );
    this.best = [new Float64Array(rows > 0 ? steps + 1 : 0).fill(Infinity)];
    this.first = [new Int32Array(0)];
    if (rows > 0) this.best[0][1] = 1;
    for (let s = 1; s <= rows; s++) this.row(steps, s);
  }

  private row(steps: number, s: number): void {
    const below = this.best[s - 1];
    const best = new Float64Array(steps + 1);
    const first = new Int32Array(steps + 1);
    best[1] = 1;
    for (let n = 2; n <= steps; n++) {
      let fewest = 1 + below[n - 1];
      let choice = 0;
      for (let i = 1; i < n; i++) {
        const forwards = i + below[n - i] + best[i];
        if (forwards < fewest) {
          fewest = forwards;
          choice = i;
        }
      }
      best[n] = fewest;
      first[n] = choice;
    }
    this.best.push(best);
    this.first.push(first);
  }

  /** F(n, s). */
  forwards(length: number, slots: number): number {
    return slots >= length - 1 ? length : this.best[slots][length];
  }

  /** 0: keep the first step's tape; i: keep its state and advance i steps. For length > 1 and slots >= 1. */
  choice(length: number, slots: number): number {
    return slots >= length - 1 ? 0 : this.first[slots][length];
  }
}
