/** What a what-if changes: its outputs, its gradient and its cotangents beside those of the true sweep. */
import { cotangent, primal, same, type Quantity } from "../report/quantity.js";
import { full, plural, short } from "../report/text/format.js";
import { nodeName, nodeTitle } from "../trace/read.js";
import type { Debuggee } from "./debuggee.js";
import { listOf, named, variableName, type Children, type Variable } from "./variables.js";

/** Node for node and event for event the same program: its values alone differ. */
export function sameShape(a: Debuggee, b: Debuggee): boolean {
  const [x, y] = [a.trace, b.trace];
  if (x.nodes.n !== y.nodes.n || x.events.n !== y.events.n || x.edges.n !== y.edges.n) return false;
  for (let node = 0; node < x.nodes.n; node++)
    if (x.strings[x.nodes.op[node]] !== y.strings[y.nodes.op[node]]) return false;
  return x.edges.from.every((from, e) => from === y.edges.from[e] && x.edges.to[e] === y.edges.to[e]);
}

/** The node of the true sweep that a node of the what-if stands for, -1: there is none. */
function counterpart(truth: Debuggee, other: Debuggee, node: number): number {
  if (other.truth === truth) return node;
  const name = nodeName(other.trace, node);
  return name === null ? -1 : truth.names.resolve(name, truth.trace.nodes.n);
}

export function differenceVariables(truth: Debuggee, other: Debuggee, description: string): Children {
  const rows: Variable[] = [{ name: "what if", value: description }];
  for (const { node, key } of other.trace.header.outputs) {
    if (node < 0) continue;
    const name = key === null ? nodeTitle(other.trace, node) : String(key);
    const before = outputOf(truth, key);
    rows.push({ name, value: beside(primal(other.trace, node), before) });
  }
  for (const { name, first, count, shape, tensor } of other.trace.header.inputs) {
    const at = truth.trace.header.inputs.find((input) => input.name === name)?.first ?? -1;
    if (tensor === true || shape.length === 0) {
      rows.push({ name: `bar(${name})`, value: beside(barOf(other, first), barOf(truth, at)) });
      continue;
    }
    const children = listOf(count, (i) => ({
      name: `bar(${name}[${i}])`,
      value: beside(barOf(other, first + i), barOf(truth, at < 0 ? -1 : at + i)),
    }));
    rows.push({
      name: `bar(${name})`,
      value: plural(count, "input"),
      children: { ...children, indexed: true },
    });
  }
  if (other.truth === truth) rows.push(changedCotangents(truth, other));
  else {
    const [n, m] = [other.trace.nodes.n, truth.trace.nodes.n];
    rows.push({ name: "shape", value: `another course: ${plural(n, "node")} instead of ${m}` });
  }
  return named(rows);
}

function outputOf(truth: Debuggee, key: string | number | null): Quantity | undefined {
  const output = truth.trace.header.outputs.find((candidate) => candidate.key === key);
  return output === undefined || output.node < 0 ? undefined : primal(truth.trace, output.node);
}

function barOf({ timeline, trace }: Debuggee, node: number): Quantity | undefined {
  if (node < 0 || node >= trace.nodes.n) return undefined;
  return cotangent(timeline, node) ?? 0;
}

/** "216, true 144, difference 72" */
function beside(now: Quantity | undefined, truth: Quantity | undefined): string {
  if (same(now, truth)) return `${full(now)}, as in the true sweep`;
  const numbers = typeof now === "number" && typeof truth === "number";
  const difference = numbers ? `, difference ${short(now - truth)}` : "";
  return `${now === undefined ? "none" : full(now)}, true ${truth === undefined ? "none" : full(truth)}${difference}`;
}

function changedCotangents(truth: Debuggee, other: Debuggee): Variable {
  const changed: number[] = [];
  for (let node = 0; node < other.trace.nodes.n; node++)
    if (!same(cotangent(other.timeline, node), cotangent(truth.timeline, node))) changed.push(node);
  return {
    name: "changed cotangents",
    value: String(changed.length),
    type: "count",
    children: listOf(changed.length, (i) => {
      const node = changed[i];
      const at = counterpart(truth, other, node);
      return {
        name: variableName(other.trace, node),
        value: beside(cotangent(other.timeline, node), cotangent(truth.timeline, at)),
      };
    }),
  };
}
