/**
 * The segments of a recording: its regions' steps and what lies between them, as ranges of nodes that together are the
 * whole tape. The reverse sweep goes through them from the last to the first; each is dropped and replayed as a whole.
 */
import { rangeOf, type Ranges } from "../sweep/order.js";
import type { FlatTape } from "../sweep/flat.js";
import { Ints } from "../tape/growable.js";
import { BacksweepError } from "../trace/failure.js";
import { SegmentKind, type SegmentsTable } from "../trace/trace.js";
import type { Interner } from "./interner.js";
import type { AnyRegion, Regions } from "./regions.js";

export interface Segments extends Ranges {
  readonly kind: Uint8Array;
  /** number of the region, -1 outside */
  readonly region: Int32Array;
  readonly step: Int32Array;
  /** segment row of step 0 of each region */
  readonly firstRow: Int32Array;
}

/** The segments of the first `n` nodes; null where no region ran. */
export function segmentsOf({ list }: Regions, n: number): Segments | null {
  if (list.length === 0) return null;
  const rows = { kind: new Ints(), region: new Ints(), step: new Ints(), first: new Ints(), end: new Ints() };
  const firstRow = new Int32Array(list.length);
  const row = (kind: number, region: number, step: number, first: number, end: number): void => {
    rows.kind.push(kind);
    rows.region.push(region);
    rows.step.push(step);
    rows.first.push(first);
    rows.end.push(end);
  };
  let at = 0;
  for (const region of list) {
    if (region.ran === 0) continue;
    if (region.first(0) > at) row(SegmentKind.outside, -1, -1, at, region.first(0));
    firstRow[region.index] = rows.kind.length;
    for (let step = 0; step < region.ran; step++)
      row(region.kind, region.index, step, region.first(step), region.end(step));
    at = region.end(region.ran - 1);
  }
  if (at < n) row(SegmentKind.outside, -1, -1, at, n);
  return {
    n: rows.kind.length,
    kind: Uint8Array.from(rows.kind.flat()),
    region: rows.region.flat(),
    step: rows.step.flat(),
    first: rows.first.flat(),
    end: rows.end.flat(),
    firstRow,
  };
}

/** The table as a trace has it. */
export function segmentsTable(segments: Segments, { list }: Regions, strings: Interner): SegmentsTable {
  const { n, kind, region, step, first, end } = segments;
  const owner = region.map((index) => (index < 0 ? -1 : strings.add(list[index].name)));
  return { n, kind, owner, region, step, first, end };
}

/**
 * A value that lies inside a dropped step is read from outside it only through the state the step hands on. Throws
 * `definition` at the operation that reads another one: its primal would not be there when the sweep wants it.
 */
export function refuseEscapes(
  flat: FlatTape,
  segments: Segments,
  { list }: Regions,
  nameOf: (node: number) => string,
): void {
  const through = new Map<string, ReadonlySet<number>>();
  const stateNodes = (region: AnyRegion, state: number): ReadonlySet<number> => {
    const key = `${region.index}/${state}`;
    let nodes = through.get(key);
    if (nodes === undefined) through.set(key, (nodes = new Set(region.leaves(state))));
    return nodes;
  };
  for (let s = 0; s < segments.n; s++) {
    for (let v = segments.first[s]; v < segments.end[s]; v++) {
      for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) {
        const from = flat.edgeFrom[e];
        if (from >= segments.first[s]) continue;
        const source = segments.region[rangeOf(segments, from)];
        if (source < 0) continue;
        const region = list[source];
        if (region.executor === null || region.kind === SegmentKind.cut) continue;
        const state = segments.region[s] === source ? segments.step[s] : region.count;
        if (stateNodes(region, state).has(from)) continue;
        throw new BacksweepError(
          "definition",
          `${nameOf(from)} was kept from inside ${region.name}, whose steps are dropped and replayed: pass it on in the state`,
          flat.site[v],
        );
      }
    }
    // of a region that has been passed only the final state is asked for
    if (segments.step[s] > 0) through.delete(`${segments.region[s]}/${segments.step[s] - 1}`);
  }
}

/** The whole recording as one segment. */
export function onePiece(n: number): Segments {
  return {
    n: 1,
    kind: Uint8Array.of(SegmentKind.outside),
    region: Int32Array.of(-1),
    step: Int32Array.of(-1),
    first: Int32Array.of(0),
    end: Int32Array.of(n),
    firstRow: new Int32Array(0),
  };
}
