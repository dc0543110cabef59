/**
 * Rematerialisation as plain data: values that may be dropped and computed again, and demands to be met one after the other.
 *
 * A demand names values that must be live together. A DAG whose targets are wanted at the end has one demand; the reverse sweep of a
 * traced graph has one for every reverse rule, for the primals that rule reads (`sweep.ts`).
 */
import { BacksweepError } from "../../trace/failure.js";

export interface Demand {
  /** values that are live together when the demand is met */
  readonly nodes: ArrayLike<number>;
  /** what meeting it costs, beside computing values */
  readonly cost: number;
  /** bytes held by others while it is met, and while values are computed on the way to it from the demand before */
  readonly during: number;
  readonly before: number;
}

export interface RematProblem {
  readonly n: number;
  /** parents of node v: entries parentStart[v] .. parentStart[v + 1) of `parent`, each below v, each once */
  readonly parentStart: Int32Array;
  readonly parent: Int32Array;
  readonly size: ArrayLike<number>;
  readonly cost: ArrayLike<number>;
  /** 1: live from the start, never dropped or computed; its bytes count. Null: none is */
  readonly given: Uint8Array | null;
  readonly demands: readonly Demand[];
}

/** `compute` and `drop` a value, or `meet` the next demand. */
export interface RematOp {
  readonly kind: "compute" | "drop" | "meet";
  /** the value, or the number of the demand */
  readonly node: number;
}

/** A DAG of values of which some are wanted at the end. */
export interface DagProblem {
  readonly parents: readonly (readonly number[])[];
  readonly size: readonly number[];
  readonly cost: readonly number[];
  readonly targets: readonly number[];
}

/** @throws BacksweepError "option" for parents that do not stand before their child, and for sizes and costs that are none */
export function problemOf({ parents, size, cost, targets }: DagProblem): RematProblem {
  const n = parents.length;
  const lists = parents.map((list) => [...new Set(list)]);
  const parentStart = new Int32Array(n + 1);
  lists.forEach((list, v) => (parentStart[v + 1] = parentStart[v] + list.length));
  const problem: RematProblem = {
    n,
    parentStart,
    parent: Int32Array.from(lists.flat()),
    size,
    cost,
    given: null,
    demands: [{ nodes: [...new Set(targets)], cost: 0, during: 0, before: 0 }],
  };
  validateProblem(problem);
  return problem;
}

export function validateProblem(problem: RematProblem): void {
  const { n, parentStart, parent, size, cost } = problem;
  const refuse = (what: string): never => {
    throw new BacksweepError("option", `budget: ${what}`);
  };
  if (size.length !== n || cost.length !== n)
    refuse(`${n} nodes, ${size.length} sizes and ${cost.length} costs`);
  for (let v = 0; v < n; v++) {
    if (!Number.isSafeInteger(size[v]) || size[v] < 0) refuse(`node ${v} has ${size[v]} bytes`);
    if (!(cost[v] >= 0 && cost[v] < Infinity)) refuse(`node ${v} costs ${cost[v]}`);
    for (let k = parentStart[v]; k < parentStart[v + 1]; k++)
      if (!(parent[k] >= 0 && parent[k] < v))
        refuse(`node ${v} has the parent ${parent[k]}, which does not stand before it`);
  }
  for (const { nodes } of problem.demands)
    for (let i = 0; i < nodes.length; i++)
      if (!(nodes[i] >= 0 && nodes[i] < n)) refuse(`there is no node ${nodes[i]}`);
}

/** Bytes of the values that are always live. */
export function givenBytes({ n, given, size }: RematProblem): number {
  let bytes = 0;
  if (given !== null) for (let v = 0; v < n; v++) if (given[v] === 1) bytes += size[v];
  return bytes;
}

/**
 * Nodes that any schedule computes at least once, in the order in which they are needed first: `first[v]` is the first demand that
 * needs v, directly or through its children; -1 where none does. Given nodes need nothing.
 */
export function firstNeeds(problem: RematProblem): Int32Array {
  const first = new Int32Array(problem.n).fill(-1);
  const stack: number[] = [];
  problem.demands.forEach(({ nodes }, k) => {
    for (let i = 0; i < nodes.length; i++) stack.push(nodes[i]);
    while (stack.length > 0) {
      const v = stack.pop()!;
      if (first[v] >= 0) continue;
      first[v] = k;
      if (problem.given?.[v] === 1) continue;
      for (let j = problem.parentStart[v]; j < problem.parentStart[v + 1]; j++) stack.push(problem.parent[j]);
    }
  });
  return first;
}
