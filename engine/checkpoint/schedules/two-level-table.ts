/**
 * The optimum over two levels of storage: RAM slots, read and written for nothing, and disk slots, a write costing wd and a read rd
 * (Aupy et al. 2016, "Optimal multistage algorithm for adjoint computation", SIAM J. Sci. Comput. 38(3); Herrmann and Pallez 2020,
 * "H-Revolve", ACM TOMS 46(2)).
 *
 * Costs of a part of n steps, the recordings left out (n ub are added once):
 *
 *     ram(n)         uf t(n, ram), binomial
 *     onDisk(n, m)   its first state lies on disk, in one of m disk slots, and is the working state:
 *                    min of ram(n) and, over 1 <= j < n,  j uf + best(n - j, m - 1) + rd + onDisk(j, m)
 *     best(n, m)     min of ram(n) and wd + onDisk(n, m)
 *
 * The divisions of n steps need not be tried one by one. cost(n, j) is cost(n - 1, j) and what one more step behind the division
 * costs, or cost(n - 1, j - 1) and what one more in front of it does. So where a cost found is at most onDisk(n - 1, m) and the least
 * such step of all divisions up to some j from the one side, of those behind it from the other, it is the optimum. Costs mostly rise
 * ever faster, and then one of two neighbouring j shows it; where not, the divisions are tried.
 *
 * Any number of disk slots is the fixed point in m. Where a state on disk may be read once only, as Disk-Revolve has it, the part
 * in front of a division is done in RAM: ram(j) stands for onDisk(j, m). All costs are those of the caller: uf and ub are not taken
 * for equal.
 */
import { BacksweepError } from "../../trace/failure.js";
import { leastAdvances } from "../binomial.js";
import { LeastSlopes } from "./least-slopes.js";
import { amount } from "../words.js";

/** An advance, a recording and its reversal, a disk write, a disk read. */
export interface LevelCosts {
  readonly uf: number;
  readonly ub: number;
  readonly wd: number;
  readonly rd: number;
}

/** Divisions tried: a few seconds. */
const MOST_WORK = 3e9;
/** What sums of costs may be off by. */
const ROUNDING = 1e-13;

export class TwoLevelTable {
  /** best(n, m) and onDisk(n, m), by m */
  private readonly best: Float64Array[] = [];
  private readonly onDisk: Float64Array[] = [];
  /** the j of onDisk(n, m), 0 for RAM only, by m */
  private readonly division: Int32Array[] = [];
  private readonly ramOnly: Float64Array;

  /**
   * @param disk number of disk slots, Infinity for as many as are useful
   * @param readOnce a state on disk is read once
   * @throws BacksweepError `option` when the table would be too large
   */
  constructor(
    name: string,
    readonly steps: number,
    ram: number,
    private readonly disk: number,
    readonly costs: LevelCosts,
    private readonly readOnce = false,
  ) {
    const work = (m: number): number => (m * steps * steps) / 2;
    if (work(1) > MOST_WORK) throw tooLarge(name, steps);
    this.ramOnly = new Float64Array(steps + 1);
    for (let n = 2; n <= steps; n++)
      this.ramOnly[n] = ram === 0 ? Infinity : costs.uf * leastAdvances(n, ram);
    this.best.push(this.ramOnly);
    this.onDisk.push(this.ramOnly);
    this.division.push(new Int32Array(0));
    if (disk === Infinity) {
      this.row(1, null);
      return;
    }
    const rows = Math.min(disk, steps - 1);
    for (let m = 1; m <= rows; m++) {
      if (work(m) > MOST_WORK) throw tooLarge(name, steps);
      this.row(m, this.best[m - 1]);
      // no part is better for one slot more: no part will be for two
      if (same(this.onDisk[m], this.onDisk[m - 1]) && same(this.best[m], this.best[m - 1])) break;
    }
  }

  /** Fills row m. `behind`: the costs of the part behind the division, null for those of the row itself. */
  private row(m: number, behind: Float64Array | null): void {
    const { steps, ramOnly } = this;
    const { uf, wd, rd } = this.costs;
    const onDisk = new Float64Array(steps + 1);
    const best = new Float64Array(steps + 1);
    const division = new Int32Array(steps + 1);
    const right = behind ?? best;
    // what the part in front of a division costs: rises with its length, as `right` does
    const left = new Float64Array(steps + 1);
    left[1] = uf + rd;
    const leftSlopes = new LeastSlopes(steps, 2);
    const rightSlopes = new LeastSlopes(steps, 1);
    // the first length whose right part alone costs as much as the least found
    let tooLong = 0;
    // where the last part is best divided, whether or not RAM is better
    let near = 1;
    for (let n = 2; n <= steps; n++) {
      rightSlopes.push(right[n - 1] - right[n - 2]);
      let choice = Math.min(near, n - 1);
      if (near + 1 < n && left[near + 1] + right[n - near - 1] < left[near] + right[n - near])
        choice = near + 1;
      let least = left[choice] + right[n - choice];
      const wanted = Math.min(least, ramOnly[n]) * (1 - ROUNDING);
      // every division of n costs what one of n - 1 does and one more step of its front part, or of its rear part
      const proved = (j: number): boolean =>
        j >= 1 &&
        j <= n - 2 &&
        onDisk[n - 1] + rightSlopes.from(n - j) >= wanted &&
        onDisk[n - 1] + leftSlopes.from(j + 1) >= wanted;
      if (!proved(choice) && !proved(choice - 1)) {
        const bound = Math.min(least, ramOnly[n]);
        while (tooLong < n && right[tooLong] < bound) tooLong++;
        for (let j = Math.max(1, n - tooLong + 1); j < n && left[j] < bound; j++) {
          const cost = left[j] + right[n - j];
          if (cost < least) {
            least = cost;
            choice = j;
          }
        }
      }
      near = choice;
      onDisk[n] = Math.min(ramOnly[n], least);
      division[n] = least < ramOnly[n] ? choice : 0;
      best[n] = Math.min(ramOnly[n], wd + onDisk[n]);
      left[n] = (this.readOnce ? ramOnly[n] : onDisk[n]) + n * uf + rd;
      leftSlopes.push(left[n] - left[n - 1]);
    }
    this.onDisk[m] = onDisk;
    this.best[m] = best;
    this.division[m] = division;
  }

  /** The row for m free disk slots: the last one stands for all above it. */
  private at(m: number): number {
    return Math.min(m, this.best.length - 1);
  }

  /** The least cost of the chain, the n recordings and reversals included. */
  get optimum(): number {
    return this.best[this.at(this.disk)][this.steps] + this.costs.ub * this.steps;
  }

  /** Is a part of n steps cheaper with its first state on disk, with m disk slots free? */
  goesToDisk(n: number, m: number): boolean {
    const row = this.at(m);
    return row > 0 && n > 1 && this.costs.wd + this.onDisk[row][n] < this.ramOnly[n];
  }

  /**
   * After how many steps the next part begins, 0 when the rest is done in RAM; m counts the slot of the first state.
   *
   * @param read the first state has been read from disk, not just written
   */
  divide(n: number, m: number, read: boolean): number {
    return n === 1 || (read && this.readOnce) ? 0 : this.division[this.at(m)][n];
  }
}

function tooLarge(name: string, steps: number): BacksweepError {
  return new BacksweepError(
    "option",
    `${name}: planned by a table over steps^2 x disk slots, too large for ${amount(steps, "step")}`,
  );
}

function same(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
