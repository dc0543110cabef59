/** What is drawn where, computed once a sweep: cards, edges with their paths, and a free place for each edge's number. */
import { CARD_HEIGHT, CARD_WIDTH } from "../../engine/layout/metrics.js";
import type { DrawnSweep } from "../model/sweep-model.js";
import { edgePath, type EdgePath, type Point } from "./route.js";

export interface SceneEdge {
  /** row of the trace's edge table */
  readonly edge: number;
  readonly from: number;
  readonly to: number;
  readonly path: EdgePath;
  /** where the number of the edge stands */
  readonly label: Point;
  /** parallel edges between the same two nodes, and which of them this is, from 0 */
  readonly of: number;
  readonly index: number;
}

export interface Scene {
  readonly place: ReadonlyMap<number, Point>;
  readonly nodes: readonly number[];
  readonly edges: readonly SceneEdge[];
  readonly byEdge: ReadonlyMap<number, SceneEdge>;
  readonly width: number;
  readonly height: number;
  readonly hidden: number;
}

/** pixels between parallel edges */
export const PARALLEL = 30;
const LABEL = { width: 46, height: 22 };

export function makeScene(view: DrawnSweep): Scene {
  const { positions, trace } = view;
  const place = new Map<number, Point>();
  positions.shown.forEach((node, i) => place.set(node, { x: positions.x[i], y: positions.y[i] }));
  const rows = positions.edges ?? visibleEdges(view, place);
  const total = new Map<string, number>();
  const pair = (edge: number): string => `${trace.edges.from[edge]}>${trace.edges.to[edge]}`;
  for (const edge of rows) total.set(pair(edge), (total.get(pair(edge)) ?? 0) + 1);
  const seen = new Map<string, number>();
  const spots = new Spots(place.values());
  const edges: SceneEdge[] = [];
  Array.from(rows).forEach((edge, i) => {
    const key = pair(edge);
    const of = total.get(key)!;
    const index = seen.get(key) ?? 0;
    seen.set(key, index + 1);
    const from = trace.edges.from[edge];
    const to = trace.edges.to[edge];
    const path = edgePath(
      place.get(from)!,
      place.get(to)!,
      bendsOf(view, i),
      (index - (of - 1) / 2) * PARALLEL,
    );
    edges.push({ edge, from, to, path, label: spots.take(path), of, index });
  });
  return {
    place,
    nodes: Array.from(positions.shown),
    edges,
    byEdge: new Map(edges.map((edge) => [edge.edge, edge])),
    width: positions.width,
    height: positions.height,
    hidden: trace.nodes.n - positions.shown.length,
  };
}

function visibleEdges(view: DrawnSweep, place: ReadonlyMap<number, Point>): number[] {
  const { edges } = view.trace;
  const out: number[] = [];
  for (let e = 0; e < edges.n; e++) if (place.has(edges.from[e]) && place.has(edges.to[e])) out.push(e);
  return out;
}

function bendsOf(view: DrawnSweep, i: number): Point[] {
  const { bendStart, bends, edges } = view.positions;
  if (bendStart === undefined || bends === undefined || edges === undefined) return [];
  const out: Point[] = [];
  for (let k = bendStart[i]; k < bendStart[i + 1]; k++) out.push({ x: bends[2 * k], y: bends[2 * k + 1] });
  return out;
}

/** Keeps labels off cards and off each other; a coarse grid finds the neighbours. */
class Spots {
  private readonly grid = new Map<string, { x: number; y: number; w: number; h: number }[]>();

  constructor(cards: Iterable<Point>) {
    for (const { x, y } of cards) this.put({ x, y, w: CARD_WIDTH + 12, h: CARD_HEIGHT + 12 });
  }

  take(path: EdgePath): Point {
    for (const u of [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8, 0.13, 0.87]) {
      const at = path.at(u);
      if (!this.free(at)) continue;
      this.put({ ...at, w: LABEL.width, h: LABEL.height });
      return at;
    }
    return path.at(0.5);
  }

  private cells(x: number, y: number, w: number, h: number): string[] {
    const keys: string[] = [];
    for (let i = Math.floor((x - w / 2) / 200); i <= Math.floor((x + w / 2) / 200); i++) {
      for (let j = Math.floor((y - h / 2) / 100); j <= Math.floor((y + h / 2) / 100); j++)
        keys.push(`${i},${j}`);
    }
    return keys;
  }

  private put(box: { x: number; y: number; w: number; h: number }): void {
    for (const key of this.cells(box.x, box.y, box.w, box.h)) {
      const list = this.grid.get(key);
      if (list === undefined) this.grid.set(key, [box]);
      else list.push(box);
    }
  }

  private free({ x, y }: Point): boolean {
    for (const key of this.cells(x, y, LABEL.width, LABEL.height)) {
      for (const box of this.grid.get(key) ?? []) {
        const dx = Math.abs(box.x - x) * 2 - box.w - LABEL.width;
        const dy = Math.abs(box.y - y) * 2 - box.h - LABEL.height;
        if (dx < 0 && dy < 0) return false;
      }
    }
    return true;
  }
}
