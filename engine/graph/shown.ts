/**
 * What views show of a recording whose primals are dropped and replayed: every value as it was when its step first ran,
 * and of the sweep every contribution and cotangent when it has been used. Numbers whole, arrays as `Keeper` has room.
 */
import type { SpentArrays } from "../sweep/reverse.js";
import { Doubles } from "../tape/growable.js";
import type { NDArray } from "../tape/ndarray.js";
import type { Tape } from "../tape/tape.js";
import type { Keeper, Kept } from "./kept.js";
import type { Region } from "./regions.js";
import type { StepObserver } from "./replay-observer.js";

/** The first element of a node's value that is NaN or infinite. */
export interface BadElement {
  readonly index: number;
  readonly value: number;
}

export class Shown implements StepObserver {
  /** primals by node; of nodes that are never dropped they are filled in when recording has ended */
  private readonly values = new Doubles();
  readonly arrays = new Map<number, Kept>();
  /** array constants by reference */
  readonly constants = new Map<number, Kept>();
  /** nodes that are NaN or infinite somewhere, as they were first computed */
  readonly bad = new Map<number, BadElement>();
  private seen = 0;

  constructor(
    private readonly tape: Tape,
    readonly keeper: Keeper,
  ) {}

  firstRun(region: Region, step: number, first: number, end: number): void {
    this.upTo(first);
    this.upTo(end);
    const [from, stop] = region.constantsOf(step);
    for (let k = from; k < stop; k++) {
      const array = this.tape.arrays.constant(~k);
      if (array !== null) this.constants.set(~k, this.keeper.keep(array));
    }
  }

  /** Takes the values of all nodes up to `end` that were not seen yet: they are there, since nothing drops them unseen. */
  private upTo(end: number): void {
    const { tape } = this;
    for (let v = this.seen; v < end; v++) {
      const array = tape.arrays.valueOf(v);
      if (array === null) {
        const value = tape.valueAt(v);
        this.values.push(value);
        if (!Number.isFinite(value)) this.bad.set(v, { index: -1, value });
        continue;
      }
      const kept = this.keeper.keep(array);
      this.arrays.set(v, kept);
      this.values.push(kept.mean);
      if (kept.summary.nonfinite > 0) this.bad.set(v, firstBad(array));
    }
    this.seen = Math.max(this.seen, end);
  }

  /** The value of a node as it was first computed: of an array the elements that are kept. */
  firstOf(node: number): ArrayLike<number> {
    return this.arrays.get(node)?.data ?? [this.values.at(node)];
  }

  /** The primals of the first `n` nodes. */
  column(n: number): Float64Array {
    this.upTo(n);
    return this.values.flat().subarray(0, n);
  }
}

function firstBad({ data }: NDArray): BadElement {
  const index = data.findIndex((x) => !Number.isFinite(x));
  return { index, value: data[index] };
}

/** The arrays of a sweep that lets them go as it proceeds. */
export class ShownSweep implements SpentArrays {
  readonly contributions = new Map<number, Kept>();
  readonly cotangents = new Map<number, Kept>();

  constructor(private readonly keeper: Keeper) {}

  contribution(edge: number, array: NDArray): void {
    this.contributions.set(edge, this.keeper.keep(array));
  }

  cotangent(node: number, array: NDArray): void {
    this.cotangents.set(node, this.keeper.keep(array));
  }
}
