/** Colour where a person reads it: on a terminal, unless NO_COLOR asks for none. And the one way numbers are printed. */

import { displayWidth } from "./width.js";

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  accent(text: string): string;
}

const plain = (text: string): string => text;
const code =
  (open: number, close: number) =>
  (text: string): string =>
    text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`;

export const plainStyle: Style = {
  bold: plain,
  dim: plain,
  good: plain,
  bad: plain,
  warn: plain,
  accent: plain,
};
export const colourStyle: Style = {
  bold: code(1, 22),
  dim: code(2, 22),
  good: code(32, 39),
  bad: code(31, 39),
  warn: code(33, 39),
  accent: code(36, 39),
};

/** See no-color.org: the variable counts when it is set and not empty. */
export function styleFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return plainStyle;
  return stream.isTTY === true && env.TERM !== "dumb" ? colourStyle : plainStyle;
}

const SHOWN_DIGITS = 10;

/** A number to read: up to ten significant digits, -0 kept. */
export function show(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  if (Object.is(x, -0)) return "-0";
  if (Number.isInteger(x) && Math.abs(x) < 1e15) return String(x);
  return String(Number(x.toPrecision(SHOWN_DIGITS)));
}

/** A whole number with its thousands apart: `12,345`. The language's own formatting would load its tables first, 10 ms. */
export function grouped(n: number): string {
  return Number.isSafeInteger(n) ? String(n).replace(/\B(?=(?:\d{3})+$)/g, ",") : n.toLocaleString("en-US");
}

/** `3 uses`, `1 use` */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** Columns of equal width, right-aligned where asked; the last left-aligned column is not padded. Cells carry no colour. */
export function alignColumns(rows: readonly (readonly string[])[], right: readonly boolean[]): string[][] {
  const width = right.map((_, i) => Math.max(0, ...rows.map((row) => displayWidth(row[i] ?? ""))));
  return rows.map((row) =>
    row.map((cell, i) => {
      const pad = " ".repeat(Math.max(0, width[i] - displayWidth(cell)));
      if (right[i]) return pad + cell;
      return i === row.length - 1 ? cell : cell + pad;
    }),
  );
}
