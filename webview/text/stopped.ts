/** What a run that stopped before its sweep left to be seen. */
import type { Trace } from "../../engine/trace/trace.js";
import { plural } from "../../engine/report/text/format.js";

/** "The run stopped after 5,000 operations (5,002 nodes with the inputs); the first 2,000 nodes are kept, not swept." */
export function stoppedText(trace: Trace): string {
  const { n } = trace.nodes;
  const { recorded } = trace.header;
  // from the header: of many inputs not all need be among the nodes that are kept
  const inputs = trace.header.inputs.reduce((sum, { tensor, count }) => sum + (tensor ? 1 : count), 0);
  const all = recorded - inputs;
  if (all <= 0) return "The run stopped before its first operation.";
  // the page counts nodes everywhere else, so what is kept of them is said in nodes
  const nodes = inputs === 0 ? "" : ` (${plural(recorded, "node")} with the inputs)`;
  const kept = n < recorded ? `the first ${plural(n, "node")} are kept` : "all are kept";
  return `The run stopped after ${plural(all, "operation")}${nodes}; ${kept}, not swept.`;
}
