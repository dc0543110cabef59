/** The smallest failing graph, told for a view: our sweep and the foreign one side by side. */
import { toNested } from "../tape/ndarray.js";
import { arrivalsOf, type Arrivals, type Seen, type Told } from "./arrivals.js";
import type { Foreign } from "./engine.js";
import type { FaultClass } from "./fault-class.js";
import type { AuditEdge } from "./graph.js";
import { handedOver, type Handed } from "./handed.js";
import type { Judged } from "./judge.js";
import { missingAt, overwriteIn, type LostContribution } from "./lost.js";
import { definitionText, nodeNames } from "./print.js";
import { valuesOff } from "./told-values.js";
import type { AuditValue, LostInSmallest, SmallestContribution, SmallestGraph } from "./result.js";

function valueOf(data: Float64Array, shape: readonly number[]): AuditValue {
  return shape.length === 0 ? data[0] : (toNested({ shape, data }) as AuditValue);
}

function contributionInto(
  { truth }: Judged,
  {
    edge,
    payments,
    told,
    begun,
  }: { edge: AuditEdge; payments: readonly Handed[] | null; told: boolean; begun: boolean },
): SmallestContribution {
  const to = truth.nodes[edge.to].shape;
  const number = payments?.[0].get(edge)!.length ?? 0;
  const paid = Array.from({ length: number }, (_, i) =>
    Float64Array.from(payments!, (of) => of.get(edge)![i].value),
  );
  const kept = paid.filter((_, i) => payments![0].get(edge)![i].kept);
  // what was written over what had stayed is told as it was made
  const sum = (kept.length > 0 ? kept : paid.slice(-1)).reduce<Float64Array | null>(
    (a, b) => (a === null ? b : a.map((x, i) => x + b[i])),
    null,
  );
  const blind = !told || payments === null || (number === 0 && begun);
  const state = blind ? "unknown" : number === 0 ? "missing" : kept.length > 0 ? "kept" : "lost";
  return {
    from: edge.from,
    to: edge.to,
    slot: edge.slot,
    local: edge.local.some(Number.isNaN)
      ? null
      : valueOf(edge.local, edge.local.length === 1 ? [] : truth.nodes[edge.from].shape),
    right: valueOf(edge.contribution, to),
    foreign: sum === null ? null : valueOf(sum, to),
    paid: paid.map((data) => valueOf(data, to)),
    state,
  };
}

/** Edges into a node, in the order in which a sweep over the tape pays them. */
const edgesInto = ({ truth }: Judged, v: number): AuditEdge[] => truth.edges.filter((edge) => edge.to === v);

function contributionsOf(judged: Judged, seen: Seen, told: Told): SmallestContribution[] {
  const { truth, graph } = judged;
  const out: SmallestContribution[] = [];
  for (let v = truth.nodes.length - 1; v >= 0; v--) {
    const edges = edgesInto(judged, v);
    if (edges.length === 0 || v === graph.output) continue;
    const arrivals = seen.into(v);
    const { standing } = seen;
    const payments = arrivals === null ? null : handedOver(edges, arrivals, { told, standing });
    for (const edge of edges)
      out.push(
        contributionInto(judged, {
          edge,
          payments,
          told: arrivals !== null,
          begun: arrivals?.some(({ begun }) => begun) === true,
        }),
      );
  }
  return out;
}

/** What every use was seen to pay, by the cotangents the engine tells. */
export function paymentsSeen(foreign: Foreign, judged: Judged): SmallestContribution[] {
  const told: Told = (v) => judged.outcome.gradient[v] ?? null;
  return contributionsOf(judged, arrivalsOf(foreign, judged, told), told);
}

/** The payments into a node one after the other; null for an array whose elements were not paid equally often. */
function inOrder(arrivals: readonly Arrivals[], shape: readonly number[]): AuditValue[] | null {
  const count = arrivals[0].list.length;
  if (arrivals.some(({ list }) => list.length !== count)) return null;
  return Array.from({ length: count }, (_, i) =>
    valueOf(
      Float64Array.from(arrivals, ({ list }) => list[i].value),
      shape,
    ),
  );
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

/** Classes in which a contribution that was due is lost; of others the numbers may look so by chance. */
const losing: ReadonlySet<FaultClass> = new Set<FaultClass>([
  "overwrite",
  "recursion without order",
  "dropped second branch",
  "post-order",
]);

/**
 * @param line the source line at fault, where it is known
 * @param fault its class; null: not known, and what is lost is told as far as the numbers show it
 */
export function describeSmallest(
  foreign: Foreign,
  judged: Judged,
  line: number | null,
  fault: FaultClass | null = null,
): SmallestGraph {
  const { graph, truth, outcome, symptom } = judged;
  const names = nodeNames(graph);
  const secondSweep = symptom?.kind === "second sweep";
  const gradient = secondSweep && outcome.again !== null ? outcome.again : outcome.gradient;
  const got = (v: number): AuditValue | null => {
    const data = gradient[v];
    return data === null || data === undefined ? null : valueOf(data, truth.nodes[v].shape);
  };
  const told: Told = (v) => gradient[v] ?? null;
  const seen = arrivalsOf(foreign, judged, told);
  const right = (v: number): AuditValue => valueOf(truth.cotangent[v], truth.nodes[v].shape);
  const inputs = graph.inputs.map((_, v) => v);
  const values = valuesOff(foreign, judged);
  const contributions = contributionsOf(judged, seen, told);
  return {
    definition: definitionText(graph, foreign.operations, truth, "smallest", foreign.form === "sweep"),
    nodes: truth.nodes.map(({ value, shape }, v) => {
      const step = graph.steps[v - graph.inputs.length];
      const arrivals = v === graph.output || edgesInto(judged, v).length === 0 ? null : seen.into(v);
      const leftover = Float64Array.from(arrivals ?? [], (each) => each.leftover);
      return {
        id: v,
        name: names[v],
        op: step === undefined ? null : foreign.operations[step.op].name,
        operands: step?.operands ?? [],
        value: valueOf(value, shape),
        gotValue: values[v] === null ? null : valueOf(Float64Array.from(values[v]), shape),
        right: right(v),
        got: got(v),
        arrived: arrivals === null ? null : inOrder(arrivals, shape),
        leftover: leftover.some((x) => x !== 0) ? valueOf(leftover, shape) : null,
      };
    }),
    contributions,
    output: graph.output,
    gradient: {
      right: Object.fromEntries(inputs.map((v) => [names[v], right(v)])),
      got: Object.fromEntries(inputs.map((v) => [names[v], got(v)])),
    },
    secondSweep,
    lost:
      fault !== null && !losing.has(fault)
        ? null
        : named(overwriteIn(foreign, judged) ?? missingAt(judged, contributions), names),
    line,
  };
}
