/** What a run that stopped before its sweep left to be seen. */
import { NodeKind, type Trace } from "../../engine/trace/trace.js";
import { plural } from "./format.js";

/** "The run stopped after 1,234 operations; the first 300 are shown, none is swept." */
export function stoppedText(trace: Trace): string {
  const { kind, n } = trace.nodes;
  let inputs = 0;
  for (let node = 0; node < n; node++)
    if (kind[node] === NodeKind.input || kind[node] === NodeKind.parameter) inputs++;
  const all = trace.header.recorded - inputs;
  const some = n - inputs;
  if (all <= 0) return "The run stopped before its first operation.";
  const shown =
    some < all
      ? `the first ${some.toLocaleString("en")} are shown`
      : all === 1
        ? "it is shown"
        : "all of them are shown";
  return `The run stopped after ${plural(all, "operation")}; ${shown}, not swept.`;
}
