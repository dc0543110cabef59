/**
 * Memory of a recording: one block, all columns in it. Nodes fill them from the start, constants the values from the end, so
 * that `handle & mask` is the index of either (a constant's handle is ~k): no branch, and no check of bounds either. 29 bytes a node (opcode 1, operands 8, value 8, cotangent 8,
 * site 4) and 16 for the two contributions that a binary node hands on.
 */
import { BacksweepError } from "../trace/failure.js";

export interface Columns {
  /** the memory they stand in where that is WebAssembly's, else null */
  readonly memory: object | null;
  /** capacity less 1; the capacity is a power of two */
  readonly mask: number;
  readonly op: Uint8Array;
  /** operands: a node, `~k` for the k-th constant; of a primitive of three the index and count in the side table */
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly value: Float64Array;
  readonly site: Int32Array;
  readonly cotangent: Float64Array;
  /** what the node hands to slot s of its first two operands, at `2 * node + s` */
  readonly contribution: Float64Array;
}

export const BYTES_A_NODE = 29;
export const BYTES_OF_CONTRIBUTIONS = 16;
const BYTES = BYTES_A_NODE + BYTES_OF_CONTRIBUTIONS;
const PAGE = 0x10000;

/** Room at first, unless more is asked for. */
const FIRST_CAPACITY = 1 << 10;

interface MemoryObject {
  readonly buffer: ArrayBuffer;
}

/** The little that is used of it; the language's own library does not describe it. */
interface WebAssemblyHost {
  readonly WebAssembly?: {
    readonly Memory: new (options: { readonly initial: number }) => MemoryObject;
  };
}

/** WebAssembly memory is zeroed page by page when it is first touched, and is no load on the garbage collector. */
function block(bytes: number): { readonly memory: MemoryObject | null; readonly buffer: ArrayBuffer } {
  const { WebAssembly } = globalThis as WebAssemblyHost;
  if (WebAssembly === undefined || bytes < PAGE) return { memory: null, buffer: new ArrayBuffer(bytes) };
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
  return { memory, buffer: memory.buffer };
}

/** Bytes that columns of a capacity take, contributions included. */
export function columnBytes(capacity: number): number {
  return capacity * BYTES;
}

/**
 * Columns for `capacity` nodes and constants, a power of two.
 *
 * @throws BacksweepError `memory` if the block cannot be had
 */
export function allocate(capacity: number): Columns {
  let made: ReturnType<typeof block>;
  try {
    made = block(columnBytes(capacity));
  } catch {
    throw new BacksweepError(
      "memory",
      `out of memory: no block of ${columnBytes(capacity).toLocaleString("en-US")} bytes for a recording of ${capacity.toLocaleString("en-US")} nodes`,
    );
  }
  const { memory, buffer } = made;
  let at = 0;
  const take = (bytes: number): number => {
    const start = at;
    at += bytes * capacity;
    return start;
  };
  return {
    memory,
    mask: capacity - 1,
    value: new Float64Array(buffer, take(8), capacity),
    cotangent: new Float64Array(buffer, take(8), capacity),
    contribution: new Float64Array(buffer, take(16), 2 * capacity),
    a: new Int32Array(buffer, take(4), capacity),
    b: new Int32Array(buffer, take(4), capacity),
    site: new Int32Array(buffer, take(4), capacity),
    op: new Uint8Array(buffer, take(1), capacity),
  };
}

/** The power of two that holds `n` nodes. */
export function capacityFor(n: number): number {
  let capacity = FIRST_CAPACITY;
  while (capacity < n) capacity *= 2;
  return capacity;
}

/**
 * Twice the room, with `n` nodes (their cotangents and contributions too) and the constants down to handle `low` moved in.
 *
 * @throws BacksweepError `memory` at the limit
 */
export function wider(from: Columns, n: number, low: number, limit: number): Columns {
  const capacity = from.mask + 1;
  if (2 * capacity > limit) {
    throw new BacksweepError(
      "memory",
      `out of memory: the recording has reached its limit of ${capacity.toLocaleString("en-US")} nodes and constants; recording({ limit }) sets it`,
    );
  }
  const to = allocate(2 * capacity);
  to.value.set(from.value.subarray(capacity + low), 2 * capacity + low);
  to.value.set(from.value.subarray(0, n));
  to.cotangent.set(from.cotangent.subarray(0, n));
  to.contribution.set(from.contribution.subarray(0, 2 * n));
  to.a.set(from.a.subarray(0, n));
  to.b.set(from.b.subarray(0, n));
  to.site.set(from.site.subarray(0, n));
  to.op.set(from.op.subarray(0, n));
  return to;
}
