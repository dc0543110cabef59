/** The graph as a tree: outputs at the root, a node's children are its operands. A node used twice stands twice. */
import type { Timeline } from "../timeline/timeline.js";
import { firstEdge, nodeExpression, nodeName } from "../trace/read.js";
import type { Trace } from "../trace/trace.js";
import { isInput } from "./overwrites.js";
import { cotangent, primal } from "./quantity.js";
import { plural, short } from "./text/format.js";

/** Nodes that are outputs, each once, in the order of the outputs. */
export function outputNodes(trace: Trace): number[] {
  return Array.from(new Set(trace.header.outputs.map(({ node }) => node).filter((node) => node >= 0)));
}

/** Operands of a node that are nodes, in slot order; the same node in two slots is there once. */
export function operandsOf(trace: Trace, node: number): number[] {
  const out = new Set<number>();
  for (let edge = firstEdge(trace, node); edge < trace.edges.n && trace.edges.to[edge] === node; edge++)
    out.add(trace.edges.from[edge]);
  return Array.from(out);
}

/** The child whose contribution came first: under it a node is at home, under others it is repeated. */
export function firstChild(timeline: Timeline, node: number): number {
  return timeline.slots(node) === 0 ? -1 : timeline.arrivals(node)[0].child;
}

/**
 * The nodes from an output down to this one, each the first child of the next; null where no output depends on it or the
 * way is longer than `limit`.
 */
export function wayTo(timeline: Timeline, node: number, limit: number): number[] | null {
  const roots = new Set(outputNodes(timeline.trace));
  const way = [node];
  for (let at = node; !roots.has(at); way.push(at)) {
    at = firstChild(timeline, at);
    if (at < 0 || way.length >= limit) return null;
  }
  return way.reverse();
}

export interface OperandText {
  readonly label: string;
  readonly description: string;
}

/** "a = x * y" and "= 6, ∂ 42, 2 uses"; `wrong`: what is said of its cotangent where that is not the right one. */
export function operandText(
  timeline: Timeline,
  node: number,
  repeated: boolean,
  wrong: string | null = null,
): OperandText {
  const { trace } = timeline;
  const name = nodeName(trace, node);
  const expression = nodeExpression(trace, node);
  const label = name === null ? expression : isInput(trace, node) ? name : `${name} = ${expression}`;
  const bar = trace.header.complete ? `, ∂ ${wrong ?? short(cotangent(timeline, node))}` : "";
  const children = new Set(timeline.arrivals(node).map(({ child }) => child)).size;
  const uses = children > 1 ? `, ${plural(children, "use")}` : "";
  const again = repeated ? ", repeated" : "";
  return { label, description: `= ${short(primal(trace, node))}${bar}${uses}${again}` };
}
