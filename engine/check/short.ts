/** How a difference quotient is written: no digit that its error has eaten. Apart, so that printing it loads no engine. */
import type { Quotient } from "./quotients.js";

/** A quotient to the digits that its error leaves. */
export function short({ value, error }: Quotient): string {
  if (error === 0 || value === 0 || !Number.isFinite(value)) return String(value);
  const digits = Math.floor(Math.log10(Math.abs(value) / error));
  return String(Number(value.toPrecision(Math.min(10, Math.max(2, digits)))));
}
