/** Queries that answer with plain numbers, and so belong outside a running graph. */
import { activeRecorder } from "../ops/recorder.js";
import { call } from "../tape/callsite.js";
import { BacksweepError } from "../trace/failure.js";

/** Throws `definition` at the call's place while a graph function runs: the query answers with plain numbers. */
export function outsideOnly(query: string): void {
  if (activeRecorder() === null) return;
  throw new BacksweepError(
    "definition",
    `${query}() inside a graph would not be recorded: use gradient, valueAndGradient, jvp or vjp there, which are`,
    call.site,
  );
}
