/** A list of operations with nothing superfluous in it: the same plan, no dearer and with no higher peak. */
import type { RematOp, RematProblem } from "./problem.js";

/** Leaves out values that nobody reads before they are dropped, and drops every value behind its last reader. */
export function tidy(problem: RematProblem, ops: readonly RematOp[]): RematOp[] {
  const { parentStart, parent, demands, given } = problem;
  const wanted = new Uint8Array(problem.n);
  const keep = new Uint8Array(ops.length);
  /** values read last by an operation: heads of linked lists through `next` */
  const dies: number[][] = [];
  let last = -1;
  const read = (v: number, k: number): void => {
    if (given?.[v] === 1 || wanted[v] === 1) return;
    wanted[v] = 1;
    (dies[k] ??= []).push(v);
  };
  for (let k = ops.length - 1; k >= 0; k--) {
    const { kind, node } = ops[k];
    if (kind === "meet") {
      if (last < 0) last = k;
      keep[k] = 1;
      const { nodes } = demands[node];
      for (let i = 0; i < nodes.length; i++) read(nodes[i], k);
    } else if (kind === "compute" && wanted[node] === 1) {
      keep[k] = 1;
      wanted[node] = 0;
      for (let j = parentStart[node]; j < parentStart[node + 1]; j++) read(parent[j], k);
    }
  }
  const out: RematOp[] = [];
  for (let k = 0; k <= last; k++) {
    if (keep[k] === 0) continue;
    out.push(ops[k]);
    if (k < last) for (const node of dies[k] ?? []) out.push({ kind: "drop", node });
  }
  return out;
}
