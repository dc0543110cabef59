/** The replay contract where a replay writes another row than the first run: a constant, an operation, their number. */
import { numberText, type ContractPoint, type ReplayMismatch } from "../replay/mismatch.js";
import { ulpsApart } from "../sweep/spread.js";
import { placeOf } from "../tape/sites.js";
import { about, short, where, type Replayed } from "./contract-words.js";
import type { RowDifference } from "./replay-step.js";

/**
 * What a row tells that no decision and no draw explains.
 *
 * @param rounded the replay rounds to another format than the first run
 */
export function otherRow(
  what: Replayed,
  { kind, node, site, text, first, now, array }: RowDifference,
  rounded: boolean,
): ReplayMismatch {
  const format = kind === "constant" && rounded;
  const point: ContractPoint = format ? "format" : array ? "write" : "state";
  const expression = placeOf(site)?.expression;
  const at = expression === undefined ? text : `${text} ("${short(expression)}")`;
  const hint = format
    ? "the replay rounds to another format"
    : array
      ? "an array the step reads was written to between the runs"
      : "a variable outside the step has changed since, such as one that every run updates: pass it on in the state, or keep it in a runningState(...)";
  const message =
    kind === "constant"
      ? `the replay of ${where(what)} reads another constant at ${at}: ${numberText(now)}, in the first run ${numberText(first)}; ${hint}`
      : `${where(what)} is replayed as another program: ${text}; a step must do the same whenever it runs`;
  return {
    ...about(what, point, node, site),
    message,
    ...(kind === "constant" ? { first, replay: now, ulps: ulpsApart(now, first, "f64") } : {}),
  };
}
