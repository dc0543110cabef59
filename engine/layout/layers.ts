/**
 * A directed acyclic graph cut into columns. Column of a vertex = longest path from a vertex without operands. An edge
 * that spans several columns gets one bend vertex in each column between, so that it can be routed around cards.
 */

/** Bend vertices in total, above which the routes out of one vertex share them (a bus), which bounds their number. */
const SHARE_ABOVE = 4000;

export interface Layered {
  /** number of cards: vertices 0..cards-1; bend vertices follow */
  readonly cards: number;
  readonly vertices: number;
  readonly column: Int32Array;
  /** vertices of each column, in no particular order yet: ascending id */
  readonly columns: Int32Array[];
  /** segments between neighbouring columns, by vertex: neighbours of v are list[start[v] .. start[v + 1]) */
  readonly left: Adjacency;
  readonly right: Adjacency;
  /** one route a distinct (from, to) pair: its bend vertices, left to right */
  readonly routes: readonly Route[];
}

export interface Adjacency {
  readonly start: Int32Array;
  readonly list: Int32Array;
}

export interface Route {
  readonly from: number;
  readonly to: number;
  readonly bends: readonly number[];
}

/** `from[i] < to[i]` must hold: vertices are numbered in the order of recording. */
export function layer(cards: number, from: ArrayLike<number>, to: ArrayLike<number>): Layered {
  const column = longestPaths(cards, from, to);
  let bendTotal = 0;
  for (let e = 0; e < from.length; e++) bendTotal += Math.max(0, column[to[e]] - column[from[e]] - 1);
  const shared = bendTotal > SHARE_ABOVE;

  const columnOf: number[] = Array.from(column);
  const segmentFrom: number[] = [];
  const segmentTo: number[] = [];
  const routes: Route[] = [];
  const seen = new Set<number>();
  const bus = new Map<number, number[]>();
  for (let e = 0; e < from.length; e++) {
    const a = from[e];
    const b = to[e];
    const key = a * cards + b;
    if (seen.has(key)) continue;
    seen.add(key);
    const count = columnOf[b] - columnOf[a] - 1;
    const line = (shared ? bus.get(a) : undefined) ?? [];
    if (shared && !bus.has(a)) bus.set(a, line);
    while (line.length < count) {
      const bend = columnOf.length;
      columnOf.push(columnOf[a] + line.length + 1);
      segmentFrom.push(line.length === 0 ? a : line[line.length - 1]);
      segmentTo.push(bend);
      line.push(bend);
    }
    segmentFrom.push(count === 0 ? a : line[count - 1]);
    segmentTo.push(b);
    routes.push({ from: a, to: b, bends: line.slice(0, count) });
  }

  const vertices = columnOf.length;
  let columnCount = 0;
  for (const c of columnOf) columnCount = Math.max(columnCount, c + 1);
  const lists: number[][] = Array.from({ length: columnCount }, () => []);
  columnOf.forEach((c, vertex) => lists[c].push(vertex));
  return {
    cards,
    vertices,
    column: Int32Array.from(columnOf),
    columns: lists.map((list) => Int32Array.from(list)),
    left: adjacency(vertices, segmentTo, segmentFrom),
    right: adjacency(vertices, segmentFrom, segmentTo),
    routes,
  };
}

function longestPaths(cards: number, from: ArrayLike<number>, to: ArrayLike<number>): Int32Array {
  // consumers ascending: one pass in recording order is a topological pass
  const operands = adjacency(cards, to, from);
  const column = new Int32Array(cards);
  for (let v = 0; v < cards; v++) {
    for (let i = operands.start[v]; i < operands.start[v + 1]; i++) {
      column[v] = Math.max(column[v], column[operands.list[i]] + 1);
    }
  }
  return column;
}

function adjacency(vertices: number, of: ArrayLike<number>, neighbour: ArrayLike<number>): Adjacency {
  const start = new Int32Array(vertices + 1);
  for (let i = 0; i < of.length; i++) start[of[i] + 1]++;
  for (let v = 0; v < vertices; v++) start[v + 1] += start[v];
  const list = new Int32Array(of.length);
  const fill = start.slice(0, vertices);
  for (let i = 0; i < of.length; i++) list[fill[of[i]]++] = neighbour[i];
  return { start, list };
}
