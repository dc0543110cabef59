/** Whether a derivative and its difference quotient agree, and when that means nothing. */
import { unitInLastPlace } from "../ops/dtype.js";
import type { Dtype } from "../trace/trace.js";
import type { LineQuotients } from "./quotients.js";

/**
 * ok: they agree. failed: they do not. zero: both vanish, which a wrong rule would give too. unclear: the quotients do not
 * settle, or there are none. kink: the function is not differentiable here.
 */
export type Verdict = "ok" | "failed" | "zero" | "unclear" | "kink";

/** Distance from 1 to the next number of a format. */
export function epsilonOf(dtype: Dtype): number {
  return unitInLastPlace(dtype, 1);
}

/** Half the digits of the coarser format: what a derivative computed with roundings may be off by, relatively. */
export function relativeTolerance(dtype: Dtype, cotangentDtype: Dtype): number {
  return Math.max(1e-7, Math.sqrt(Math.max(epsilonOf(dtype), epsilonOf(cotangentDtype))));
}

/** The smallest normal number of a format: below it roundings are no longer relative. */
export function smallestNormal(dtype: Dtype): number {
  return unitInLastPlace(dtype, 0) / epsilonOf(dtype);
}

/** Errors of this part of the derivative leave nothing to compare. */
const UNSETTLED = 1e-3;
/** Times its own error that a quotient may be off. */
const TIMES = 4;

export interface Judged {
  readonly verdict: Verdict;
  readonly tolerance: number;
}

/**
 * @param derivative what is checked
 * @param relative tolerance relative to the derivative
 * @param absolute what counts as 0 beside the other derivatives
 * @param cut a traced number was turned into a plain one somewhere: a derivative that is missing for that may well agree
 *   with quotients over steps that are lost in what it was turned into, so that agreement excuses nothing
 */
export function judge(
  derivative: number,
  { central, kink, wild, sweep }: LineQuotients,
  relative: number,
  absolute: number,
  cut: boolean,
): Judged {
  if (central === null) return { verdict: "unclear", tolerance: Infinity };
  const size = Math.max(Math.abs(derivative), Math.abs(central.value));
  const tolerance = Math.max(TIMES * central.error, relative * size, absolute);
  const off = Math.abs(derivative - central.value);
  const settled = TIMES * central.error <= UNSETTLED * size;
  if (size <= Math.max(TIMES * central.error, absolute)) {
    // small beside the others, and told from 0 all the same
    if (kink === null && size > 0 && settled && off <= relative * size) return { verdict: "ok", tolerance };
    return { verdict: kink === null ? "zero" : "kink", tolerance };
  }
  if (kink !== null && off > relative * size) return { verdict: "kink", tolerance };
  if (off <= tolerance) {
    return { verdict: settled ? "ok" : "unclear", tolerance };
  }
  // where the function jumps there is no derivative to be wrong
  if (wild) return { verdict: "unclear", tolerance };
  if (cut) return { verdict: "failed", tolerance };
  // a sweep can settle by accident on a step that is too large: agreement at a smaller one, by its own error, excuses
  const elsewhere = sweep.some(
    ({ value, error, step }) =>
      step < central.step &&
      error < UNSETTLED * size &&
      Math.abs(derivative - value) <= TIMES * error + relative * size,
  );
  return { verdict: elsewhere ? "unclear" : "failed", tolerance };
}
