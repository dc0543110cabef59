/** The rows of `--events`: the trace's event sequence, each with the step it belongs to. */
import { rounder } from "../engine/ops/dtype.js";
import { Event, eventKinds, isStep } from "../engine/trace/events.js";
import type { Trace } from "../engine/trace/trace.js";
import { isArrayRow, jsonRow } from "./array-text.js";
import { jsonNumber } from "./json-value.js";
import { overwrites } from "./overwrites.js";

/**
 * One row an event, readings of primals left out. Becoming final is no row of its own: it is `"final": true` at the node's last contribution, or at
 * its seed. `sum` is the node's cotangent after the contribution.
 */
export function* eventRows(trace: Trace): Generator<string> {
  const { events, edges, values, header } = trace;
  const { cotangentDtype } = header.options;
  const round = cotangentDtype === "f64" ? (x: number): number => x : rounder(cotangentDtype);
  const assigns = overwrites(trace);
  const sums = new Float64Array(trace.nodes.n);
  let step = 0;
  for (let row = 0; row < events.n; row++) {
    const kind = events.kind[row];
    if (isStep[kind]) step++;
    if (kind === Event.final || kind === Event.read) continue;
    const node = events.node[row];
    const value = events.value[row];
    const next = row + 1;
    const final = next < events.n && events.kind[next] === Event.final && events.node[next] === node;
    let text = `{ "step": ${step}, "kind": "${eventKinds[kind]}"`;
    if (node >= 0) text += `, "node": ${node}`;
    const edge = events.edge[row];
    if (edge >= 0) text += `, "edge": ${edge}, "slot": ${edges.slot[edge]}`;
    if (value >= 0 && kind !== Event.store && kind !== Event.free)
      text += `, "value": ${jsonRow(trace, value)}`;
    if (isArrayRow(trace, trace.nodes.value[node])) {
      // the sum of arrays that have arrived is not kept; the last is the cotangent
      if (final && kind === Event.contribute) text += `, "sum": ${jsonRow(trace, events.value[next])}`;
      yield final ? `${text}, "final": true }` : `${text} }`;
      continue;
    }
    if (kind === Event.seed) sums[node] = values.mean[value];
    if (kind === Event.contribute && value >= 0) {
      const part = values.mean[value];
      sums[node] = assigns(node) ? part : round(sums[node] + part);
      text += `, "sum": ${jsonNumber(final ? values.mean[events.value[next]] : sums[node])}`;
    }
    yield final ? `${text}, "final": true }` : `${text} }`;
  }
}
