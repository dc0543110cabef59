/** Lines a breakpoint can stand on: those an operation of the sweep begins on. */
import { NodeKind, type Trace } from "../trace/trace.js";

export interface Location {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Where a breakpoint asked for on a line ends up; `line` null: nowhere, and why. */
export interface Resolved {
  readonly line: number | null;
  readonly message: string | null;
}

/** Operations that begin on the lines `from` to `to`, one entry a site, in the order of the text. */
export function locationsIn({ sites, nodes }: Trace, file: number, from: number, to: number): Location[] {
  const used = new Uint8Array(sites.n);
  for (let node = 0; node < nodes.n; node++) if (nodes.site[node] >= 0) used[nodes.site[node]] = 1;
  const out: Location[] = [];
  for (let site = 0; site < sites.n; site++) {
    const line = sites.line[site];
    if (used[site] === 0 || sites.file[site] !== file || line < from || line > to) continue;
    out.push({ line, column: sites.col[site], endLine: sites.endLine[site], endColumn: sites.endCol[site] });
  }
  return out.sort((a, b) => a.line - b.line || a.column - b.column);
}

/**
 * The line a breakpoint stops on: its own, that of the operation around it, or the next one where only blank lines,
 * comments and the beginning of a statement lie between.
 */
export function resolveLine(trace: Trace, file: number, line: number): Resolved {
  const { sites, nodes } = trace;
  let around = -1;
  let next = -1;
  for (let node = 0; node < nodes.n; node++) {
    const site = nodes.site[node];
    if (site < 0 || sites.file[site] !== file) continue;
    const start = sites.line[site];
    if (start === line) return { line, message: null };
    if (start > line && (next < 0 || start < next)) next = start;
    // an input's site is the whole definition, which is around everything
    const spans = start < line && sites.endLine[site] >= line && nodes.kind[node] !== NodeKind.input;
    if (spans && start > around) around = start;
  }
  if (around > 0) return { line: around, message: null };
  if (next > 0 && onlyLeadsTo(textOf(trace, file), line, next)) return { line: next, message: null };
  return {
    line: null,
    message:
      "No operation of this sweep stands on this line: it computes nothing, or the run did not reach it.",
  };
}

function textOf(trace: Trace, file: number): string | null {
  const text = trace.files.text[file];
  return text < 0 ? null : trace.strings[text];
}

/** Nothing between that would be a statement of its own. */
function onlyLeadsTo(text: string | null, from: number, to: number): boolean {
  if (text === null) return false;
  const lines = text.split("\n").slice(from - 1, to - 1);
  return lines.every((line) => {
    const code = line.replace(/\/\/.*$/, "").trim();
    return code === "" || /^(\/\*|\*)/.test(code) || /(=|\(|,|\{|\[|=>|\?|:|&&|\|\||[-+*/%])$/.test(code);
  });
}
