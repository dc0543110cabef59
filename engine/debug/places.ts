/** Where a node was made: the user's function instances and loop iterations around it, innermost first. */
import { siteRange, type SourceRange } from "../trace/read.js";
import { ScopeType, type Trace } from "../trace/trace.js";

/** One pass through a loop: "for i", iteration 3 (from 0, as in `s@3`). */
export interface LoopPass {
  readonly name: string;
  readonly iteration: number;
}

/** One frame of a stack: a function instance, and where in it. */
export interface Frame {
  /** scopes row of the function instance, 0: the graph function itself */
  readonly home: number;
  /** "square#2", or the graph's name */
  readonly name: string;
  /** loops around the place within this function, innermost first */
  readonly loops: readonly LoopPass[];
  /** regions (checkpoints, chains) around the place within this function, innermost first */
  readonly regions: readonly string[];
  /** null: no site was recorded */
  readonly place: SourceRange | null;
}

/** A helper that calls itself this deep is cut: nobody reads further, and a client asks for frames in pages. */
const DEEPEST = 1_000;

/**
 * Scopes row of the function instance around a scope; 0 for the graph function's own. (The loader gives the graph
 * function a scope without a call site; a graph of explicit calls has none.)
 */
export function homeOf({ scopes }: Trace, scope: number): number {
  let row = scope;
  while (row > 0 && scopes.type[row] !== ScopeType.function) row = scopes.parent[row];
  return row <= 0 || isGraphFunction(scopes, row) ? 0 : row;
}

function isGraphFunction(scopes: Trace["scopes"], row: number): boolean {
  return scopes.parent[row] <= 0 && scopes.site[row] < 0;
}

/** The stack at the place that made the node, innermost frame first. */
export function framesOf(trace: Trace, node: number): Frame[] {
  return framesAt(trace, trace.nodes.scope[node], trace.nodes.site[node]);
}

/** The stack at a site within a scope. */
export function framesAt(trace: Trace, scope: number, site: number): Frame[] {
  const { scopes, strings, header } = trace;
  const frames: Frame[] = [];
  let row = scope;
  let at = site;
  while (frames.length < DEEPEST) {
    const loops: LoopPass[] = [];
    const regions: string[] = [];
    for (; row > 0 && scopes.type[row] !== ScopeType.function; row = scopes.parent[row]) {
      const name = strings[scopes.name[row]];
      if (scopes.type[row] === ScopeType.loop) loops.push({ name, iteration: scopes.iteration[row] });
      else if (scopes.type[row] === ScopeType.region) regions.push(name);
    }
    const home = row <= 0 || isGraphFunction(scopes, row) ? 0 : row;
    const name =
      home === 0 ? header.options.graph : `${strings[scopes.name[home]]}#${scopes.iteration[home]}`;
    frames.push({ home, name, loops, regions, place: siteRange(trace, at) });
    if (home === 0) break;
    at = scopes.site[home];
    row = scopes.parent[home];
  }
  return frames;
}

/** The innermost loop's iteration around a node, across function calls; -1 outside loops. */
export function iterationOf({ scopes, nodes }: Trace, node: number): number {
  for (let row = nodes.scope[node]; row > 0; row = scopes.parent[row])
    if (scopes.type[row] === ScopeType.loop) return scopes.iteration[row];
  return -1;
}

/** "square#2, for i, iteration 3": how a frame is listed. */
export function frameTitle({ name, loops, regions }: Frame): string {
  const passes = [...loops].reverse().map((loop) => `${loop.name}, iteration ${loop.iteration}`);
  return [name, ...[...regions].reverse(), ...passes].join(", ");
}

/** True where `home` is the function instance itself or one it called. */
export function isWithin(trace: Trace, scope: number, home: number): boolean {
  if (home === 0) return true;
  const { scopes } = trace;
  for (let row = scope; row > 0; row = scopes.parent[row]) if (row === home) return true;
  return false;
}
