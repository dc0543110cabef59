/** Between nodes of a trace and places in the source, both ways. Pure: no editor here. */
import { isAbsolute, join, normalize } from "node:path";
import { siteRange, type SourceRange } from "../engine/trace/read.js";
import type { Trace } from "../engine/trace/trace.js";

/** A selection in a file; lines and columns from 1, the end exclusive. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** the identifier at the cursor, if the selection is just a cursor or that word */
  readonly word: string | null;
}

/** Absolute path of a file of the trace. */
export function tracePath(trace: Trace, path: string): string {
  return normalize(isAbsolute(path) ? path : join(trace.header.root, path));
}

/** Absolute paths of all files the sweep was recorded from. */
export function traceFiles(trace: Trace): string[] {
  return Array.from({ length: trace.files.n }, (_, file) =>
    tracePath(trace, trace.strings[trace.files.path[file]]),
  );
}

/** Where the node's operation stands, or null; the path is absolute. */
export function placeOfNode(trace: Trace, node: number): SourceRange | null {
  if (node < 0 || node >= trace.nodes.n) return null;
  const range = siteRange(trace, trace.nodes.site[node]);
  return range && { ...range, file: tracePath(trace, range.file) };
}

/** Negative, zero or positive as the first position is before, at or after the second. */
function compare(line: number, column: number, otherLine: number, otherColumn: number): number {
  return line - otherLine || column - otherColumn;
}

/**
 * The node at a selection: one the word at the cursor names, else the one with the smallest range around the
 * selection. Of several from one place (a loop's iterations) the one already selected stays. -1: none.
 */
export function nodeAt(trace: Trace, place: Place, selected: number): number {
  const named = place.word === null ? -1 : nodeNamed(trace, place, place.word, selected);
  if (named >= 0) return named;
  const paths = traceFiles(trace);
  const { sites } = trace;
  let best = -1;
  for (let site = 0; site < sites.n; site++) {
    if (paths[sites.file[site]] !== place.file || !encloses(trace, site, place)) continue;
    if (best < 0 || isInside(trace, site, best)) best = site;
  }
  return best < 0 ? -1 : nodeOfSite(trace, best, selected);
}

function encloses({ sites }: Trace, site: number, place: Place): boolean {
  return (
    compare(sites.line[site], sites.col[site], place.line, place.column) <= 0 &&
    compare(sites.endLine[site], sites.endCol[site], place.endLine, place.endColumn) >= 0
  );
}

/** Both enclose the selection, so the inner one begins later or ends earlier. */
function isInside({ sites }: Trace, site: number, other: number): boolean {
  return (
    compare(sites.line[site], sites.col[site], sites.line[other], sites.col[other]) >= 0 &&
    compare(sites.endLine[site], sites.endCol[site], sites.endLine[other], sites.endCol[other]) <= 0
  );
}

function nodeOfSite(trace: Trace, site: number, selected: number): number {
  if (selected >= 0 && selected < trace.nodes.n && trace.nodes.site[selected] === site) return selected;
  return trace.nodes.site.indexOf(site);
}

/** The last node of this name assigned at or before the line, in the place's file; of several there, the selected one. */
function nodeNamed(trace: Trace, place: Place, word: string, selected: number): number {
  const { nodes, sites, strings } = trace;
  const base = strings.indexOf(word);
  if (base < 0) return -1;
  const here = traceFiles(trace).map((path) => path === place.file);
  let best = -1;
  let bestLine = 0;
  for (let node = 0; node < nodes.n; node++) {
    const site = nodes.site[node];
    if (nodes.name[node] !== base || site < 0 || !here[sites.file[site]]) continue;
    const line = sites.line[site];
    if (line > place.line || line < bestLine || (line === bestLine && best === selected)) continue;
    best = node;
    bestLine = line;
  }
  return best;
}
