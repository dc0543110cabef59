/** The stacks of the two threads, and what a stop is called. */
import { basename } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Thread } from "../../engine/debug/cursor.js";
import { framesOf, frameTitle } from "../../engine/debug/places.js";
import { focusWords, nextWords } from "../../engine/debug/words.js";
import { tracePath } from "../places.js";
import type { FrameReference, References } from "./references.js";
import type { State } from "./state.js";

export const threads: readonly { readonly id: number; readonly name: string; readonly thread: Thread }[] = [
  { id: 1, name: "forward", thread: "forward" },
  { id: 2, name: "reverse sweep", thread: "reverse" },
];

export function threadId(thread: Thread): number {
  return thread === "forward" ? 1 : 2;
}

/** "a is final: 18 + 24 = 42. Next: c hands 48 to y: running sum 48 of 132" */
export function stopWords({ debuggee, cursor }: State): string {
  const begins = cursor.position === debuggee.timeline.forwardSteps;
  const now = begins ? "" : focusWords(debuggee, cursor.position, cursor.focus);
  const next = nextWords(debuggee, cursor.position);
  if (now === "") return next;
  return cursor.position < cursor.steps ? `${now}. Next: ${next}` : `${now}. ${next}`;
}

/** Frames of a thread from `start` on, and how many there are. */
export function stackOf(
  state: State,
  references: References,
  thread: Thread,
  start: number,
  levels: number,
): { stackFrames: DebugProtocol.StackFrame[]; totalFrames: number } {
  const focus = focusOf(state, thread);
  if (focus === null) return waitingFrame(state, references);
  const { trace } = state.debuggee;
  const frames = framesOf(trace, focus);
  const returned = thread === "forward" && state.cursor.thread === "reverse";
  const stackFrames = frames.slice(start, start + levels).map((frame, i): DebugProtocol.StackFrame => {
    const id = references.addFrame({ thread, focus, home: frame.home, top: start + i === 0 });
    const name = frameTitle(frame) + (returned && start + i === 0 ? " (evaluated)" : "");
    const { place } = frame;
    if (place === null) return { id, name, line: 0, column: 0, presentationHint: "subtle" };
    const path = tracePath(trace, place.file);
    return {
      id,
      name,
      source: { name: basename(path), path },
      line: place.line,
      column: Math.max(1, place.column),
      // an input stands at the whole definition: only its first line is marked
      ...(place.endLine === place.line ? { endLine: place.endLine, endColumn: place.endColumn } : {}),
    };
  });
  return { stackFrames, totalFrames: frames.length };
}

/** The frame at the top of the stack of the thread that the session stands in. */
export function topFrame({ cursor, debuggee }: State): FrameReference {
  const { thread, focus } = cursor;
  const home = focus < 0 ? 0 : (framesOf(debuggee.trace, focus)[0]?.home ?? 0);
  return { thread, focus, home, top: true };
}

/** The node a thread stands at; null: it has not begun. */
function focusOf({ cursor, debuggee }: State, thread: Thread): number | null {
  if (thread === cursor.thread) return cursor.focus < 0 ? null : cursor.focus;
  if (thread === "reverse") return null;
  for (let step = debuggee.timeline.forwardSteps; step >= 1; step--)
    if (debuggee.isEvaluation(step)) return debuggee.timeline.nodeAt(step);
  return null;
}

function waitingFrame(
  { debuggee }: State,
  references: References,
): { stackFrames: DebugProtocol.StackFrame[]; totalFrames: number } {
  const { timeline, trace } = debuggee;
  const name = trace.header.complete
    ? `begins after step ${timeline.forwardSteps} of ${timeline.steps}`
    : "never begins: the run stopped";
  const id = references.addFrame({ thread: "reverse", focus: -1, home: 0, top: false });
  return { stackFrames: [{ id, name, line: 0, column: 0, presentationHint: "label" }], totalFrames: 1 };
}
