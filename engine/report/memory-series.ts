/** The four retained objects over the steps of a sweep, in columns no longer than a picture is wide. Peaks are never lost. */
import { bytes } from "../ops/dtype.js";
import type { Trace } from "../trace/trace.js";
import { DECISION_BYTES, DRAW_BYTES, INSTRUCTION_BYTES, walkMemory } from "./memory.js";

export const retainedKinds = ["instructions", "primal states", "cotangent buffers", "metadata"] as const;

export interface MemoryBand {
  /** objects held at most within each column */
  readonly counts: Float64Array;
  /** bytes that the engine's columns hold for them */
  readonly bytes: Float64Array;
  /** the largest of each and the first position at which it is held */
  readonly peakCount: number;
  readonly peakCountAt: number;
  readonly peakBytes: number;
  readonly peakBytesAt: number;
}

export interface MemorySeries {
  /** positions 0..steps */
  readonly steps: number;
  /** column i stands for positions starts[i] .. starts[i + 1] - 1; one more than there are columns */
  readonly starts: Int32Array;
  /** in the order of `retainedKinds` */
  readonly bands: readonly MemoryBand[];
}

interface Filling {
  readonly counts: Float64Array;
  readonly bytes: Float64Array;
  peakCount: number;
  peakCountAt: number;
  peakBytes: number;
  peakBytesAt: number;
}

/**
 * What is held at every position, the positions put together to at most `most` columns, each with the largest value of its
 * positions.
 *
 * @param steps of the trace's timeline
 */
export function memorySeries(trace: Trace, steps: number, most: number): MemorySeries {
  const positions = steps + 1;
  const columns = Math.max(1, Math.min(most, positions));
  const starts = Int32Array.from({ length: columns + 1 }, (_, i) => Math.floor((i * positions) / columns));
  const bands = retainedKinds.map((): Filling => ({
    counts: new Float64Array(columns),
    bytes: new Float64Array(columns),
    peakCount: 0,
    peakCountAt: 0,
    peakBytes: 0,
    peakBytesAt: 0,
  }));
  const { dtype, cotangentDtype } = trace.header.options;
  const [primalBytes, cotangentBytes] = [bytes(dtype), bytes(cotangentDtype)];
  let column = 0;
  walkMemory(trace, (position, held, elements) => {
    while (column + 1 < columns && position >= starts[column + 1]) column++;
    const sizes = [
      held[0] * INSTRUCTION_BYTES,
      elements[0] * primalBytes,
      elements[1] * cotangentBytes,
      metadataBytes(held[3], trace.decisions.n),
    ];
    bands.forEach((band, kind) => take(band, column, position, held[kind], sizes[kind]));
  });
  return { steps, starts, bands };
}

/** Draws are counted once all decisions are. */
function metadataBytes(held: number, decisions: number): number {
  const taken = Math.min(held, decisions);
  return taken * DECISION_BYTES + (held - taken) * DRAW_BYTES;
}

function take(band: Filling, column: number, position: number, count: number, size: number): void {
  if (count > band.counts[column]) band.counts[column] = count;
  if (size > band.bytes[column]) band.bytes[column] = size;
  if (count > band.peakCount) {
    band.peakCount = count;
    band.peakCountAt = position;
  }
  if (size > band.peakBytes) {
    band.peakBytes = size;
    band.peakBytesAt = position;
  }
}
