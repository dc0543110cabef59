/** Order within the columns: barycentre sweeps, then swaps of neighbours while that removes crossings. */
import type { Adjacency, Layered } from "./layers.js";

const SWEEPS = 12;
const SWAP_ROUNDS = 6;

/** Reorders `graph.columns` in place. Deterministic: ties keep the order of recording. */
export function orderColumns(graph: Layered): void {
  const { columns, left, right } = graph;
  const position = new Int32Array(graph.vertices);
  const number = (): void => columns.forEach((list) => list.forEach((v, i) => (position[v] = i)));
  number();
  let best = columns.map((list) => list.slice());
  let fewest = Infinity;
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
    const rightward = sweep % 2 === 0;
    for (let i = 1; i < columns.length; i++) {
      const c = rightward ? i : columns.length - 1 - i;
      sortByBarycentre(columns[c], rightward ? left : right, position);
    }
    const crossings = countCrossings(graph, position);
    if (crossings < fewest) {
      fewest = crossings;
      best = columns.map((list) => list.slice());
    }
  }
  best.forEach((list, c) => columns[c].set(list));
  number();
  for (let round = 0; round < SWAP_ROUNDS && fewest > 0; round++) {
    let improved = false;
    for (const list of columns) if (swapNeighbours(list, left, right, position)) improved = true;
    if (!improved) break;
  }
}

function sortByBarycentre(list: Int32Array, side: Adjacency, position: Int32Array): void {
  const keyed = Array.from(list, (vertex, at) => {
    const start = side.start[vertex];
    const end = side.start[vertex + 1];
    let sum = 0;
    for (let i = start; i < end; i++) sum += position[side.list[i]];
    // a vertex with no neighbour on this side stays about where it is
    return { vertex, at, key: end > start ? sum / (end - start) : at };
  });
  keyed.sort((a, b) => a.key - b.key || a.at - b.at);
  keyed.forEach(({ vertex }, i) => {
    list[i] = vertex;
    position[vertex] = i;
  });
}

/** Crossings between all neighbouring columns, counted as inversions with a Fenwick tree. */
export function countCrossings(graph: Layered, position: Int32Array): number {
  let total = 0;
  for (let c = 0; c + 1 < graph.columns.length; c++) {
    const width = graph.columns[c + 1].length;
    const tree = new Int32Array(width + 1);
    let placed = 0;
    for (const vertex of graph.columns[c]) {
      const ends = sortedPositions(vertex, graph.right, position);
      for (const end of ends) {
        let notBeyond = 0;
        for (let i = end + 1; i > 0; i -= i & -i) notBeyond += tree[i];
        total += placed - notBeyond;
      }
      for (const end of ends) {
        for (let i = end + 1; i <= width; i += i & -i) tree[i]++;
        placed++;
      }
    }
  }
  return total;
}

function sortedPositions(vertex: number, side: Adjacency, position: Int32Array): Int32Array {
  const out = new Int32Array(side.start[vertex + 1] - side.start[vertex]);
  for (let i = 0; i < out.length; i++) out[i] = position[side.list[side.start[vertex] + i]];
  return out.sort();
}

/** Crossings between the edges of two neighbours when the first stands above the second. */
function crossingsOf(upper: Int32Array, lower: Int32Array): number {
  let count = 0;
  let j = 0;
  for (const end of upper) {
    while (j < lower.length && lower[j] < end) j++;
    count += j;
  }
  return count;
}

function swapNeighbours(list: Int32Array, left: Adjacency, right: Adjacency, position: Int32Array): boolean {
  const leftEnds = new Map<number, Int32Array>();
  const rightEnds = new Map<number, Int32Array>();
  for (const v of list) {
    leftEnds.set(v, sortedPositions(v, left, position));
    rightEnds.set(v, sortedPositions(v, right, position));
  }
  let improved = false;
  for (let i = 0; i + 1 < list.length; i++) {
    const [a, b] = [list[i], list[i + 1]];
    const [al, bl, ar, br] = [leftEnds.get(a)!, leftEnds.get(b)!, rightEnds.get(a)!, rightEnds.get(b)!];
    if (crossingsOf(al, bl) + crossingsOf(ar, br) <= crossingsOf(bl, al) + crossingsOf(br, ar)) continue;
    list[i] = b;
    list[i + 1] = a;
    position[b] = i;
    position[a] = i + 1;
    improved = true;
  }
  return improved;
}
