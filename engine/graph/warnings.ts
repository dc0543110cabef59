/**
 * What makes a derivative wrong and nothing in the answer shows, as a program that asks for derivatives hears of it.
 *
 * A traced number that leaves the tape (a store into a typed array, an index, `Math.fround`, JSON) makes a gradient wrong by
 * omission: a *cut*. And in a file that was not loaded by Backsweep, `x === 0` on a traced number looks at an object. A run
 * says so in its notes; a query answers with plain numbers, which have no room for it, so it tells a listener.
 */
import { call } from "../tape/callsite.js";
import type { Remark } from "../report/report.js";
import { BacksweepError } from "../trace/failure.js";
import { makeNote } from "./notes.js";
import { plainBranches, type PlainBranch } from "./plain-branches.js";

/** Hears of a warning; what it throws the query throws. */
export type WarningListener = (warning: Remark) => void;

/** Places that have been told are kept up to this number; further ones are not told by default. */
const MOST_PLACES = 1_000;

const told = new Set<string>();
const LEFT_OUT = ", so the derivative leaves this path out (stopGradient says that it is meant)";

/** On the console, once a place, as a program's own warnings are: a training loop asks a thousand times. */
function warn({ code, file, line, column, message }: Remark): void {
  const text = file === null ? message : `${file}:${line}:${column}: ${message}`;
  if (code === "cut") {
    // how often a place was met may differ from query to query
    const key = text.replace(/ \(\d+ times\)$/, "");
    if (told.has(key) || told.size >= MOST_PLACES) return;
    told.add(key);
  }
  const { console } = globalThis as { readonly console?: { warn(text: string): void } };
  console?.warn(`backsweep: ${text}${code === "cut" ? LEFT_OUT : ""}`);
}

let listener: WarningListener = warn;

/**
 * Says who hears of warnings, in place of the console: of cuts that nobody asked for (code "cut"), once a place; and, in
 * plain Node, of branches on a traced number that look at the object (code "identity"). Each query tells its own; the console
 * is told of a place, or a function, once. A listener that throws makes the query throw, so that no derivative with a cut in it is ever answered:
 *
 *     onWarning(({ message }) => { throw new Error(message); });
 *
 * What `stopGradient` cuts off, and what goes into a `runningState`, is meant and not told.
 *
 * @throws BacksweepError "definition" for what is no function
 * @returns puts the listener back that was there before
 */
export function onWarning(next: WarningListener): () => void {
  if (typeof next !== "function")
    throw new BacksweepError("definition", "onWarning takes a function: onWarning(({ message }) => ...)");
  const before = listener;
  listener = next;
  return () => {
    listener = before;
  };
}

/** Tells of the cuts among a recording's notes. */
export function tellCuts(notes: readonly Remark[]): void {
  for (const note of notes) if (note.code === "cut" && note.chosen !== true) listener(note);
}

/** What the texts of functions hold, and which of them the console has heard of. */
const branchesOf = new WeakMap<object, readonly PlainBranch[]>();
const heard = new WeakSet<object>();

/** Functions of ours, which may be differentiated as they are: what they look at is no mistake. */
const ours = new WeakSet<object>();

export function trustOwn(functions: Iterable<object>): void {
  for (const fn of functions) ours.add(fn);
}

/** Tells of branches on traced numbers in a function that the loader has not rewritten. */
export function tellPlainBranches(fn: unknown): void {
  // a rewritten program has said where it is
  if (call.site >= 0 || typeof fn !== "function" || ours.has(fn)) return;
  let branches = branchesOf.get(fn);
  if (branches === undefined) branchesOf.set(fn, (branches = plainBranches(fn)));
  if (branches.length === 0) return;
  if (listener === warn) {
    if (heard.has(fn)) return;
    heard.add(fn);
  }
  for (const { text, why } of branches) {
    const of = fn.name === "" ? "a function" : `the function ${fn.name}`;
    const message =
      `${text} in ${of} that was not loaded by Backsweep looks at the traced number as an object: ${why}. ` +
      "Load the file with `node --import backsweep/register`, or choose with where(c, a, b), max, min and clip";
    listener({ ...makeNote("cut", "warning", message, -1, -1), code: "identity" });
  }
}
