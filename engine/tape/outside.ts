/**
 * Random numbers and clocks that are not the graph's own: `Math.random()`, `Date.now()` and their like give something else
 * when a step is replayed. The realm's stand-ins tell whoever listens; while nobody does it costs one comparison.
 */

/** One call. */
export interface OutsideDraw {
  /** as written in documentation: "Math.random()" */
  readonly what: string;
  /** the number it gave; NaN where it gave no number */
  readonly value: number;
  /** global site id of the call, -1 unknown */
  readonly site: number;
}

/** In an object of its own, because several rooms look at it. */
export const outside: { listener: ((draw: OutsideDraw) => void) | null } = { listener: null };
