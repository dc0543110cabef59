/** The uses of every value in the plain run of a problem: everything needed computed once, in order, every demand met in turn. */
import { firstNeeds, type RematProblem } from "./problem.js";

/** An event of the plain run: value v is computed (v), or demand k is met (~k). */
export interface PlainRun {
  readonly events: Int32Array;
  /** times at which value v is read: entries useStart[v] .. useStart[v + 1) of `use`, ascending */
  readonly useStart: Int32Array;
  readonly use: Int32Array;
}

export function plainRun(problem: RematProblem): PlainRun {
  const { n, parentStart, parent, demands, given } = problem;
  const first = firstNeeds(problem);
  // values by the demand that needs them first, ascending within
  const head = new Int32Array(demands.length + 1);
  for (let v = 0; v < n; v++) if (first[v] >= 0 && given?.[v] !== 1) head[first[v] + 1]++;
  for (let k = 0; k < demands.length; k++) head[k + 1] += head[k];
  const events = new Int32Array(head[demands.length] + demands.length);
  const at = Int32Array.from(head, (start, k) => start + k);
  for (let v = 0; v < n; v++) if (first[v] >= 0 && given?.[v] !== 1) events[at[first[v]]++] = v;
  for (let k = 0; k < demands.length; k++) events[at[k]] = ~k;

  const useStart = new Int32Array(n + 1);
  const reads = (visit: (v: number, time: number) => void): void => {
    events.forEach((event, time) => {
      if (event >= 0)
        for (let j = parentStart[event]; j < parentStart[event + 1]; j++) visit(parent[j], time);
      else {
        const { nodes } = demands[~event];
        for (let i = 0; i < nodes.length; i++) visit(nodes[i], time);
      }
    });
  };
  reads((v) => useStart[v + 1]++);
  for (let v = 0; v < n; v++) useStart[v + 1] += useStart[v];
  const use = new Int32Array(useStart[n]);
  const fill = useStart.slice(0, n);
  reads((v, time) => (use[fill[v]++] = time));
  return { events, useStart, use };
}

/** Children of every value, as a flat table: entries start[v] .. start[v + 1) of `child`. */
export function childrenOf({ n, parentStart, parent }: RematProblem): {
  start: Int32Array;
  child: Int32Array;
} {
  const start = new Int32Array(n + 1);
  for (const p of parent) start[p + 1]++;
  for (let v = 0; v < n; v++) start[v + 1] += start[v];
  const child = new Int32Array(parent.length);
  const fill = start.slice(0, n);
  for (let v = 0; v < n; v++)
    for (let j = parentStart[v]; j < parentStart[v + 1]; j++) child[fill[parent[j]]++] = v;
  return { start, child };
}
