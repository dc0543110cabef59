/** What the memory limit leaves for the primals of a run. */
import type { RunContext } from "./run.js";

/** The part of the memory limit that arrays kept for views may take. */
export const SHOWN_SHARE = 1 / 16;
/**
 * The part of the memory limit that primals may take at once under a schedule. The sweep's arrays are let go one by one
 * there, so that they take about what one step takes.
 */
export const HELD_SHARE = 1 / 2;

/** What the memory limit leaves for primals, in bytes. */
export interface Room {
  readonly limit: number;
  /** when everything is kept, the sweep's arrays too */
  readonly kept: number;
  /** at once, under a schedule */
  readonly held: number;
  /** called when arrays were let go */
  readonly collect?: () => void;
}

/** Without a trace: cotangents and contributions take about as much as the primals, each. */
export function roomOf({ limitBytes: limit, collect }: Pick<RunContext, "limitBytes" | "collect">): Room {
  return withCollection({ limit, kept: limit / 4, held: limit * HELD_SHARE }, collect);
}

/** The same room, its garbage collected. */
export function withCollection(room: Room, collect: (() => void) | undefined): Room {
  return collect === undefined ? room : { ...room, collect };
}
