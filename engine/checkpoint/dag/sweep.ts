/**
 * The reverse sweep of a traced graph as a rematerialisation: forward and reverse are one sequence. A value is computed from its
 * operands; the reverse rule of a node is a demand for the primals that it reads, the rules in the order of the sweep.
 *
 * Outputs are demands too, one each before the first reverse rule: their numbers are handed out at that moment. Inputs, and what else
 * cannot be computed again, are live throughout and count. Cotangent buffers do not count unless their bytes are given.
 */
import { Reads } from "../../sweep/reads.js";
import type { FlatTape } from "../../sweep/flat.js";
import { OP_INPUT } from "../../tape/tape.js";
import { planRemat, type RematOptions } from "./plan.js";
import { validateProblem, type Demand, type RematProblem } from "./problem.js";

export interface SweepProblem {
  readonly problem: RematProblem;
  /** node whose reverse rule a demand is for; -1: the demand is for an output */
  readonly reversed: Int32Array;
}

export interface SweepSizes {
  /** bytes of the primal of a node, a whole number */
  bytes(node: number): number;
  /** cost of computing it, and of its reverse rule, in one unit */
  forward(node: number): number;
  reverse(node: number): number;
  /** true for values that cannot be computed again; inputs never can */
  given?(node: number): boolean;
  /** count cotangent buffers: a buffer lives from the first contribution to its node until the node's own rule has run */
  readonly cotangents?: boolean;
}

/** One operation of a sweep under a budget. */
export interface SweepOp {
  readonly kind: "compute" | "drop" | "reverse";
  readonly node: number;
}

export interface SweepPlan {
  readonly ops: readonly SweepOp[];
  readonly cost: number;
  readonly peak: number;
  readonly exact: boolean;
  readonly lowerBound: number;
}

/**
 * @param outputs nodes whose values are handed out
 * @param order nodes whose reverse rules run, in that order (a node after all its consumers)
 */
export function sweepProblem(
  flat: FlatTape,
  outputs: readonly number[],
  order: ArrayLike<number>,
  sizes: SweepSizes,
): SweepProblem {
  const { n, operandStart, operand } = flat;
  const parentStart = new Int32Array(n + 1);
  const parent = new Int32Array(flat.edgeFrom.length);
  const given = new Uint8Array(n);
  const size = new Float64Array(n);
  const cost = new Float64Array(n);
  const seen = new Int32Array(n).fill(-1);
  let at = 0;
  for (let v = 0; v < n; v++) {
    size[v] = sizes.bytes(v);
    given[v] = flat.op[v] === OP_INPUT || sizes.given?.(v) === true ? 1 : 0;
    cost[v] = given[v] === 1 ? 0 : sizes.forward(v);
    for (let k = operandStart[v]; k < operandStart[v + 1]; k++) {
      const from = operand[k];
      if (from < 0 || seen[from] === v) continue;
      seen[from] = v;
      parent[at++] = from;
    }
    parentStart[v + 1] = at;
  }
  const demands: Demand[] = [];
  const reversed = new Int32Array(outputs.length + order.length).fill(-1);
  for (const output of outputs) demands.push({ nodes: [output], cost: 0, during: 0, before: 0 });
  const reads = new Reads(flat);
  const held = new Uint8Array(n);
  let buffers = 0;
  const hold = (v: number): void => {
    if (held[v] === 1) return;
    held[v] = 1;
    buffers += size[v];
  };
  const outputsLeft = demands.length;
  for (let k = 0; k < order.length; k++) {
    const v = order[k];
    const count = reads.collect(v);
    const nodes = reads.nodes.slice(0, count);
    let before = 0;
    let during = 0;
    if (sizes.cotangents === true) {
      if (k === 0) for (const output of outputs) hold(output);
      before = buffers;
      for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++) hold(flat.edgeFrom[e]);
      during = buffers;
      if (held[v] === 1) {
        held[v] = 2;
        buffers -= size[v];
      }
    }
    demands.push({ nodes, cost: sizes.reverse(v), during, before });
    reversed[outputsLeft + k] = v;
  }
  const problem: RematProblem = {
    n,
    parentStart,
    parent: parent.slice(0, at),
    size,
    cost,
    given,
    demands,
  };
  validateProblem(problem);
  return { problem, reversed };
}

/** Operations that run the sweep within `budget` bytes; errors as `planRemat`. */
export function rematerialise(
  { problem, reversed }: SweepProblem,
  budget: number,
  options?: RematOptions,
): SweepPlan {
  const { ops, ...rest } = planRemat(problem, budget, options);
  const out: SweepOp[] = [];
  for (const { kind, node } of ops) {
    if (kind !== "meet") out.push({ kind, node });
    else if (reversed[node] >= 0) out.push({ kind: "reverse", node: reversed[node] });
  }
  return { ...rest, ops: out };
}
