/** Values beside the source during a session: of each operation on screen the instance that is live at the focus. */
import { primal, same } from "../report/quantity.js";
import { short } from "../report/text/format.js";
import { NodeKind } from "../trace/trace.js";
import { nodeName, nodeTitle } from "../trace/read.js";
import type { Debuggee } from "./debuggee.js";

export interface InlineValue {
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  /** "a = 6, bar 42" */
  readonly text: string;
}

const nodesBySite = new WeakMap<Debuggee, Map<number, number[]>>();

/** Values of the named operations (and returned ones) of a file's lines `from` to `to`. */
export function inlineValues(
  debuggee: Debuggee,
  file: number,
  from: number,
  to: number,
  position: number,
  focus: number,
): InlineValue[] {
  const { sites, header } = debuggee.trace;
  const out: InlineValue[] = [];
  for (const [site, nodes] of bySite(debuggee)) {
    const line = sites.line[site];
    if (sites.file[site] !== file || line < from || line > to) continue;
    const node = liveOf(nodes, focus);
    const named = nodeName(debuggee.trace, node) !== null;
    if (!named && !header.outputs.some((output) => output.node === node)) continue;
    const text = valueText(debuggee, node, position);
    if (text === null) continue;
    const endColumn = sites.endLine[site] === line ? sites.endCol[site] : sites.col[site] + 1;
    out.push({ line, column: sites.col[site], endColumn, text });
  }
  return out;
}

/** Makes the list of nodes by site, which the first values would wait for. */
export function prepareInline(debuggee: Debuggee): void {
  bySite(debuggee);
}

function bySite(debuggee: Debuggee): Map<number, number[]> {
  const known = nodesBySite.get(debuggee);
  if (known !== undefined) return known;
  const { nodes } = debuggee.trace;
  const lists = new Map<number, number[]>();
  for (let node = 0; node < nodes.n; node++) {
    if (nodes.site[node] < 0 || nodes.kind[node] === NodeKind.input) continue;
    const list = lists.get(nodes.site[node]);
    if (list === undefined) lists.set(nodes.site[node], [node]);
    else list.push(node);
  }
  nodesBySite.set(debuggee, lists);
  return lists;
}

/** The last one made until the focus, else the first. */
function liveOf(nodes: readonly number[], focus: number): number {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (nodes[middle] <= focus) low = middle + 1;
    else high = middle;
  }
  return nodes[Math.max(0, low - 1)];
}

function valueText(debuggee: Debuggee, node: number, position: number): string | null {
  const { timeline, trace, running, truth } = debuggee;
  if (!timeline.isEvaluated(node, position)) return null;
  const text = `${nodeTitle(trace, node)} = ${short(primal(trace, node))}`;
  const bar = running.at(node, position);
  if (bar === undefined) return text;
  const progress = timeline.isFinal(node, position)
    ? ""
    : ` (${timeline.arrived(node, position)} of ${timeline.slots(node)} paid)`;
  const right = truth?.running.at(node, position);
  const beside = truth === null || same(bar, right) ? "" : ` (true: ${short(right)})`;
  return `${text}, bar ${short(bar)}${beside}${progress}`;
}
