/**
 * Best-first search (Dijkstra; A* with a consistent bound) over states that are whole numbers, with a limit on the states looked at.
 * Used for schedules of few values, where every combination of live ones can be gone through.
 */
export interface SearchProblem {
  readonly start: number;
  goal(state: number): boolean;
  /** Calls `to` for every operation that is possible in a state: where it leads, its cost >= 0, and a label of the operation. */
  expand(state: number, to: (state: number, cost: number, label: number) => void): void;
  /** Never above the cost from a state to a goal, and consistent; 0 when left out. */
  bound?(state: number): number;
  /** How costs along a path combine: their sum, or the largest of them (for peaks). */
  readonly combine?: "sum" | "max";
  /** Most states that may be entered. */
  readonly limit: number;
}

export type SearchResult =
  | { readonly kind: "found"; readonly cost: number; readonly labels: number[]; readonly states: number }
  | { readonly kind: "none" | "limit"; readonly states: number };

export function bestFirst(problem: SearchProblem): SearchResult {
  const { goal, limit } = problem;
  const bound = problem.bound?.bind(problem) ?? ((): number => 0);
  const max = problem.combine === "max";
  const index = new Map<number, number>([[problem.start, 0]]);
  const states = [problem.start];
  const cost = [0];
  const from = [-1];
  const label = [-1];
  const closed = [false];
  const heap = new Heap();
  heap.push(bound(problem.start), 0);
  while (heap.size > 0) {
    const at = heap.pop();
    if (closed[at]) continue;
    closed[at] = true;
    const state = states[at];
    if (goal(state)) {
      const labels: number[] = [];
      for (let k = at; k > 0; k = from[k]) labels.push(label[k]);
      return { kind: "found", cost: cost[at], labels: labels.reverse(), states: states.length };
    }
    if (states.length > limit) return { kind: "limit", states: states.length };
    problem.expand(state, (next, step, name) => {
      const reached = max ? Math.max(cost[at], step) : cost[at] + step;
      let k = index.get(next);
      if (k === undefined) {
        k = states.length;
        index.set(next, k);
        states.push(next);
        cost.push(Infinity);
        from.push(-1);
        label.push(-1);
        closed.push(false);
      }
      if (closed[k] || reached >= cost[k]) return;
      cost[k] = reached;
      from[k] = at;
      label[k] = name;
      const ahead = bound(next);
      heap.push(max ? Math.max(reached, ahead) : reached + ahead, k);
    });
  }
  return { kind: "none", states: states.length };
}

/** A binary heap of (key, item), least key first; equal keys in no stated order. */
class Heap {
  private readonly keys: number[] = [];
  private readonly items: number[] = [];

  get size(): number {
    return this.keys.length;
  }

  push(key: number, item: number): void {
    const { keys, items } = this;
    let at = keys.length;
    keys.push(key);
    items.push(item);
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (keys[up] <= key) break;
      keys[at] = keys[up];
      items[at] = items[up];
      at = up;
    }
    keys[at] = key;
    items[at] = item;
  }

  pop(): number {
    const { keys, items } = this;
    const top = items[0];
    const key = keys.pop()!;
    const item = items.pop()!;
    const size = keys.length;
    if (size === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && keys[child + 1] < keys[child]) child++;
      if (keys[child] >= key) break;
      keys[at] = keys[child];
      items[at] = items[child];
      at = child;
    }
    keys[at] = key;
    items[at] = item;
    return top;
  }
}
