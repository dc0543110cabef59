/** Where one can jump to from a line, and what one can step into. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { placesOfLine } from "../../engine/debug/breakpoints/places.js";
import type { Spot } from "../../engine/debug/cursor.js";
import { resolveLine } from "../../engine/debug/locations.js";
import { framesOf } from "../../engine/debug/places.js";
import { nodeExpression, nodeTitle, siteRange } from "../../engine/trace/read.js";
import type { State } from "./state.js";

/** Most targets that are offered: a line in a loop has two a pass. */
const MOST = 40;

export interface GotoTarget extends DebugProtocol.GotoTarget {
  readonly spot: Spot;
}

/** Before an operation of the line is evaluated, and where its node is final; of a loop the passes nearest to here. */
export function gotoTargets(state: State, path: string, line: number): GotoTarget[] {
  const { debuggee, cursor } = state;
  const { trace, timeline } = debuggee;
  const file = state.fileOf(path);
  const resolved = file < 0 ? null : resolveLine(trace, file, line).line;
  if (resolved === null) return [];
  const places = placesOfLine(debuggee, file, resolved, null);
  const spots: Spot[] = Array.from({ length: places.n }, (_, i) => ({
    position: places.position[i],
    focus: places.focus[i],
  }));
  const near = spots
    .sort((a, b) => Math.abs(a.position - cursor.position) - Math.abs(b.position - cursor.position))
    .slice(0, MOST)
    .sort((a, b) => a.position - b.position);
  return near.map((spot, i) => {
    const title = nodeTitle(trace, spot.focus);
    const passes = framesOf(trace, spot.focus)[0].loops.map(
      (loop) => ` (${loop.name}, iteration ${loop.iteration})`,
    );
    const forward = spot.position < timeline.forwardSteps;
    const what = forward ? `before ${title} is evaluated` : `${title} is final`;
    const place = siteRange(trace, trace.nodes.site[spot.focus]);
    return {
      id: i + 1,
      label: `${what}${passes[0] ?? ""}: step ${spot.position}`,
      line: place?.line ?? resolved,
      ...(place === null ? {} : { column: place.column, endColumn: place.endColumn, endLine: place.endLine }),
      spot,
    };
  });
}

export interface StepInTarget extends DebugProtocol.StepInTarget {
  /** the node whose evaluation is stepped into; -1: the replay that comes next */
  readonly node: number;
}

/** What the next step can be stepped into. */
export function stepInTargets({ debuggee, cursor }: State): StepInTarget[] {
  const { timeline, trace } = debuggee;
  const step = cursor.position + 1;
  if (step > cursor.steps) return [];
  const targets: { label: string; node: number }[] = [];
  if (debuggee.isAction(step)) targets.push({ label: "the replay, action by action", node: -1 });
  const edge = debuggee.isContribution(step) ? timeline.edgeAt(step) : -1;
  const nodes = edge < 0 ? [] : [trace.edges.to[edge], trace.edges.from[edge]];
  for (const node of nodes) {
    if (timeline.evaluationStep(node) < 1) continue;
    targets.push({ label: `evaluation of ${nodeTitle(trace, node)} = ${nodeExpression(trace, node)}`, node });
  }
  return targets.map((target, i) => ({ id: i + 1, ...target }));
}
