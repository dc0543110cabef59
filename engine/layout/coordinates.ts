/**
 * Vertical places. Each column is solved exactly: places nearest in the weighted least-squares sense to the mean of the
 * neighbours, subject to the order and the least distances. With offsets for the distances taken out that is isotonic
 * regression, done by pooling adjacent violators in linear time. Then long edges are pulled straight where there is room.
 */
import type { Adjacency, Layered, Route } from "./layers.js";
import { separation } from "./metrics.js";

const ROUNDS = 24;

/** Centre of every vertex (cards and bends), in the order of `graph.columns`, without overlap. */
export function placeVertically(graph: Layered): Float64Array {
  const y = new Float64Array(graph.vertices);
  const isCard = (v: number): boolean => v < graph.cards;
  const gaps = graph.columns.map((list) => {
    const offset = new Float64Array(list.length);
    for (let i = 1; i < list.length; i++) {
      offset[i] = offset[i - 1] + separation(isCard(list[i - 1]), isCard(list[i]));
    }
    return offset;
  });
  graph.columns.forEach((list, c) => {
    const half = list.length > 0 ? gaps[c][list.length - 1] / 2 : 0;
    list.forEach((v, i) => (y[v] = gaps[c][i] - half));
  });
  for (let round = 0; round < ROUNDS; round++) {
    const rightward = round % 2 === 0;
    const both = round >= 4;
    for (let i = 0; i < graph.columns.length; i++) {
      const c = rightward ? i : graph.columns.length - 1 - i;
      const sides = both ? [graph.left, graph.right] : rightward ? [graph.left] : [graph.right];
      relax(graph.columns[c], gaps[c], sides, y, graph.cards);
    }
  }
  straighten(graph, y);
  return y;
}

/** How strongly a segment wants to be level: bends insist, as in Gansner et al. 1993 (weights 1, 2, 8). */
function pull(a: number, b: number, cards: number): number {
  return a >= cards && b >= cards ? 8 : a >= cards || b >= cards ? 3 : 1;
}

function relax(
  list: Int32Array,
  offset: Float64Array,
  sides: Adjacency[],
  y: Float64Array,
  cards: number,
): void {
  const n = list.length;
  // blocks of the regression: value, weight, first index
  const value = new Float64Array(n);
  const weight = new Float64Array(n);
  const first = new Int32Array(n);
  let blocks = 0;
  for (let i = 0; i < n; i++) {
    const v = list[i];
    let sum = 0;
    let total = 0;
    for (const side of sides) {
      for (let k = side.start[v]; k < side.start[v + 1]; k++) {
        const w = pull(v, side.list[k], cards);
        sum += w * y[side.list[k]];
        total += w;
      }
    }
    value[blocks] = (total > 0 ? sum / total : y[v]) - offset[i];
    weight[blocks] = total > 0 ? total : 0.01;
    first[blocks] = i;
    blocks++;
    while (blocks > 1 && value[blocks - 2] > value[blocks - 1]) {
      const a = blocks - 2;
      const joint = weight[a] + weight[a + 1];
      value[a] = (value[a] * weight[a] + value[a + 1] * weight[a + 1]) / joint;
      weight[a] = joint;
      blocks--;
    }
  }
  for (let b = 0; b < blocks; b++) {
    const end = b + 1 < blocks ? first[b + 1] : n;
    for (let i = first[b]; i < end; i++) y[list[i]] = value[b] + offset[i];
  }
}

/** Level the routes one after another, longest first, each inside the room its neighbours leave. */
function straighten(graph: Layered, y: Float64Array): void {
  const index = new Int32Array(graph.vertices);
  for (const list of graph.columns) list.forEach((v, i) => (index[v] = i));
  const settled = new Uint8Array(graph.vertices);
  const room = (v: number): [number, number] => {
    const list = graph.columns[graph.column[v]];
    const at = index[v];
    const above = at > 0 ? list[at - 1] : -1;
    const below = at + 1 < list.length ? list[at + 1] : -1;
    const isCard = v < graph.cards;
    return [
      above < 0 ? -Infinity : y[above] + separation(above < graph.cards, isCard),
      below < 0 ? Infinity : y[below] - separation(isCard, below < graph.cards),
    ];
  };
  const level = (chain: readonly number[]): boolean => {
    let low = -Infinity;
    let high = Infinity;
    let fixed = NaN;
    let sum = 0;
    for (const v of chain) {
      const [from, to] = settled[v] === 1 ? [y[v], y[v]] : room(v);
      low = Math.max(low, from);
      high = Math.min(high, to);
      sum += y[v];
      if (settled[v] === 1) fixed = y[v];
    }
    if (low > high + 1e-6) return false;
    const wanted = Number.isNaN(fixed) ? sum / chain.length : fixed;
    const at = Math.min(Math.max(wanted, low), high);
    for (const v of chain) {
      y[v] = at;
      settled[v] = 1;
    }
    return true;
  };
  const byLength = graph.routes.filter((route) => route.bends.length > 0);
  byLength.sort((a, b) => b.bends.length - a.bends.length || a.from - b.from || a.to - b.to);
  for (const route of byLength) levelRoute(route, level);
}

function levelRoute(route: Route, level: (chain: readonly number[]) => boolean): void {
  const { from, to, bends } = route;
  const tries = [[from, ...bends, to], [from, ...bends], [...bends, to], bends];
  tries.some((chain) => chain.length > 1 && level(chain));
}
