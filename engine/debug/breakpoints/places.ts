/** Where a sweep can stop: positions with the node in focus, ascending, the forward part first. */
import type { Debuggee } from "../debuggee.js";
import { homeOf } from "../places.js";
import { NodeKind } from "../../trace/trace.js";

/** Places as columns, because a line of a loop has one for every pass. */
export interface Places {
  readonly n: number;
  readonly position: Int32Array;
  readonly focus: Int32Array;
  /** places before this index lie in the forward part */
  readonly forward: number;
}

export function placesOf(
  list: readonly { readonly position: number; readonly focus: number }[],
  forwardSteps: number,
): Places {
  return sorted(
    list.map(({ position }) => position),
    list.map(({ focus }) => focus),
    forwardSteps,
  );
}

function sorted(positions: readonly number[], focuses: readonly number[], forwardSteps: number): Places {
  const n = positions.length;
  // one key a place, position first: typed arrays sort as numbers, a hundred thousand in some milliseconds
  const keys = new Float64Array(n);
  for (let i = 0; i < n; i++) keys[i] = positions[i] * n + i;
  keys.sort();
  const position = new Int32Array(n);
  const focus = new Int32Array(n);
  let forward = 0;
  for (let i = 0; i < n; i++) {
    const at = keys[i] % n;
    position[i] = positions[at];
    focus[i] = focuses[at];
    if (position[i] < forwardSteps) forward++;
  }
  return { n, position, focus, forward };
}

/** Index of the first place at or after a position. */
export function firstFrom({ position, n }: Places, from: number): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (position[middle] < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Where the nodes of some kind begin and end: before each is evaluated, and when each is final, before it propagates.
 *
 * @param newStop of a node that is evaluated: false where it belongs to a stop made before
 */
export function placesOfNodes(
  { timeline, trace }: Debuggee,
  wanted: (node: number) => boolean,
  newStop: (node: number) => boolean = () => true,
): Places {
  const position: number[] = [];
  const focus: number[] = [];
  for (let node = 0; node < trace.nodes.n; node++) {
    if (!wanted(node)) continue;
    const evaluated = timeline.evaluationStep(node);
    if (evaluated >= 1 && newStop(node)) {
      position.push(evaluated - 1);
      focus.push(node);
    }
    const final = timeline.finalStep(node);
    if (final < 0) continue;
    position.push(final);
    focus.push(node);
  }
  return sorted(position, focus, timeline.forwardSteps);
}

/**
 * The operations of a line (or of a column's operation on it). A statement stops once, before its first operation is
 * evaluated, however many operations it has; in the sweep every node of the line stops when it is final.
 */
export function placesOfLine(debuggee: Debuggee, file: number, line: number, column: number | null): Places {
  const { trace } = debuggee;
  const { sites, nodes } = trace;
  const chosen = new Uint8Array(sites.n);
  for (let site = 0; site < sites.n; site++) {
    if (sites.file[site] !== file || sites.line[site] !== line) continue;
    if (column === null || sites.col[site] === column) chosen[site] = 1;
  }
  // the line each scope was in last: a call made within the statement does not begin it anew
  const lineOf = new Int32Array(trace.scopes.n + 1);
  const wanted = (node: number): boolean => nodes.site[node] >= 0 && chosen[nodes.site[node]] === 1;
  const stop = new Uint8Array(nodes.n);
  for (let node = 0; node < nodes.n; node++) {
    const site = nodes.site[node];
    if (site < 0 || nodes.kind[node] === NodeKind.input) continue;
    const scope = nodes.scope[node] + 1;
    const at = sites.line[site];
    if (lineOf[scope] !== at || column !== null) stop[node] = 1;
    lineOf[scope] = at;
  }
  return placesOfNodes(debuggee, wanted, (node) => stop[node] === 1);
}

/** Every use of a primitive. */
export function placesOfPrimitive(debuggee: Debuggee, name: string): Places {
  const { trace } = debuggee;
  const op = trace.strings.indexOf(name);
  return placesOfNodes(debuggee, (node) => op >= 0 && trace.nodes.op[node] === op);
}

/** Every call of a function of the user's: before its first evaluation, and where the sweep comes into it. */
export function placesOfFunction(debuggee: Debuggee, name: string): Places {
  const { trace, timeline } = debuggee;
  const { scopes } = trace;
  const list: { position: number; focus: number }[] = [];
  for (let scope = 1; scope < scopes.n; scope++) {
    if (homeOf(trace, scope) !== scope || trace.strings[scopes.name[scope]] !== name) continue;
    let first = -1;
    let entry = -1;
    for (const node of debuggee.nodesOf(scope)) {
      if (first < 0 && timeline.evaluationStep(node) >= 1) first = node;
      if (timeline.finalStep(node) < 0) continue;
      if (entry < 0 || timeline.finalStep(node) < timeline.finalStep(entry)) entry = node;
    }
    if (first >= 0) list.push({ position: timeline.evaluationStep(first) - 1, focus: first });
    if (entry >= 0) list.push({ position: timeline.finalStep(entry), focus: entry });
  }
  return placesOf(list, timeline.forwardSteps);
}

/** Every change of a node's cotangent: the seed, and each contribution that arrives. */
export function placesOfCotangent({ timeline }: Debuggee, node: number): Places {
  const list: { position: number; focus: number }[] = [];
  if (timeline.seed(node) !== undefined) list.push({ position: timeline.forwardSteps, focus: node });
  for (let i = 0; i < timeline.slots(node); i++)
    list.push({ position: timeline.stepOfEdge(timeline.arrivalEdgeAt(node, i)), focus: node });
  return placesOf(list, timeline.forwardSteps);
}

/** Every time something is put into a checkpoint slot, taken from it, or the slot is freed. */
export function placesOfSlot(debuggee: Debuggee, slot: number): Places {
  const list = debuggee.slots.stepsOf(slot).map((position) => ({ position, focus: -1 }));
  return placesOf(list, debuggee.timeline.forwardSteps);
}
