/** The smallest failing graph, told for a view: our sweep and the foreign one side by side. */
import { toNested } from "../tape/ndarray.js";
import type { Foreign } from "./engine.js";
import type { AuditEdge } from "./graph.js";
import type { Judged } from "./judge.js";
import { missingAt, overwriteIn, type LostContribution } from "./lost.js";
import { definitionText, nodeNames } from "./print.js";
import type { AuditValue, LostInSmallest, SmallestContribution, SmallestGraph } from "./result.js";
import { afterOf, nodeFinder } from "./slots.js";

function valueOf(data: Float64Array, shape: readonly number[]): AuditValue {
  return shape.length === 0 ? data[0] : (toNested({ shape, data }) as AuditValue);
}

interface Arrived {
  readonly value: number;
  readonly kept: boolean;
}

const near = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;

/** Contributions into a node as the engine wrote them, in order; an assignment over a sum drops what stood there. */
function arrivals(foreign: Foreign, judged: Judged, node: number, edges: readonly AuditEdge[]): Arrived[] {
  const find = nodeFinder(judged.outcome, foreign.form);
  const phase = judged.symptom?.kind === "second sweep" ? "again" : "backward";
  let list: Arrived[] = [];
  for (const write of judged.outcome.writes) {
    if (write.phase !== phase || find(write) !== node) continue;
    const after = afterOf(write);
    if (!Number.isFinite(after)) continue;
    const before = typeof write.before === "number" ? write.before : 0;
    const sums = edges.some((edge) => edge.contribution.some((c) => near(after - before, c)));
    if (
      write.operator === "=" ||
      write.operator === "set" ||
      write.operator === "with" ||
      write.operator === "spread"
    ) {
      if (after === before || (after === 0 && before === 0)) continue;
      if (before !== 0 && !sums) list = list.map(({ value }) => ({ value, kept: false }));
      list.push({ value: sums && before !== 0 ? after - before : after, kept: true });
    } else {
      list.push({ value: after - before, kept: true });
    }
  }
  return list;
}

/** Hands what arrived to the uses that should have paid it: equal numbers first, then in order. */
function matched(edges: readonly AuditEdge[], arrived: readonly Arrived[]): Map<AuditEdge, Arrived> {
  const out = new Map<AuditEdge, Arrived>();
  const free = new Set(arrived);
  for (const edge of edges) {
    const same = [...free].find(
      ({ value }) => edge.contribution.length === 1 && near(value, edge.contribution[0]),
    );
    if (same === undefined) continue;
    out.set(edge, same);
    free.delete(same);
  }
  for (const edge of edges) {
    if (out.has(edge) || edge.contribution.length !== 1) continue;
    const [next] = free;
    if (next === undefined) break;
    out.set(edge, next);
    free.delete(next);
  }
  return out;
}

function contributionsOf(foreign: Foreign, judged: Judged): SmallestContribution[] {
  const { truth, graph } = judged;
  const out: SmallestContribution[] = [];
  for (let v = truth.nodes.length - 1; v >= 0; v--) {
    const edges = truth.edges.filter((edge) => edge.to === v);
    if (edges.length === 0 || v === graph.output) continue;
    const arrived = arrivals(foreign, judged, v, edges);
    const pairs = matched(edges, arrived);
    for (const edge of edges) {
      const found = pairs.get(edge);
      const state =
        found === undefined ? (arrived.length === 0 ? "unknown" : "missing") : found.kept ? "kept" : "lost";
      const shape = truth.nodes[edge.from].shape;
      out.push({
        from: edge.from,
        to: v,
        slot: edge.slot,
        local: edge.local.some(Number.isNaN)
          ? null
          : valueOf(edge.local, edge.local.length === 1 ? [] : shape),
        right: valueOf(edge.contribution, truth.nodes[v].shape),
        foreign: found?.value ?? null,
        state,
      });
    }
  }
  return out;
}

function named(lost: LostContribution | null, names: readonly string[]): LostInSmallest | null {
  if (lost === null) return null;
  const of = (v: number | null): string | null => (v === null ? null : names[v]);
  return {
    node: names[lost.node],
    from: of(lost.from),
    value: lost.value,
    stayed: lost.stayed,
    stayedFrom: of(lost.stayedFrom),
  };
}

/** @param line the source line at fault, where it is known */
export function describeSmallest(foreign: Foreign, judged: Judged, line: number | null): SmallestGraph {
  const { graph, truth, outcome, symptom } = judged;
  const names = nodeNames(graph);
  const secondSweep = symptom?.kind === "second sweep";
  const gradient = secondSweep && outcome.again !== null ? outcome.again : outcome.gradient;
  const got = (v: number): AuditValue | null => {
    const data = gradient[v];
    return data === null || data === undefined ? null : valueOf(data, truth.nodes[v].shape);
  };
  const right = (v: number): AuditValue => valueOf(truth.cotangent[v], truth.nodes[v].shape);
  const inputs = graph.inputs.map((_, v) => v);
  return {
    definition: definitionText(graph, foreign.operations, truth, "smallest", foreign.form === "sweep"),
    nodes: truth.nodes.map(({ value, shape }, v) => {
      const step = graph.steps[v - graph.inputs.length];
      return {
        id: v,
        name: names[v],
        op: step === undefined ? null : foreign.operations[step.op].name,
        operands: step?.operands ?? [],
        value: valueOf(value, shape),
        right: right(v),
        got: got(v),
      };
    }),
    contributions: contributionsOf(foreign, judged),
    output: graph.output,
    gradient: {
      right: Object.fromEntries(inputs.map((v) => [names[v], right(v)])),
      got: Object.fromEntries(inputs.map((v) => [names[v], got(v)])),
    },
    secondSweep,
    lost: named(overwriteIn(foreign, judged) ?? missingAt(judged), names),
    line,
  };
}
