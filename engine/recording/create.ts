/**
 * Makes recordings. One at a time has the realm's fast memory (its columns are constants to the host's compiler: about 1.5
 * times as fast); it is free again when that recording is released or collected. All others have memory of their own.
 */
import { BacksweepError } from "../trace/failure.js";
import { boundMemory, OwnRecording, type BoundRecording, type Operations } from "./generated.js";
import { capacityFor, columnBytes } from "./columns.js";
import type { RecordingBase } from "./recording.js";

/** A recording: operations by the names of the table, and what `RecordingBase` says. */
export type Recording = RecordingBase & Operations;

export interface RecordingOptions {
  /** nodes that memory is asked for at first; it is touched only as far as it is used */
  readonly capacity?: number;
  /** most nodes and constants it may hold, rounded up to a power of two; 45 bytes each. 2^26 if not given */
  readonly limit?: number;
}

/** Nodes of the fast memory, if the first recording asks for no more: 180 MiB of addresses, of memory what is used. */
export const FAST_CAPACITY = 1 << 22;
export const LIMIT = 1 << 26;

let Fast: (new (limit: number) => BoundRecording) | null = null;
let fastCapacity = 0;
let holder: WeakRef<RecordingBase> | null = null;
/** most nodes that the fast memory is known to have held */
let most = 0;

/** Bytes of the fast memory: it is reserved whole and touched as it is needed. */
export function recordingMemoryUse(): { readonly reserved: number; readonly touched: number } {
  if (Fast === null) return { reserved: 0, touched: 0 };
  const held = holder?.deref();
  if (held instanceof Fast) most = Math.max(most, held.length);
  return { reserved: columnBytes(fastCapacity), touched: columnBytes(most) };
}

/**
 * An empty recording.
 *
 * @throws BacksweepError `option` for a capacity or limit that is no positive integer, `memory` if it cannot be had
 */
export function recording(options: RecordingOptions = {}): Recording {
  const strange = Object.keys(options).find((key) => key !== "capacity" && key !== "limit");
  if (strange !== undefined)
    throw new BacksweepError("option", `recording: there is no option "${strange}" (capacity, limit)`);
  const { capacity } = options;
  let { limit = LIMIT } = options;
  for (const [name, x] of Object.entries({ limit, capacity: capacity ?? 1 })) {
    if (!Number.isSafeInteger(x) || x < 1)
      throw new BacksweepError("option", `recording: ${name} must be a positive integer, ${String(x)} given`);
  }
  limit = capacityFor(limit);
  if (Fast === null) {
    fastCapacity = capacityFor(Math.max(FAST_CAPACITY, capacity ?? 0));
    Fast = boundMemory(fastCapacity);
  }
  const held = holder?.deref();
  const free = held === undefined || !(held instanceof Fast);
  if (free && limit >= fastCapacity && (capacity ?? 0) <= fastCapacity) {
    const made = new Fast(limit);
    made.reset();
    holder = new WeakRef(made);
    return made;
  }
  return new OwnRecording(limit, capacity ?? 1);
}

function prepare(): void {
  if (Fast !== null) return;
  fastCapacity = FAST_CAPACITY;
  Fast = boundMemory(fastCapacity);
}

/** Lets the next recording have the fast memory; this one goes on in memory of its own. */
export function release(recording: Recording): void {
  if (Fast !== null && recording instanceof Fast) recording.leave();
}

/**
 * Hands out the fast memory for as long as a graph function runs; null while another recording has it. `giveBack` must
 * follow.
 *
 * @param nodes nodes and constants it may hold, as long as it does not grow
 */
export function lease(nodes: number): Recording | null {
  prepare();
  const held = holder?.deref();
  if (held !== undefined && held instanceof Fast!) return null;
  const made = new Fast!(LIMIT);
  made.reset();
  made.confine(nodes);
  holder = new WeakRef(made);
  return made;
}

/** Takes back what `lease` handed out. */
export function giveBack(leased: Recording): void {
  // one that has outgrown the fast memory has been all over it
  most = Math.max(most, leased instanceof Fast! ? leased.length : fastCapacity);
  leased.reset();
  if (holder?.deref() === leased) holder = null;
}

/** memory for sweeps of other recordings, while the fast memory is taken */
let spare: OwnRecording | null = null;
/** Nodes from which on that memory is not kept. */
const SPARE_LIMIT = 1 << 20;

/** Hands out a recording for as long as `use` runs, which must not run code of the user's. */
export function withRecording<T>(nodes: number, use: (t: Recording) => T): T {
  prepare();
  const held = holder?.deref();
  if (nodes < fastCapacity && (held === undefined || !(held instanceof Fast!))) {
    const t = new Fast!(LIMIT);
    most = Math.max(most, nodes);
    try {
      return use(t);
    } finally {
      t.reset();
    }
  }
  const t = spare ?? new OwnRecording(LIMIT, nodes);
  spare = nodes <= SPARE_LIMIT ? t : null;
  try {
    return use(t);
  } finally {
    t.reset();
  }
}
