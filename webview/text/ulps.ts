/** A distance in units in the last place. */
import { tinyNumber } from "../../engine/report/text/number.js";

/** "1 ULP", "3,072 ULPs", "1.3e9 ULPs" */
export function ulpsText(ulps: number): string {
  if (Number.isNaN(ulps)) return "a number on one side only";
  const size = Number.isInteger(ulps) && ulps < 1e6 ? ulps.toLocaleString("en") : tinyNumber(ulps);
  return `${size} ${ulps === 1 ? "ULP" : "ULPs"}`;
}
