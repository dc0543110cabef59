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
 * Any number of disk slots is the fixed point in m. Where a state on disk may be read once only, as Disk-Revolve has it, the part
 * in front of a division is done in RAM: ram(j) stands for onDisk(j, m). All costs are those of the caller: uf and ub are not taken
 * for equal.
 */
import { BacksweepError } from "../../trace/failure.js";
import { leastAdvances } from "../binomial.js";

/** An advance, a recording and its reversal, a disk write, a disk read. */
export interface LevelCosts {
  readonly uf: number;
  readonly ub: number;
  readonly wd: number;
  readonly rd: number;
}

/** Divisions tried: a few seconds. */
const MOST_WORK = 3e9;

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
    // the first length whose right part alone costs as much as the least found
    let tooLong = 0;
    for (let n = 2; n <= steps; n++) {
      let least = ramOnly[n];
      let choice = 0;
      // where the shorter part was divided is a good first try, so that few others are left
      const near = Math.min(n - 1, division[n - 1] + 1);
      if (left[near] + right[n - near] < least) {
        least = left[near] + right[n - near];
        choice = near;
      }
      while (tooLong < n && right[tooLong] < least) tooLong++;
      for (let j = Math.max(1, n - tooLong + 1); j < n && left[j] < least; j++) {
        const cost = left[j] + right[n - j];
        if (cost < least) {
          least = cost;
          choice = j;
        }
      }
      onDisk[n] = least;
      division[n] = choice;
      best[n] = Math.min(ramOnly[n], wd + least);
      left[n] = (this.readOnce ? ramOnly[n] : least) + n * uf + rd;
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
    `${name}: planned by a table over steps^2 x disk slots, too large for ${steps} steps`,
  );
}

function same(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
