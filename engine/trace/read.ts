/** Small readers over a trace, so that nobody spells out the indirections twice. */
import type { Trace } from "./trace.js";

export interface SourceRange {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly func: string | null;
}

/** The node's own name, or null. */
export function nodeName(trace: Trace, node: number): string | null {
  const name = trace.nodes.name[node];
  return name < 0 ? null : trace.strings[name];
}

/** The primitive's name. */
export function nodeOp(trace: Trace, node: number): string {
  return trace.strings[trace.nodes.op[node]];
}

/** The expression the node stands for, as in the source; falls back to the primitive's name. */
export function nodeExpression(trace: Trace, node: number): string {
  const label = trace.nodes.label[node];
  return label < 0 ? nodeOp(trace, node) : trace.strings[label];
}

/** What to call the node in a sentence: its name, else its expression (shortened), else `#id`. */
export function nodeTitle(trace: Trace, node: number, limit = 28): string {
  const name = nodeName(trace, node);
  if (name !== null) return name;
  const label = trace.nodes.label[node];
  if (label < 0) return `#${node}`;
  const text = trace.strings[label];
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
