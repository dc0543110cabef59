/**
 * What a trace keeps of an array: all elements of a small one while there is room for them, else the first; and the
 * summary of all. Under a schedule this is taken when the array is there, so that the trace does not hold what the
 * schedule drops.
 */
import { meanOf } from "../sweep/mixed.js";
import type { NDArray } from "../tape/ndarray.js";
import { summaryOf } from "../trace/arrays.js";

/** Arrays of at most this many elements are kept whole ... */
export const WHOLE = 4096;
/** ... as long as all together stay below this; beyond, the first elements of each. */
export const MOST_ELEMENTS = 8_000_000;
export const FIRST = 64;

export interface Kept extends NDArray {
  readonly mean: number;
  readonly summary: Pick<ReturnType<typeof summaryOf>, "norm" | "min" | "max" | "nonfinite">;
}

/** The number of elements to keep of an array where there is room for `room`. */
export function keptCount(size: number, room: number): number {
  const wanted = size <= WHOLE ? size : Math.min(size, FIRST);
  return wanted <= room ? wanted : Math.min(room, Math.min(size, FIRST));
}

export class Keeper {
  private room: number;

  /** @param room elements all arrays together may have */
  constructor(room = MOST_ELEMENTS) {
    this.room = Math.min(room, MOST_ELEMENTS);
  }

  keep(array: NDArray): Kept {
    const { shape, data } = array;
    const count = keptCount(data.length, this.room);
    this.room -= count;
    const { norm, min, max, nonfinite } = summaryOf(shape, data);
    return {
      shape,
      // a copy of its own, or the whole array would stay
      data: data.slice(0, count),
      mean: meanOf(array),
      // without the elements
      summary: { norm, min, max, nonfinite },
    };
  }
}
