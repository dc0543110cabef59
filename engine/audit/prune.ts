/** A graph without what its output does not depend on. */
import { nodeCount, type AuditGraph } from "./graph.js";

/** Keeps the nodes an output depends on and those of `keep`, renumbered. */
export function prune(graph: AuditGraph, keep: ReadonlySet<number> = new Set()): AuditGraph {
  const first = graph.inputs.length;
  const wanted = new Set<number>([graph.output, ...keep]);
  for (let v = nodeCount(graph) - 1; v >= first; v--)
    if (wanted.has(v)) for (const p of graph.steps[v - first].operands) wanted.add(p);
  const to = new Map<number, number>();
  for (let v = 0; v < nodeCount(graph); v++) if (wanted.has(v)) to.set(v, to.size);
  const move = (v: number): number => to.get(v)!;
  return {
    inputs: graph.inputs.filter((_, v) => wanted.has(v)),
    steps: graph.steps
      .filter((_, i) => wanted.has(first + i))
      .map(({ op, operands }) => ({ op, operands: operands.map(move) })),
    output: move(graph.output),
    seed: graph.seed,
  };
}
