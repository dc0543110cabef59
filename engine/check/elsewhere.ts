/**
 * A graph function that throws where the check evaluates it, beside the point it was asked about: `Array(n)` takes 3 and not
 * 3.0001. That is no fault of the function at its own point, and no derivative is shown wrong by it; nothing can be compared.
 */
import { BacksweepError } from "../trace/failure.js";
import type { InputLayout } from "./point.js";

/** Values named in a message at most. */
const MOST_NAMED = 3;

/** True for what the function itself threw, or did wrong; an end that was asked for is none of that. */
export function isOfFunction(error: unknown): boolean {
  return !(error instanceof BacksweepError) || error.kind === "definition" || error.kind === "option";
}

/** What is told of it: where it threw, what it was asked about, and what it threw. */
export function elsewhereText(
  layout: InputLayout,
  x: Float64Array,
  start: Float64Array,
  error: unknown,
): string {
  const { here, there } = pointTexts(layout, x, start);
  return (
    `at ${here}, a point of the check's own beside ${there}, the graph function throws ` +
    `${thrownText(error)}: no difference quotient can be taken, nothing is compared`
  );
}

/** What differs between two points, as "x = 2.03, y = 2.02" and "x = 2, y = 2"; of many inputs the first few. */
export function pointTexts(
  layout: InputLayout,
  x: Float64Array,
  start: Float64Array,
): { here: string; there: string } {
  const here: string[] = [];
  const asked: string[] = [];
  for (let i = 0; i < x.length && here.length <= MOST_NAMED; i++) {
    if (Object.is(x[i], start[i])) continue;
    here.push(`${layout.label(i)} = ${x[i]}`);
    asked.push(`${layout.label(i)} = ${start[i]}`);
  }
  const list = (all: readonly string[]): string =>
    `${all.slice(0, MOST_NAMED).join(", ")}${all.length > MOST_NAMED ? ", ..." : ""}`;
  return { here: list(here), there: list(asked) };
}

function thrownText(error: unknown): string {
  if (error instanceof BacksweepError) return error.message;
  return error instanceof Error ? `${error.name}: ${error.message}` : "what is no Error";
}
