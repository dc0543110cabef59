/** The line of source a message is about, with a mark under the place. */
import type { Style } from "./style.js";
import { displayWidth } from "./width.js";

const WIDEST = 110;

/** Two lines, or nothing where the text has no such line. Line and columns from 1, end exclusive. */
export function excerpt(
  text: string,
  at: {
    readonly line: number;
    readonly column: number;
    readonly endLine: number;
    readonly endColumn: number;
  },
  style: Style,
): string {
  // a byte order mark is no part of the first line, and columns do not count it
  const line = text.replace(/^\uFEFF/, "").split(/\r\n|[\n\r\u2028\u2029]/, at.line)[at.line - 1];
  if (line === undefined || at.column < 1 || at.column > line.length + 1) return "";
  // a long line (minified code) is cut to the part around the place
  const wanted = at.column > WIDEST - 20 ? at.column - 40 : 1;
  // not between the halves of one sign
  const from = /^[\udc00-\udfff]/.test(line.slice(wanted - 1)) ? wanted + 1 : wanted;
  // a tab takes one column here; what else steers a terminal has no business on it
  // eslint-disable-next-line no-control-regex
  const shown = line.slice(from - 1, from - 1 + WIDEST).replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
  if (shown.trim() === "") return "";
  // what is cut off is said by dots, as wide as the signs they stand for
  const half = (at: number): boolean => /^[\udc00-\udfff]/.test(shown.slice(at));
  const head = from > 1 ? 3 + Number(half(3)) : 0;
  const tail =
    line.length > from - 1 + WIDEST ? shown.length - 3 - Number(half(shown.length - 3)) : shown.length;
  const framed =
    ".".repeat(displayWidth(shown.slice(0, head))) +
    shown.slice(head, tail) +
    (tail < shown.length ? "..." : "");
  const end = at.endLine === at.line ? at.endColumn : line.length + 1;
  const lead = displayWidth(shown.slice(0, at.column - from));
  const width = Math.max(
    1,
    displayWidth(shown.slice(at.column - from, Math.max(at.column - from, end - from))),
  );
  const number = String(at.line);
  const gutter = " ".repeat(number.length);
  return (
    `${style.dim(`  ${number} | `)}${framed}\n` +
    `${style.dim(`  ${gutter} | `)}${" ".repeat(lead)}${style.bad("^".repeat(width))}\n`
  );
}
