/** A graph of scalars as a plain tape, for the faulty sweeps that predict what a faulty engine would say. */
import { isTame, type AuditGraph, type Truth } from "./graph.js";
import type { AuditOperation } from "./operations.js";

export interface SimTape {
  readonly n: number;
  /** inputs are nodes 0 to inputs - 1 */
  readonly inputs: number;
  readonly operands: readonly (readonly number[])[];
  readonly locals: readonly (readonly number[])[];
  /** operation of a node, -1 for an input */
  readonly ops: readonly number[];
  readonly active: readonly boolean[];
  readonly values: readonly number[];
  readonly output: number;
  readonly seed: number;
  /** local derivatives of `node`'s operation at the operands of another node */
  localsAt(node: number, other: number): readonly number[];
}

export function simTape(graph: AuditGraph, operations: readonly AuditOperation[], truth: Truth): SimTape {
  const inputs = graph.inputs.length;
  const n = truth.nodes.length;
  const operands = Array.from({ length: n }, (_, v) => graph.steps[v - inputs]?.operands ?? []);
  const ops = Array.from({ length: n }, (_, v) => graph.steps[v - inputs]?.op ?? -1);
  const at = (v: number): number[] => operands[v].map((p) => truth.nodes[p].value[0]);
  const localsAt = (node: number, other: number): readonly number[] => {
    const own = operands[node].length;
    // a slot that holds fewer operands than the rule reads: the missing one is its last
    const found = at(other);
    const padded = Array.from({ length: own }, (_, k) => found[Math.min(k, found.length - 1)]);
    return operations[ops[node]].locals(padded, truth.nodes[other].value[0]);
  };
  const locals = operands.map((list, v) => (list.length === 0 ? [] : localsAt(v, v)));
  return {
    n,
    inputs,
    operands,
    locals,
    ops,
    active: truth.active,
    values: truth.nodes.map(({ value }) => value[0]),
    output: graph.output,
    seed: graph.seed,
    localsAt,
  };
}

/** True if a tape's operations can be predicted for: scalars alone, all of them elementwise. */
export function isPlain(graph: AuditGraph, operations: readonly AuditOperation[], truth: Truth): boolean {
  return (
    graph.steps.every(({ op }) => operations[op].kind === "elementwise") &&
    truth.nodes.every(({ shape }) => sameAs(shape, truth.nodes[0].shape)) &&
    graph.steps.every(({ op, operands }) =>
      isTame(
        operations[op],
        operands.map((v) => truth.nodes[v]),
      ),
    )
  );
}

function sameAs(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((n, i) => n === b[i]);
}
