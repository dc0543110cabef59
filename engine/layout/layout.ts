/**
 * Where everything stands: a layered drawing with inputs at the left and outputs at the right. Deterministic, about
 * O(E log V) a sweep with a fixed number of sweeps, no recursion; never recomputed for a step, a hover or a selection.
 */
import type { Trace } from "../trace/trace.js";
import { placeVertically } from "./coordinates.js";
import { layer } from "./layers.js";
import { CARD_HEIGHT, CARD_WIDTH, COLUMN_GAP, MARGIN } from "./metrics.js";
import { orderColumns } from "./order.js";
import { selectShown } from "./select.js";

export interface Layout {
  /** ids of the drawn nodes, ascending; all of them up to `SHOW_ALL_UP_TO` */
  readonly shown: Int32Array;
  /** centres of the cards, aligned with `shown` */
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly width: number;
  readonly height: number;
  /** drawn edges (rows of `trace.edges` whose both ends are drawn), ascending */
  readonly edges: Int32Array;
  /** bend points of edge i: (bends[2k], bends[2k + 1]) for k in bendStart[i] .. bendStart[i + 1] */
  readonly bendStart: Int32Array;
  readonly bends: Float32Array;
}

/** Drawings flatter than this (height / width) are stretched, as far as `MOST_STRETCH`, when they are small. */
const GOOD_ASPECT = 0.56;
const MOST_STRETCH = 1.9;
const SMALL = 60;

/** Lays a trace out; of more than 600 nodes the 300 nearest the outputs in sweep order are drawn. */
export function layoutTrace(trace: Trace): Layout {
  return layoutNodes(trace, selectShown(trace));
}

/** Lays out the given nodes (ascending ids) of a trace, and the edges between them. */
export function layoutNodes(trace: Trace, shown: Int32Array): Layout {
  const rank = new Int32Array(trace.nodes.n).fill(-1);
  shown.forEach((node, i) => (rank[node] = i));
  const rows: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  for (let edge = 0; edge < trace.edges.n; edge++) {
    const a = rank[trace.edges.from[edge]];
    const b = rank[trace.edges.to[edge]];
    if (a < 0 || b < 0) continue;
    rows.push(edge);
    from.push(a);
    to.push(b);
  }
  const graph = layer(shown.length, from, to);
  orderColumns(graph);
  const place = placeVertically(graph);

  let top = Infinity;
  let bottom = -Infinity;
  for (const v of place) {
    top = Math.min(top, v);
    bottom = Math.max(bottom, v);
  }
  if (shown.length === 0) top = bottom = 0;
  const pitch = CARD_WIDTH + COLUMN_GAP;
  const columns = Math.max(1, graph.columns.length);
  const width = 2 * MARGIN + columns * CARD_WIDTH + (columns - 1) * COLUMN_GAP;
  const span = bottom - top;
  const wanted = (GOOD_ASPECT * width) / (span + CARD_HEIGHT + 2 * MARGIN);
  const stretch = shown.length <= SMALL ? Math.min(MOST_STRETCH, Math.max(1, wanted)) : 1;
  const xOf = (v: number): number => MARGIN + CARD_WIDTH / 2 + graph.column[v] * pitch;
  const yOf = (v: number): number => MARGIN + CARD_HEIGHT / 2 + (place[v] - top) * stretch;

  const bendsOf = new Map<number, readonly number[]>();
  for (const route of graph.routes) bendsOf.set(route.from * shown.length + route.to, route.bends);
  const bendStart = new Int32Array(rows.length + 1);
  const bends: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    for (const bend of bendsOf.get(from[i] * shown.length + to[i])!) bends.push(xOf(bend), yOf(bend));
    bendStart[i + 1] = bends.length / 2;
  }
  return {
    shown,
    x: Float32Array.from(shown, (_, i) => xOf(i)),
    y: Float32Array.from(shown, (_, i) => yOf(i)),
    width,
    height: span * stretch + CARD_HEIGHT + 2 * MARGIN,
    edges: Int32Array.from(rows),
    bendStart,
    bends: Float32Array.from(bends),
  };
}
