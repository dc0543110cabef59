/** The smallest failing graph, told for a view: our sweep and the foreign one side by side. */
import { toNested } from "../tape/ndarray.js";
import { arrivalsOf, dueOf, near, type Arrivals, type Told } from "./arrivals.js";
import type { Foreign } from "./engine.js";
import type { FaultClass } from "./fault-class.js";
import type { AuditEdge } from "./graph.js";
import type { Judged } from "./judge.js";
import { missingAt, overwriteIn, type LostContribution } from "./lost.js";
import { definitionText, nodeNames } from "./print.js";
import type { AuditValue, LostInSmallest, SmallestContribution, SmallestGraph } from "./result.js";

function valueOf(data: Float64Array, shape: readonly number[]): AuditValue {
  return shape.length === 0 ? data[0] : (toNested({ shape, data }) as AuditValue);
}

/** Payments handed to the uses of a node: by edge, in order, the elements of each. */
type Handed = Map<AuditEdge, Payment[]>;

interface Payment {
  readonly value: number;
  readonly kept: boolean;
}

/**
 * Hands what arrived in one element to the uses that have paid it: equal numbers first; what is left in order, where as
 * many uses as numbers are left. Null: who paid what cannot be told.
 */
function handed(
  edges: readonly AuditEdge[],
  { arrivals, element, told }: { arrivals: Arrivals; element: number; told: Told },
): Handed | null {
  const { list } = arrivals;
  const due = (edge: AuditEdge): number | null => dueOf(edge, told);
  const out: Handed = new Map(edges.map((edge) => [edge, []]));
  const alone = edges.every(({ from }) => from === edges[0].from);
  if (list.length > edges.length && !arrivals.dead) {
    if (!alone || !inRounds(edges, list)) return null;
    list.forEach((payment, i) => out.get(edges[i % edges.length])!.push(payment));
    return out;
  }
  const free = new Set<Payment>(list);
  let open = edges;
  // by the cotangents the engine tells first: a child that has a wrong one hands on what it has
  for (const owed of [due, (edge: AuditEdge) => edge.contribution[element]])
    open = open.filter((edge) => {
      const want = owed(edge);
      const same = [...free].find(({ value }) => want !== null && near(value, want));
      if (same === undefined) return true;
      out.get(edge)!.push(same);
      free.delete(same);
      return false;
    });
  // a use that the output does not depend on may have paid it; it has no edge
  const zeros = arrivals.dead ? [...free].filter(({ value }) => value === 0) : [];
  if (zeros.length > 0 && open.length > 0) return null;
  for (const zero of zeros) free.delete(zero);
  // one of two uses that owe the same has not paid: which, the numbers do not say
  const alike = (a: AuditEdge): boolean =>
    edges.some(
      (b) => b.from !== a.from && near(due(a) ?? a.contribution[element], due(b) ?? b.contribution[element]),
    );
  if (free.size === 0) return open.some(alike) ? null : out;
  if (free.size !== open.length || !(alone || free.size === 1)) return null;
  [...free].forEach((payment, i) => out.get(open[i])!.push(payment));
  return out;
}

/**
 * True of a child that pays all of its slots as often as it is passed on: each time what it has then, times the local
 * derivatives.
 */
function inRounds(edges: readonly AuditEdge[], list: readonly Payment[]): boolean {
  if (list.length % edges.length !== 0) return false;
  if (edges.length === 1) return true;
  if (edges.some(({ local }) => local.length !== 1 || local[0] === 0)) return false;
  return list.every(({ value }, i) => {
    const first = i - (i % edges.length);
    return near(value / edges[i % edges.length].local[0], list[first].value / edges[0].local[0]);
  });
}

/** The same for all elements; null too where they do not agree on how often each use has paid, and what stayed. */
function handedOver(edges: readonly AuditEdge[], arrivals: readonly Arrivals[], told: Told): Handed[] | null {
  const all: Handed[] = [];
  const shapeOf = (payments: Handed): string =>
    edges
      .map((edge) =>
        payments
          .get(edge)!
          .map(({ kept }) => (kept ? "k" : "l"))
          .join(""),
      )
      .join(" ");
  for (const [element, list] of arrivals.entries()) {
    const payments = handed(edges, { arrivals: list, element, told });
    if (payments === null || (all.length > 0 && shapeOf(payments) !== shapeOf(all[0]))) return null;
    all.push(payments);
  }
  return all;
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
    const arrivals = seen(v);
    const payments = arrivals === null ? null : handedOver(edges, arrivals, told);
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

/** What was seen to arrive at a node, by element; null where nothing can be believed. */
type Seen = (node: number) => readonly Arrivals[] | null;

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
  const seen: Seen = arrivalsOf(foreign, judged, told);
  const right = (v: number): AuditValue => valueOf(truth.cotangent[v], truth.nodes[v].shape);
  const inputs = graph.inputs.map((_, v) => v);
  return {
    definition: definitionText(graph, foreign.operations, truth, "smallest", foreign.form === "sweep"),
    nodes: truth.nodes.map(({ value, shape }, v) => {
      const step = graph.steps[v - graph.inputs.length];
      const arrivals = v === graph.output || edgesInto(judged, v).length === 0 ? null : seen(v);
      const leftover = Float64Array.from(arrivals ?? [], (each) => each.leftover);
      return {
        id: v,
        name: names[v],
        op: step === undefined ? null : foreign.operations[step.op].name,
        operands: step?.operands ?? [],
        value: valueOf(value, shape),
        right: right(v),
        got: got(v),
        arrived: arrivals === null ? null : inOrder(arrivals, shape),
        leftover: leftover.some((x) => x !== 0) ? valueOf(leftover, shape) : null,
      };
    }),
    contributions: contributionsOf(judged, seen, told),
    output: graph.output,
    gradient: {
      right: Object.fromEntries(inputs.map((v) => [names[v], right(v)])),
      got: Object.fromEntries(inputs.map((v) => [names[v], got(v)])),
    },
    secondSweep,
    lost:
      fault !== null && !losing.has(fault)
        ? null
        : named(overwriteIn(foreign, judged) ?? missingAt(judged), names),
    line,
  };
}
