/** What a query can be asked about: outside a running graph only, or graphs of scalars only. */
import type { FlatTape } from "../sweep/flat.js";
import { activeRecorder } from "../ops/recorder.js";
import { call } from "../tape/callsite.js";
import { BacksweepError } from "../trace/failure.js";

/** Throws `no-rule` at the graph's place for a recording with n-d arrays in it. */
export function scalarsOnly(flat: FlatTape, query: string, site: number): void {
  if (flat.arrays === null) return;
  throw new BacksweepError(
    "no-rule",
    `${query} is for graphs of scalars: this one has n-d arrays (a plain array of numbers is fine as an input)`,
    site,
  );
}

/** Throws `definition` at the call's place while a graph function runs: the query answers with plain numbers. */
export function outsideOnly(query: string): void {
  if (activeRecorder() === null) return;
  throw new BacksweepError(
    "definition",
    `${query}() inside a graph would not be recorded: use gradient, valueAndGradient, jvp or vjp there, which are`,
    call.site,
  );
}
