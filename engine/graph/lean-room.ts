/**
 * How far a memory limit lets a recording of which only numbers are asked for stay in the fast memory. What outgrows it
 * moves to the tape, whose limit is the one that is reported: both are held while it moves, and so is what it had before it
 * last grew.
 */
import { BYTES_A_NODE, BYTES_OF_CONTRIBUTIONS } from "../recording/columns.js";
import { FAST_CAPACITY, LIMIT } from "../recording/create.js";
import { BYTES_A_NODE as TAPE_BYTES } from "../tape/tape.js";

/** What a node takes in a recording, swept; a constant takes less. */
const LEAN_BYTES = BYTES_A_NODE + BYTES_OF_CONTRIBUTIONS;
/** Nodes below which it is not worth while. */
const LEAST = 1 << 12;

export interface LeanRoom {
  /** nodes and constants in the memory it begins in */
  readonly first: number;
  /** nodes and constants it may grow to hold */
  readonly most: number;
}

/** @param limitBytes most bytes the recording may take; null for an answer says that the tape should be used from the start */
export function leanRoom(limitBytes: number): LeanRoom | null {
  const first = Math.floor(Math.min(limitBytes / (LEAN_BYTES + TAPE_BYTES), FAST_CAPACITY));
  if (first < LEAST) return null;
  let most = FAST_CAPACITY;
  // twice as many, what it held before, and the tape
  while (most < LIMIT && (2 * LEAN_BYTES + LEAN_BYTES + 2 * TAPE_BYTES) * most <= limitBytes) most *= 2;
  return { first, most };
}
