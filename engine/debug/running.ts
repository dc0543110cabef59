/**
 * Running sums of a node's contributions at any position, without adding anything twice: a node of 50,000 uses is asked
 * at every step.
 */
import { overwrites } from "../report/overwrites.js";
import * as quantities from "../report/quantity.js";
import { sumOf, type Quantity } from "../report/quantity.js";
import type { Timeline } from "../timeline/timeline.js";
import { arrayAt } from "../trace/arrays.js";

/** Most nodes whose prefix sums are kept. */
const KEPT = 64;

export class Running {
  /** prefix sums by node: entry i is the sum of the seed and the first i contributions */
  private readonly prefixes = new Map<number, Float64Array>();

  constructor(private readonly timeline: Timeline) {}

  /** The cotangent so far; undefined before anything arrived. Final ones are the sweep's own, to the last bit. */
  at(node: number, position: number): Quantity | undefined {
    const { timeline } = this;
    if (timeline.isFinal(node, position)) return quantities.cotangent(timeline, node);
    return this.after(node, timeline.arrived(node, position), position);
  }

  /**
   * The cotangent after the first `count` contributions, added in their order (or the last of them, where the node
   * overwrites); undefined before anything arrived. Pairwise and compensated modes add when all have arrived: until
   * then the plain sum is what is known.
   */
  after(node: number, count: number, position: number): Quantity | undefined {
    const { timeline } = this;
    const seeded = quantities.seed(timeline, node, position);
    if (count === 0) return seeded;
    if (overwrites(timeline.trace, node)) return this.last(node, count, seeded);
    if (arrayAt(timeline.trace, timeline.trace.nodes.value[node]) !== null)
      return sumOf([seeded, ...this.terms(node, count)].filter((term) => term !== undefined));
    return this.prefix(node)[count];
  }

  /** The last contribution that is one ("none" assigns nothing). */
  private last(node: number, count: number, seeded: Quantity | undefined): Quantity | undefined {
    for (let i = count - 1; i >= 0; i--) {
      const value = quantities.contribution(this.timeline, this.timeline.arrivalEdgeAt(node, i));
      if (value !== undefined) return value;
    }
    return seeded;
  }

  private *terms(node: number, count: number): Generator<Quantity | undefined> {
    for (let i = 0; i < count; i++)
      yield quantities.contribution(this.timeline, this.timeline.arrivalEdgeAt(node, i));
  }

  private prefix(node: number): Float64Array {
    const known = this.prefixes.get(node);
    if (known !== undefined) return known;
    const { timeline } = this;
    const slots = timeline.slots(node);
    const sums = new Float64Array(slots + 1);
    const seeded = timeline.seed(node);
    sums[0] = seeded ?? 0;
    for (let i = 0; i < slots; i++) {
      const value = timeline.contribution(timeline.arrivalEdgeAt(node, i)) ?? 0;
      // a first term is taken over, not added to zero: -0 stays -0
      sums[i + 1] = i === 0 && seeded === undefined ? value : sums[i] + value;
    }
    if (this.prefixes.size >= KEPT) this.prefixes.delete(this.prefixes.keys().next().value!);
    this.prefixes.set(node, sums);
    return sums;
  }
}
