/** What could be written next in an expression: names of nodes and functions that begin like the word at the cursor. */
import type { Debuggee } from "./debuggee.js";
import { callable, words } from "./expression/evaluate.js";

export interface Completion {
  readonly label: string;
  readonly kind: "node" | "function" | "word";
  /** the word it replaces: offset from 0, and length */
  readonly start: number;
  readonly length: number;
}

const MOST = 100;

/** @param offset of the cursor in the text, from 0 */
export function completionsAt({ names }: Debuggee, text: string, offset: number): Completion[] {
  const word = /[\p{L}_$][\p{L}\p{N}_$#.@[\]]*$/u.exec(text.slice(0, offset))?.[0] ?? "";
  const start = offset - word.length;
  const at = { start, length: word.length };
  const of = (label: string, kind: Completion["kind"]): Completion => ({ label, kind, ...at });
  const nodes = names.beginning(word, MOST).map((base) => of(base, "node"));
  const functions = callable.filter((name) => name.startsWith(word)).map((name) => of(name, "function"));
  const places = words.filter((name) => name.startsWith(word)).map((name) => of(name, "word"));
  return [...nodes, ...functions, ...places].slice(0, MOST);
}
