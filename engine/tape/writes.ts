/**
 * Writes of a program that was loaded to be observed: who is told, and what is told. The loader's rewritten code calls
 * `wrote` around the value of every assignment; while nobody listens it costs one comparison.
 */

/** One write, told just before it happens (by a method of an array: just after). */
export interface ObservedWrite {
  /** global site id of the whole assignment, see `sites.ts` */
  readonly site: number;
  /** as written: "=", "+=", "-=", ...; "set", "with" and "push" for the methods, "spread" for `{ ...o, [k]: v }` */
  readonly operator: string;
  /** the right side's value */
  readonly value: unknown;
  /** what is written to: the object, the array or map, null for a variable or where it could not be read twice */
  readonly object: unknown;
  /** property, index or key; the variable's name */
  readonly key: unknown;
  /** what stood there; undefined where it could not be read */
  readonly before: unknown;
}

/** A call that gives something else each time: `Math.random()`, a clock. */
export interface ObservedDraw {
  readonly site: number;
}

export interface WriteSink {
  write(write: ObservedWrite): void;
  draw(draw: ObservedDraw): void;
  /** a function begins; the site is the whole function's */
  enter(site: number): void;
}

/** In an object of its own, because rewritten code looks at it itself. */
export const observed: { sink: WriteSink | null } = { sink: null };

/** Listens while `body` runs; nested calls are told to the inner listener alone. */
export function observing<T>(sink: WriteSink, body: () => T): T {
  const outer = observed.sink;
  observed.sink = sink;
  try {
    return body();
  } finally {
    observed.sink = outer;
  }
}
