/** How far one gradient is from another: equal to the bit, or by how much. Plain data. */
import { gradientElements, type Gradient } from "../report/report.js";
import { ulpsApart } from "../sweep/spread.js";
import type { Dtype } from "../trace/trace.js";

export interface GradientDistance {
  /** every entry the same bits; NaN counts as NaN */
  readonly equal: boolean;
  /** the entry that is furthest off: input and index such as "w[0][2]"; null where all are equal */
  readonly worst: {
    readonly name: string;
    readonly reference: number;
    readonly value: number;
    /** in units in the last place of the reference */
    readonly ulps: number;
    /** |value - reference| / max(|reference|, smallest normal number) */
    readonly relative: number;
  } | null;
  /** entries that differ, of all */
  readonly differ: number;
  readonly entries: number;
}

const SMALLEST_NORMAL = 2 ** -1022;

/** Entry by entry; entries the other lacks count as NaN. */
export function gradientDistance(value: Gradient, reference: Gradient, dtype: Dtype): GradientDistance {
  let worst: GradientDistance["worst"] = null;
  let differ = 0;
  let entries = 0;
  for (const [name, of] of Object.entries(reference)) {
    for (const { path, value: wanted, other } of gradientElements(of, value[name])) {
      entries++;
      if (Object.is(wanted, other)) continue;
      differ++;
      const ulps = ulpsApart(other, wanted, dtype);
      const relative = Math.abs(other - wanted) / Math.max(Math.abs(wanted), SMALLEST_NORMAL);
      // what is not comparable is the worst
      if (worst !== null && !(ulps > worst.ulps) && !Number.isNaN(ulps)) continue;
      if (worst === null || !Number.isNaN(worst.ulps))
        worst = { name: name + path, reference: wanted, value: other, ulps, relative };
    }
  }
  return { equal: differ === 0, worst, differ, entries };
}
