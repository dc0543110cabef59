/** Cut notes: a traced number was used where only its primal counts. */
import { activeRecorder, type Recorder } from "../../ops/recorder.js";
import { placeOf } from "../../tape/sites.js";
import { OP_CUT } from "../../tape/tape.js";
import { type TracedNumber, idOf, primal, tapeOf } from "../../tape/traced.js";

const LONGEST = 40;

/** How the source writes what stands at a site, shortened. */
export function expressionAt(site: number): string {
  const text = placeOf(site)?.expression.replace(/\s+/g, " ").trim() ?? "";
  if (text === "") return "a traced number";
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

/**
 * Notes that `x` is cut at `site`; `how` completes "... is used". Answers the primal.
 *
 * @param named the site's text is that of the operand itself
 */
export function cut(x: TracedNumber, site: number, how: string, named = true): number {
  note(x, site, () => (named ? expressionAt(site) : "a traced number"), how);
  return primal(x);
}

/** The same where the site is that of a call, whose text says nothing about the operand. */
export function cutInCall(x: TracedNumber, site: number, how: string): number {
  note(x, site, () => "a traced number", how);
  return primal(x);
}

/** True for what a cut made. */
function isCut({ lean, store }: Recorder, x: TracedNumber): boolean {
  // a recording with a cut in it is in lean memory no more
  return lean === null && tapeOf(x) === store && store.opAt(idOf(x)) === OP_CUT;
}

/** Nothing is lost behind a cut that was asked for. */
function note(x: TracedNumber, site: number, what: () => string, how: string): void {
  const recorder = activeRecorder();
  if (recorder === null || isCut(recorder, x)) return;
  recorder.note("cut", idOf(x), site, `${what()} is ${how} here: no derivative flows`);
}
