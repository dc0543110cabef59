/** `run --json`: one document, made row by row, so that a million nodes never stand in one string. */
import { resolve } from "node:path";
import type { RunSuccess } from "../runner/messages.js";
import { arrayAt } from "../engine/trace/arrays.js";
import { nodeName, nodeOp, siteRange } from "../engine/trace/read.js";
import { NodeKind, type OutputInfo, type Trace } from "../engine/trace/trace.js";
import { Timeline } from "../engine/timeline/timeline.js";
import { jsonRow, nestedArray, plainRow } from "./array-text.js";
import { eventRows } from "./json-events.js";
import { jsonNumber, jsonValue } from "./json-value.js";
import { isLastWriter } from "./overwrites.js";
import { remarkRows } from "./remarks.js";
import { shownPath } from "./paths.js";

/** Rows joined by commas, one a line. */
function* list(key: string, rows: Iterable<string>): Generator<string> {
  yield `,\n  ${JSON.stringify(key)}: [`;
  let first = true;
  for (const row of rows) {
    yield `${first ? "\n" : ",\n"}    ${row}`;
    first = false;
  }
  yield first ? "]" : "\n  ]";
}

/** The document in pieces. `path` is the module's absolute path. */
export function* runDocument(result: RunSuccess, path: string, withEvents: boolean): Generator<string> {
  const { trace, report } = result;
  const { options } = trace.header;
  const timeline = new Timeline(trace);
  const head = {
    graph: report.graph,
    file: shownPath(path),
    dtype: options.dtype,
    cotangentDtype: options.cotangentDtype,
    accumulation: options.accumulation,
    order: options.order,
    schedule: options.schedule,
    seed: options.seed,
  };
  yield "{";
  let comma = "";
  for (const [key, value] of Object.entries(head)) {
    yield `${comma}\n  ${JSON.stringify(key)}: ${jsonValue(value)}`;
    comma = ",";
  }
  yield* list("nodes", nodeRows(trace, timeline, path));
  yield* list("edges", edgeRows(trace, timeline));
  yield* list("fanOut", fanOutRows(trace, timeline));
  yield `,\n  "output": ${jsonValue({ value: outputValue(trace.header.outputs) })}`;
  yield `,\n  "gradient": ${jsonValue(report.gradient)}`;
  if (isLastWriter(trace)) yield `,\n  "correct": ${jsonValue({ gradient: report.correctGradient })}`;
  yield `,\n  "lastWriterWins": ${jsonValue(report.lastWriterWins)}`;
  yield `,\n  "memory": ${jsonValue(report.memory)}`;
  if (report.checkpoint !== undefined) yield `,\n  "checkpoint": ${jsonValue(report.checkpoint)}`;
  yield `,\n  "flops": ${jsonValue(report.flops)}`;
  yield* list("notes", remarkRows(report.notes, (file) => shownPath(file)).map(jsonValue));
  if (withEvents) yield* list("events", eventRows(trace));
  yield "\n}\n";
}

/** The output as it was returned: a number, an array, or a record. */
export function outputValue(outputs: readonly OutputInfo[]): unknown {
  const plain = ({ value, array }: OutputInfo): unknown => (array === undefined ? value : nestedArray(array));
  if (outputs.length === 1 && outputs[0].key === null) return plain(outputs[0]);
  if (outputs.every(({ key }) => typeof key === "number")) return outputs.map(plain);
  return Object.fromEntries(outputs.map((output) => [String(output.key), plain(output)]));
}

/** `, "file": "..."` for nodes that are not of the module that was run. */
function otherFiles(trace: Trace, path: string): (file: string) => string {
  const known = new Map<string, string>();
  return (file) => {
    let text = known.get(file);
    if (text === undefined) {
      const full = resolve(trace.header.root, file);
      text = full === path ? "" : `, "file": ${JSON.stringify(shownPath(full))}`;
      known.set(file, text);
    }
    return text;
  };
}

function* nodeRows(trace: Trace, timeline: Timeline, path: string): Generator<string> {
  const { nodes, edges, constants, strings } = trace;
  const elsewhereOf = otherFiles(trace, path);
  let edge = 0;
  let constant = 0;
  for (let id = 0; id < nodes.n; id++) {
    const inputs: string[] = [];
    for (;;) {
      const slotOfEdge = edge < edges.n && edges.to[edge] === id ? edges.slot[edge] : Infinity;
      const slotOfConstant =
        constant < constants.n && constants.node[constant] === id ? constants.slot[constant] : Infinity;
      if (slotOfEdge === Infinity && slotOfConstant === Infinity) break;
      if (slotOfEdge < slotOfConstant) inputs.push(String(edges.from[edge++]));
      else {
        const row = constants.row?.[constant] ?? -1;
        const value = row < 0 ? jsonNumber(constants.value[constant]) : jsonRow(trace, row);
        inputs.push(`{ "const": ${value} }`);
        constant++;
      }
    }
    const site = siteRange(trace, nodes.site[id]);
    const name = nodeName(trace, id);
    const label =
      name === null && nodes.label[id] >= 0 ? `, "label": ${JSON.stringify(strings[nodes.label[id]])}` : "";
    const elsewhere = site === null ? "" : elsewhereOf(site.file);
    yield (
      `{ "id": ${id}, "name": ${name === null ? "null" : JSON.stringify(name)}${label}, "op": ${JSON.stringify(nodeOp(trace, id))}` +
      `, "value": ${jsonRow(trace, nodes.value[id])}, "cotangent": ${cotangentText(trace, timeline, id)}` +
      `, "inputs": [${inputs.join(", ")}]${elsewhere}, "line": ${site?.line ?? 0}, "column": ${site?.column ?? 0}` +
      `, "endLine": ${site?.endLine ?? 0}, "endColumn": ${site?.endColumn ?? 0}, "shape": [${shapeOf(trace, id).join(", ")}] }`
    );
  }
}

function shapeOf(trace: Trace, node: number): readonly number[] {
  return arrayAt(trace, trace.nodes.value[node])?.shape ?? [];
}

/** The final cotangent; zeros in the node's shape where the sweep never reaches it. */
function cotangentText(trace: Trace, timeline: Timeline, node: number): string {
  const row = timeline.cotangentRow(node);
  if (row >= 0) return jsonRow(trace, row);
  const shape = shapeOf(trace, node);
  return shape.length === 0 ? "0" : jsonValue(zeros(shape));
}

function zeros(shape: readonly number[]): unknown {
  if (shape.length === 0) return 0;
  return Array.from({ length: shape[0] }, () => zeros(shape.slice(1)));
}

function* edgeRows(trace: Trace, timeline: Timeline): Generator<string> {
  const { edges, values } = trace;
  for (let edge = 0; edge < edges.n; edge++) {
    const local = edges.local[edge] < 0 ? "null" : jsonNumber(values.mean[edges.local[edge]]);
    const row = timeline.contributionRow(edge);
    const flows = row < 0 ? "null" : jsonRow(trace, row);
    const step = timeline.stepOfEdge(edge);
    yield (
      `{ "from": ${edges.from[edge]}, "to": ${edges.to[edge]}, "slot": ${edges.slot[edge]}, "local": ${local}` +
      `, "contribution": ${flows}, "step": ${step < 0 ? "null" : step} }`
    );
  }
}

function* fanOutRows(trace: Trace, timeline: Timeline): Generator<string> {
  for (let node = 0; node < trace.nodes.n; node++) {
    if (timeline.slots(node) < 2) continue;
    const kind = trace.nodes.kind[node] === NodeKind.input ? "input" : "intermediate";
    const parts = timeline.arrivals(node).map(({ child, slot, edge }) => ({
      to: child,
      name: nodeName(trace, child),
      slot,
      value: timeline.contributionRow(edge) < 0 ? null : plainRow(trace, timeline.contributionRow(edge)),
    }));
    const seed = timeline.seedRow(node);
    const sum = timeline.cotangentRow(node);
    yield jsonValue({
      node,
      name: nodeName(trace, node),
      kind,
      seed: seed < 0 ? undefined : plainRow(trace, seed),
      contributions: parts,
      sum: sum < 0 ? undefined : plainRow(trace, sum),
    });
  }
}
