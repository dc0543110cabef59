/** At which nodes the accumulation in use overwrites instead of adding. */
import { nodeName } from "../engine/trace/read.js";
import { NodeKind, type Trace } from "../engine/trace/trace.js";

export function isLastWriter(trace: Trace): boolean {
  return /^last-writer-wins(:|$)/.test(trace.header.options.accumulation);
}

/** Plain last-writer-wins overwrites at intermediates, `:all` at inputs too, `:NAME` at the nodes of that name. */
export function overwrites(trace: Trace): (node: number) => boolean {
  if (!isLastWriter(trace)) return () => false;
  const { accumulation } = trace.header.options;
  const colon = accumulation.indexOf(":");
  if (colon < 0) return (node) => trace.nodes.kind[node] !== NodeKind.input;
  const where = accumulation.slice(colon + 1);
  return where === "all" ? () => true : (node) => nodeName(trace, node) === where;
}
