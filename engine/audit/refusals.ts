/**
 * What an array engine may refuse and be right: operands of unlike shapes, and a sweep from more than one number. It is
 * asked once, and the audit goes on without; an engine that is not told of shapes it cannot take is not at fault.
 */
import type { Foreign } from "./engine.js";
import { nodeCount, truthOf, type AuditGraph } from "./graph.js";
import type { Judged } from "./judge.js";
import { Listener } from "./listen.js";
import type { Outcome } from "./outcome.js";
import { afterOf } from "./slots.js";

const text = (shape: readonly number[]): string => `[${shape.join(", ")}]`;

/** What was learned from a run that threw: a note, with which the graph can be judged anew; or null. */
export function learned(foreign: Foreign, graph: AuditGraph, { trouble, handles }: Outcome): string | null {
  if (trouble?.kind !== "threw" || foreign.form === "sweep") return null;
  const made = handles.length;
  if (made === nodeCount(graph)) return sumsFirst(foreign, graph);
  if (made < graph.inputs.length) return null;
  const { nodes } = truthOf(graph, foreign.operations);
  const { op, operands } = graph.steps[made - graph.inputs.length];
  const row = foreign.operations[op];
  const shapes = operands.map((v) => nodes[v].shape);
  if (row.kind !== "elementwise" || shapes.every((one) => String(one) === String(shapes[0]))) return null;
  row.refused.add(shapes.join("|"));
  return `${row.name} refuses operands of unlike shapes, which are not tried again: ${shapes.map(text).join(" and ")}`;
}

/** A sweep from an array may be refused where one from its sum is not. */
function sumsFirst(foreign: Foreign, graph: AuditGraph): string | null {
  const size = truthOf(graph, foreign.operations).nodes[graph.output].value.length;
  if (size === 1 || foreign.sumsFirst || !foreign.operations.some(({ kind }) => kind === "sum")) return null;
  foreign.sumsFirst = true;
  if (foreign.run(graph).trouble === null)
    return "backward(output) refuses an output of more than one element: its sum is swept from";
  foreign.sumsFirst = false;
  return null;
}

/** Why an adapter cannot be used, as a hint behind what it threw; "" where nothing is known. */
export function hint(foreign: Foreign, graph: AuditGraph, { handles }: Outcome): string {
  const scalars = graph.inputs.every(({ shape }) => shape.length === 0);
  if (scalars || foreign.form === "sweep") return "";
  const made = handles.length;
  if (made < graph.inputs.length)
    return `, for a value of shape ${text(graph.inputs[made].shape)}; shapes: [[2, 3], [3]] says which shapes leaves take`;
  const { nodes } = truthOf(graph, foreign.operations);
  if (made < nodeCount(graph)) {
    const { operands } = graph.steps[made - graph.inputs.length];
    const shapes = operands.map((v) => text(nodes[v].shape)).join(" and ");
    return `, on shapes ${shapes}; shapes: [[2, 3], [3]] says which shapes leaves take`;
  }
  return "";
}

/** A sweep that works from a single number and throws from an array: the adapter has to sum, the engine is not at fault. */
export function needsNumber(foreign: Foreign, graph: AuditGraph, outcome: Outcome): boolean {
  if (foreign.form === "sweep" || outcome.handles.length < nodeCount(graph) || foreign.sumsFirst)
    return false;
  if (truthOf(graph, foreign.operations).nodes[graph.output].value.length === 1) return false;
  const numbers = graph.inputs.map(({ data, shape }) => ({
    shape: shape.map(() => 1),
    data: data.slice(0, 1),
  }));
  return foreign.run({ ...graph, inputs: numbers }).trouble === null;
}

const SILENT = 12;

/** True where the engine gives no gradient of anything: an adapter that reads the wrong place, or a sweep that comes later. */
function silent(foreign: Foreign, graphOf: (item: number) => AuditGraph): boolean {
  for (let item = 0; item < SILENT; item++) {
    const { trouble, gradient } = foreign.run(graphOf(item));
    if (trouble !== null || gradient.some((data) => data?.some((x) => x !== 0) === true)) return false;
  }
  return true;
}

const SILENCE_OF_SWEEP =
  "every cotangent that the sweep returns is 0 or missing in every graph, the last entry's too, whose cotangent is given: " +
  "it may return another list than the one it adds to";

const SILENCE =
  "every gradient is 0 or missing in every graph: gradient(node) may read another place than the sweep writes to, " +
  "backward(output) may do its work later (a promise, a timer), or not begin with a cotangent of 1";

/**
 * What is said of an adapter that reads NaN, or one number, from every node of every graph, the output too, while the sweep
 * was seen to write other numbers and never this one; null where the engine may have made it itself.
 */
function unwritten(foreign: Foreign, graphOf: (item: number) => AuditGraph): string | null {
  let read: number | null = null;
  let wrote = 0;
  for (let item = 0; item < SILENT; item++) {
    const graph = graphOf(item);
    const listener = new Listener();
    const { trouble, gradient, writes } = foreign.run(graph, { listener, inner: true });
    if (trouble !== null || gradient.length === 0) return null;
    for (const data of gradient) {
      for (const x of data ?? []) {
        read ??= x;
        if (!Object.is(x, read)) return null;
      }
    }
    for (const write of writes) {
      if (write.phase === "forward" || typeof write.value !== "number") continue;
      const after = afterOf(write);
      if (read !== null && Object.is(after, read)) return null;
      if (Number.isFinite(after)) wrote++;
    }
  }
  if (read === null || wrote === 0) return null;
  const part = foreign.form === "sweep" ? "the sweep returns" : "gradient(node) is";
  const output = Number.isNaN(read) ? ", even for the output, whose cotangent is known" : "";
  return (
    `${part} ${read} for every node of every graph${output}, and the sweep was never seen to write ${read}: ` +
    `look at the adapter, which may read another place than the sweep writes to`
  );
}

/**
 * What an operation returned that is no node, as a plain number where leaves are objects; null: nothing of the kind. Only asked where a
 * graph fails: engines may mix what they like.
 */
function noNode(foreign: Foreign, graph: AuditGraph, { handles }: Outcome): string | null {
  if (foreign.form === "sweep" || handles.length <= graph.inputs.length) return null;
  const isPlain = (handle: unknown): boolean => typeof handle !== "object" && typeof handle !== "function";
  const first = graph.inputs.length;
  if (handles.slice(0, first).some(isPlain)) return null;
  const node = handles.findIndex((handle, v) => v >= first && isPlain(handle));
  if (node < 0) return null;
  const { op, operands } = graph.steps[node - first];
  const call = `${foreign.operations[op].name}(${operands.map((_, k) => "abc"[k]).join(", ")})`;
  return `${call} returned ${JSON.stringify(handles[node])}, which is no node: leaf(value) returns ${typeof handles[0] === "function" ? "a function" : "an object"}`;
}

/** What is wrong with the list that a bare sweep returned, where that is why its gradient is; null: nothing. */
function unfitList(foreign: Foreign, { outcome, graph, symptom }: Judged): string | null {
  const [remark] = outcome.remarks;
  if (foreign.form !== "sweep" || symptom?.kind !== "gradient" || remark === undefined) return null;
  // a list that is too long may be right where it counts: then its length is not the fault
  return outcome.gradient[graph.output]?.[0] === graph.seed ? null : remark;
}

/** What is wrong with the adapter rather than the engine, where a graph fails; null: nothing that was seen. */
export function adapterFault(
  foreign: Foreign,
  failing: Judged,
  graphOf: (item: number) => AuditGraph,
): string | null {
  const found = unfitList(foreign, failing) ?? noNode(foreign, failing.graph, failing.outcome);
  if (found !== null || failing.symptom?.kind !== "gradient") return found;
  if (!silent(foreign, graphOf)) return unwritten(foreign, graphOf);
  return foreign.form === "sweep" ? SILENCE_OF_SWEEP : SILENCE;
}
