/**
 * From a failing graph to the smallest that still fails in the same way: nodes are taken out (what used them uses one of
 * their operands instead), operands and operations are made simpler, numbers shorter. Each accepted change makes the
 * graph strictly smaller in one fixed order, so it ends.
 */
import { isTameGraph, nodeCount, type AuditGraph, type AuditStep } from "./graph.js";
import type { AuditOperation } from "./operations.js";
import { prune } from "./prune.js";

/** Runs that a shrinking may take at most. */
const MOST_RUNS = 3_000;
const SIMPLE = [3, 2, 5, 0.5, 0.75, 1.5];

/** The graph with a node's uses handed to another node before it. */
function redirect(graph: AuditGraph, node: number, to: number): AuditGraph {
  const move = (v: number): number => (v === node ? to : v);
  return {
    ...graph,
    steps: graph.steps.map(({ op, operands }) => ({ op, operands: operands.map(move) })),
    output: move(graph.output),
  };
}

const isUsed = (graph: AuditGraph, node: number): boolean =>
  graph.steps.some(({ operands }) => operands.includes(node));

/** The graph without one unused node: branches nothing depends on may be what the fault needs. */
function without(graph: AuditGraph, node: number): AuditGraph {
  const all = Array.from({ length: nodeCount(graph) }, (_, v) => v);
  return prune(graph, new Set(all.filter((v) => v !== node)));
}

/** Turns a step into an input of the same value's shape. */
function asInput(graph: AuditGraph, node: number): AuditGraph {
  const first = graph.inputs.length;
  const number = SIMPLE[first % SIMPLE.length];
  // the new input goes behind the others, steps before the node move up by one
  const move = (v: number): number => (v === node ? first : v >= first && v < node ? v + 1 : v);
  const steps: AuditStep[] = [];
  graph.steps.forEach(({ op, operands }, i) => {
    if (first + i !== node) steps.push({ op, operands: operands.map(move) });
  });
  return {
    ...graph,
    inputs: [...graph.inputs, { shape: [], data: [number] }],
    steps,
    output: move(graph.output),
  };
}

function* fewerNodes(graph: AuditGraph, scalars: boolean): Generator<AuditGraph> {
  const first = graph.inputs.length;
  // only what the output depends on
  const pruned = prune(graph);
  if (nodeCount(pruned) < nodeCount(graph)) yield pruned;
  // an earlier output
  for (let v = first; v < nodeCount(graph); v++) if (v !== graph.output) yield prune({ ...graph, output: v });
  // a node gone, its operands in its place
  for (let v = nodeCount(graph) - 1; v >= first; v--) {
    for (const p of new Set(graph.steps[v - first].operands)) {
      const moved = redirect(graph, v, p);
      if (moved.output < first) continue;
      yield prune(moved);
      yield without(moved, v);
    }
    if (!isUsed(graph, v) && v !== graph.output) yield without(graph, v);
    if (scalars && v !== graph.output) {
      yield prune(asInput(graph, v));
      yield asInput(graph, v);
    }
  }
  // an input that is left where a node nothing depends on has to stay
  for (let v = first - 1; v >= 0 && first > 1; v--)
    if (!isUsed(graph, v) && v !== graph.output) yield without(graph, v);
  // one input for two
  for (let v = first - 1; v > 0; v--)
    for (let p = 0; p < v; p++)
      if (graph.inputs[p].shape.length === graph.inputs[v].shape.length) {
        const moved = redirect(graph, v, p);
        yield prune(moved);
        yield without(moved, v);
      }
}

function* simpler(graph: AuditGraph, operations: readonly AuditOperation[]): Generator<AuditGraph> {
  // earlier operations of the same arity, the first being the simplest
  for (let i = 0; i < graph.steps.length; i++) {
    const { op, operands } = graph.steps[i];
    for (let other = 0; other < op; other++) {
      if (operations[other].arity !== operations[op].arity) continue;
      yield { ...graph, steps: graph.steps.map((step, k) => (k === i ? { op: other, operands } : step)) };
    }
  }
  if (graph.seed !== 1) yield { ...graph, seed: 1 };
  // small different numbers
  for (let v = 0; v < graph.inputs.length; v++) {
    const { shape, data } = graph.inputs[v];
    for (let i = 0; i < data.length; i++) {
      const at = SIMPLE.indexOf(data[i]);
      const better = SIMPLE.slice(0, at < 0 ? SIMPLE.length : at);
      for (const x of better) {
        if (graph.inputs.some((input, other) => other < v && input.data.includes(x))) continue;
        const inputs = graph.inputs.slice();
        inputs[v] = { shape, data: data.map((old, k) => (k === i ? x : old)) };
        yield { ...graph, inputs };
      }
    }
  }
}

/**
 * The smallest failing graph that can be reached from a failing one.
 *
 * @param fails true if a graph still fails in the same way; called at most some thousand times
 */
export function shrink(
  start: AuditGraph,
  operations: readonly AuditOperation[],
  lastIsOutput: boolean,
  fails: (graph: AuditGraph) => boolean,
): AuditGraph {
  let best = start;
  let runs = 0;
  const take = (candidates: Iterable<AuditGraph>): boolean => {
    for (const candidate of candidates) {
      if (runs >= MOST_RUNS) return false;
      if (candidate.steps.length === 0 || !isTameGraph(candidate, operations)) continue;
      if (lastIsOutput && candidate.output !== nodeCount(candidate) - 1) continue;
      runs++;
      if (!fails(candidate)) continue;
      best = candidate;
      return true;
    }
    return false;
  };
  const scalars = (): boolean => best.inputs.every(({ shape }) => shape.length === 0);
  for (;;) {
    const before = nodeCount(best);
    const smaller = function* (): Generator<AuditGraph> {
      for (const candidate of fewerNodes(best, scalars())) if (nodeCount(candidate) < before) yield candidate;
    };
    if (take(smaller())) continue;
    if (!take(simpler(best, operations))) return best;
  }
}
