/** Cut notes: a traced number was used where only its primal counts. */
import { activeRecorder } from "../../ops/recorder.js";
import { placeOf } from "../../tape/sites.js";
import { type TracedNumber, idOf, primal } from "../../tape/traced.js";

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
  const what = named ? expressionAt(site) : "a traced number";
  activeRecorder()?.note("cut", idOf(x), site, `${what} is ${how} here: no derivative flows`);
  return primal(x);
}

/** The same where the site is that of a call, whose text says nothing about the operand. */
export function cutInCall(x: TracedNumber, site: number, how: string): number {
  activeRecorder()?.note("cut", idOf(x), site, `a traced number is ${how} here: no derivative flows`);
  return primal(x);
}
