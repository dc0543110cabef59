/**
 * How exactly the inverses of coupling layers gave their inputs back: the distance from the first run's values in units in
 * the last place of the largest element, layer by layer. Of arrays the elements that views keep are compared, all of them up to 4096.
 */
import { unitInLastPlace } from "../ops/dtype.js";
import {
  gradientElements,
  type Gradient,
  type LayerError,
  type ReconstructionReport,
} from "../report/report.js";
import { ulpsApart } from "../sweep/spread.js";
import type { NDArray } from "../tape/ndarray.js";
import type { Dtype } from "../trace/trace.js";
import type { Region } from "./regions.js";
import type { StepObserver } from "./replay-observer.js";
import type { Shown } from "./shown.js";

/** Errors beyond this, half the digits of a double, are said in so many words. */
const POOR_ULPS = 2 ** 26;

export class Reconstruction implements StepObserver {
  private readonly errors = new Map<string, LayerError>();

  constructor(
    private readonly shown: Shown,
    private readonly dtype: Dtype,
  ) {}

  inverted(region: Region, step: number, _half: number, node: number, value: NDArray): void {
    const first = node < 0 ? null : this.shown.firstOf(node);
    let ulps = 0;
    // NaN, a value that is none on one side alone, stays
    if (first !== null) {
      const largest = largestOf(first, value.data);
      for (let i = 0; i < first.length && ulps === ulps; i++) {
        const apart = apartIn(value.data[i], first[i], largest, this.dtype);
        if (!(apart <= ulps)) ulps = apart;
      }
    }
    const key = `${region.index}/${step}`;
    const before = this.errors.get(key)?.ulps ?? 0;
    const worse = ulps !== ulps || ulps > before ? ulps : before;
    this.errors.set(key, { region: region.index, name: region.name, layer: step, ulps: worse });
  }

  /** From the first layer to the last, region by region. */
  get layers(): readonly LayerError[] {
    return [...this.errors.values()].sort((a, b) => a.region - b.region || a.layer - b.layer);
  }

  remarks(): string[] {
    const { layers } = this;
    if (layers.length === 0) return [];
    const worst = layers.reduce((a, b) => (b.ulps !== b.ulps || b.ulps > a.ulps ? b : a));
    const exact = layers.filter(({ ulps }) => ulps === 0).length;
    const said = Number(worst.ulps.toPrecision(4));
    return [
      `Inverses of ${layers.length} layers: at most ${said} ULPs from the first run's values (${worst.name}, layer ${worst.layer}); ${exact} exact.`,
      ...(worst.ulps <= POOR_ULPS
        ? []
        : [
            "That is more than half the digits: rounding grows along the inverses; use another schedule here.",
          ]),
    ];
  }
}

/** The largest finite magnitude among both. */
function largestOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (const list of [a, b])
    for (let i = 0; i < a.length; i++)
      if (Number.isFinite(list[i])) largest = Math.max(largest, Math.abs(list[i]));
  return largest;
}

/**
 * Distance in units in the last place of the largest element: an inverse subtracts, so that the error of an element near 0
 * is as large as its neighbours' roundings, and its own last place says nothing.
 */
function apartIn(x: number, reference: number, largest: number, dtype: Dtype): number {
  if (!Number.isFinite(x) || !Number.isFinite(reference)) return ulpsApart(x, reference, dtype);
  return x === reference ? 0 : Math.abs(x - reference) / unitInLastPlace(dtype, largest);
}

/** How far a gradient is from that of everything kept. */
export function gradientError(
  gradient: Gradient,
  reference: Gradient,
  dtype: Dtype,
): NonNullable<ReconstructionReport["gradient"]> {
  let ulps = 0;
  let relative = 0;
  for (const [name, wanted] of Object.entries(reference)) {
    const pairs = [...gradientElements(wanted, gradient[name])];
    const largest = largestOf(
      pairs.map(({ value }) => value),
      pairs.map(({ other }) => other),
    );
    for (const { value, other } of pairs) {
      const apart = apartIn(other, value, largest, dtype);
      if (!(apart <= ulps)) ulps = apart;
      if (apart === 0) continue;
      const part = Math.abs(other - value) / Math.max(largest, Number.MIN_VALUE);
      if (!(part <= relative)) relative = part;
    }
  }
  return { ulps, relative };
}
