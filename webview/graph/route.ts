/**
 * The path of an edge: a chain of quadratic curves given by its control points, passing through the middle between two
 * successive ones. cytoscape's `unbundled-bezier` draws exactly this, and the overlay draws it again as an SVG path, so
 * the two agree to the pixel.
 */
import { CARD_WIDTH } from "../../engine/layout/metrics.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface EdgePath {
  readonly start: Point;
  readonly end: Point;
  readonly controls: readonly Point[];
  /** SVG path data, from operand to consumer */
  readonly d: string;
  /** 0 at the operand, 1 at the consumer, by arc length */
  at(u: number): Point;
}

const HALF = CARD_WIDTH / 2;
const SAMPLES = 12;

/** From the right side of one card to the left side of another, over bend points; `bulge` sets parallel edges apart. */
export function edgePath(from: Point, to: Point, bends: readonly Point[], bulge = 0): EdgePath {
  const port = Math.max(-9, Math.min(9, bulge * 0.4));
  const start = { x: from.x + HALF, y: from.y + port };
  const end = { x: to.x - HALF, y: to.y + port };
  const rails = bends.map((bend) => ({ left: bend.x - HALF, right: bend.x + HALF, y: bend.y }));
  const level = [start.y - port, ...rails.map((rail) => rail.y), end.y - port];
  const kept = rails.filter(
    (rail, i) => Math.abs(rail.y - level[i]) > 0.5 || Math.abs(rail.y - level[i + 2]) > 0.5,
  );
  const controls: Point[] = [];
  let x = start.x;
  let y = from.y;
  for (const rail of [...kept, { left: end.x, right: end.x, y: to.y }]) {
    const turn = Math.min(CARD_WIDTH, rail.left - x) * 0.28;
    controls.push({ x: x + turn, y: y + bulge }, { x: rail.left - turn, y: rail.y + bulge });
    if (rail.left !== rail.right) {
      controls.push({ x: rail.left + turn, y: rail.y + bulge }, { x: rail.right - turn, y: rail.y + bulge });
    }
    x = rail.right;
    y = rail.y;
  }
  return { start, end, controls, d: pathData(start, end, controls), at: sampler(start, end, controls) };
}

/** The control points in cytoscape's terms: share of the way from start to end, and distance to the side. */
export function controlsRelative(path: EdgePath): { weights: number[]; distances: number[] } {
  const dx = path.end.x - path.start.x;
  const dy = path.end.y - path.start.y;
  const length = Math.hypot(dx, dy) || 1;
  const weights = path.controls.map(
    (c) => ((c.x - path.start.x) * dx + (c.y - path.start.y) * dy) / length ** 2,
  );
  const distances = path.controls.map(
    (c) => (-(c.x - path.start.x) * dy + (c.y - path.start.y) * dx) / length,
  );
  return { weights, distances };
}

function pieces(start: Point, end: Point, controls: readonly Point[]): [Point, Point, Point][] {
  const out: [Point, Point, Point][] = [];
  let from = start;
  controls.forEach((control, i) => {
    const next = controls[i + 1];
    const to = next === undefined ? end : { x: (control.x + next.x) / 2, y: (control.y + next.y) / 2 };
    out.push([from, control, to]);
    from = to;
  });
  return out;
}

function pathData(start: Point, end: Point, controls: readonly Point[]): string {
  const r = (v: number): number => Math.round(v * 100) / 100;
  const curves = pieces(start, end, controls).map(
    ([, c, to]) => `Q${r(c.x)} ${r(c.y)} ${r(to.x)} ${r(to.y)}`,
  );
  return `M${r(start.x)} ${r(start.y)}${curves.join("")}`;
}

function sampler(start: Point, end: Point, controls: readonly Point[]): (u: number) => Point {
  let table: { at: number; x: number; y: number }[] | null = null;
  const build = (): { at: number; x: number; y: number }[] => {
    const points = [{ at: 0, x: start.x, y: start.y }];
    for (const [a, b, c] of pieces(start, end, controls)) {
      for (let i = 1; i <= SAMPLES; i++) {
        const t = i / SAMPLES;
        const v = 1 - t;
        const x = v * v * a.x + 2 * v * t * b.x + t * t * c.x;
        const y = v * v * a.y + 2 * v * t * b.y + t * t * c.y;
        const last = points[points.length - 1];
        points.push({ at: last.at + Math.hypot(x - last.x, y - last.y), x, y });
      }
    }
    return points;
  };
  return (u) => {
    table ??= build();
    const target = Math.min(1, Math.max(0, u)) * table[table.length - 1].at;
    let low = 0;
    let high = table.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (table[middle].at <= target) low = middle;
      else high = middle;
    }
    const [a, b] = [table[low], table[high]];
    const share = b.at > a.at ? (target - a.at) / (b.at - a.at) : 0;
    return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
  };
}
