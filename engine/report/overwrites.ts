/** What the accumulation mode of a sweep does at a node. */
import { nodeName } from "../trace/read.js";
import { NodeKind, type Trace } from "../trace/trace.js";

/** True where the sweep was run in one of the modes that lose contributions. */
export function isLastWriterWins(trace: Trace): boolean {
  return trace.header.options.accumulation.startsWith("last-writer-wins");
}

/** True where this sweep keeps only the last contribution into the node. */
export function overwrites(trace: Trace, node: number): boolean {
  const mode = trace.header.options.accumulation;
  if (mode === "last-writer-wins:all") return true;
  if (mode === "last-writer-wins") return !isInput(trace, node);
  if (!mode.startsWith("last-writer-wins:")) return false;
  return nodeName(trace, node) === mode.slice("last-writer-wins:".length);
}

/** True of what a graph is given: its inputs and parameters. */
export function isInput(trace: Trace, node: number): boolean {
  const kind = trace.nodes.kind[node];
  return kind === NodeKind.input || kind === NodeKind.parameter;
}
