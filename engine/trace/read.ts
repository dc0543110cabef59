/** Small readers over a trace, so that nobody spells out the indirections twice. */
import { arrayAt } from "./arrays.js";
import type { Trace } from "./trace.js";

export interface SourceRange {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly func: string | null;
}

/**
 * A name from its parts. `h[2]` of instance 1 is `h@1[2]`: the variable was assigned again, not the element; the base
 * `h[2]@` is an element that was stored by itself, `h[2]@1` when it was stored again.
 *
 * @param owner function name and instance it is a local of, null for the graph function's own
 */
export function composeName(
  base: string,
  instance: number,
  owner: { name: string; call: number } | null,
): string {
  let name = base;
  if (base.endsWith("@")) {
    // an element stored by itself
    name = instance >= 0 ? `${base}${instance}` : base.slice(0, -1);
  } else if (instance >= 0) {
    const bracket = base.indexOf("[");
    name =
      bracket <= 0 ? `${base}@${instance}` : `${base.slice(0, bracket)}@${instance}${base.slice(bracket)}`;
  }
  return owner === null ? name : `${owner.name}#${owner.call}.${name}`;
}

/** The node's own name, or null. */
export function nodeName(trace: Trace, node: number): string | null {
  const { nodes, scopes, strings } = trace;
  const base = nodes.name[node];
  if (base < 0) return null;
  const scope = nodes.owner[node];
  const owner = scope < 0 ? null : { name: strings[scopes.name[scope]], call: scopes.iteration[scope] };
  return composeName(strings[base], nodes.instance[node], owner);
}

/** The primitive's name. */
export function nodeOp(trace: Trace, node: number): string {
  return trace.strings[trace.nodes.op[node]];
}

/** First row of `edges` whose consumer is the node or a later one. */
export function firstEdge(trace: Trace, node: number): number {
  const { to, n } = trace.edges;
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (to[middle] < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The expression the node stands for: as in the source, else the primitive applied to its operands' names. */
export function nodeExpression(trace: Trace, node: number): string {
  const label = trace.nodes.label[node];
  if (label >= 0) return trace.strings[label];
  const op = nodeOp(trace, node);
  const operands = new Map<number, string>();
  for (let e = firstEdge(trace, node); e < trace.edges.n && trace.edges.to[e] === node; e++) {
    const from = trace.edges.from[e];
    operands.set(trace.edges.slot[e], nodeName(trace, from) ?? `#${from}`);
  }
  const { constants } = trace;
  let low = 0;
  let high = constants.n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (constants.node[middle] < node) low = middle + 1;
    else high = middle;
  }
  for (; low < constants.n && constants.node[low] === node; low++) {
    const array = arrayAt(trace, constants.row?.[low] ?? -1);
    // the value of a constant that is an array is only its mean
    const text = array === null ? String(constants.value[low]) : `[${array.shape.join("×")}]`;
    operands.set(constants.slot[low], text);
  }
  if (operands.size === 0) return op;
  const slots = Array.from(operands.keys()).sort((a, b) => a - b);
  return `${op}(${slots.map((slot) => operands.get(slot)).join(", ")})`;
}

/** What to call the node in a sentence: its name, else its expression (shortened), else `#id`. */
export function nodeTitle(trace: Trace, node: number, limit = 28): string {
  const name = nodeName(trace, node);
  if (name !== null) return name;
  if (trace.nodes.kind[node] === 1) return `#${node}`;
  const text = nodeExpression(trace, node);
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/** The node's primal. */
export function primalOf(trace: Trace, node: number): number {
  return trace.values.mean[trace.nodes.value[node]];
}

/** The source range of a site, or null for -1. */
export function siteRange(trace: Trace, site: number): SourceRange | null {
  if (site < 0) return null;
  const { sites } = trace;
  const func = sites.func[site];
  return {
    file: trace.strings[trace.files.path[sites.file[site]]],
    line: sites.line[site],
    column: sites.col[site],
    endLine: sites.endLine[site],
    endColumn: sites.endCol[site],
    func: func < 0 ? null : trace.strings[func],
  };
}
