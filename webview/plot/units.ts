/** Numbers beside a drawing. */
import { tinyNumber } from "../../engine/report/text/number.js";

const prefixes = ["B", "kB", "MB", "GB", "TB"] as const;

/** "48 B", "12.5 kB": decimal units, at most three digits. */
export function bytesText(bytes: number): string {
  let power = 0;
  let value = bytes;
  while (value >= 1000 && power < prefixes.length - 1) {
    value /= 1000;
    power++;
  }
  const digits = power === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${prefixes[power]}`;
}

export function countText(count: number | string): string {
  if (typeof count === "number") return count.toLocaleString("en");
  // beyond the safe integers: grouped by hand
  return count.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1.3e-8": for errors and steps. */
export function tiny(value: number): string {
  return Number.isFinite(value) ? tinyNumber(value) : String(value);
}

/** "0.34 s", "12 ms" */
export function secondsText(seconds: number): string {
  return seconds >= 1 ? `${seconds.toFixed(2)} s` : `${(seconds * 1000).toFixed(seconds < 0.01 ? 2 : 0)} ms`;
}
