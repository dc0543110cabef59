/** What stands beside a node in the source: its value and cotangent, and for a fan-out what was added up. */
import type { Timeline } from "../timeline/timeline.js";
import { nodeName } from "../trace/read.js";
import { factsOf } from "./facts.js";
import { cotangent, isArray, primal, type Quantity } from "./quantity.js";
import type { SiteIndex } from "./site-index.js";
import { plural, short, terms } from "./text/format.js";
import { lostValues, sumText } from "./text/sum.js";

/** One figure takes at least this many characters, so that new numbers seldom move the code behind them. */
const WIDTH = 6;

/** "6     ": blanks that the editor does not fold together. */
function figure(quantity: Quantity | undefined): string {
  return short(quantity).padEnd(WIDTH, "\u00A0");
}

/** "= 6       ∂ 42    ", older than the text "~ 6  ..."; `undefined` cotangent: no derivative flows, "unswept": none yet. */
export function hintText(
  value: Quantity | undefined,
  bar: Quantity | undefined | "unswept",
  stale: boolean,
): string {
  const mark = stale ? "~" : "=";
  const flows = bar === "unswept" ? "" : `\u00A0∂\u00A0${figure(bar)}`;
  return `${mark}\u00A0${figure(value)}${flows}`;
}

export interface NodeHint {
  readonly site: number;
  readonly node: number;
  readonly value: Quantity;
  readonly bar: Quantity | undefined | "unswept";
  /** which of the nodes made here this is, from 1, and how many there are */
  readonly instance: number;
  readonly of: number;
}

/** The hint at a site, or null where no variable is named; `near`: the selected node, -1 for none. */
export function hintAt(index: SiteIndex, timeline: Timeline, site: number, near: number): NodeHint | null {
  const { trace } = index;
  const i = index.choose(site, near);
  const node = index.node(site, i);
  if (nodeName(trace, node) === null) return null;
  const bar = trace.header.complete ? cotangent(timeline, node) : "unswept";
  return { site, node, value: primal(trace, node), bar, instance: i + 1, of: index.count(site) };
}

const FEW_TERMS = 4;

/** "2 uses: 18 + 24 = 42", of many "7 uses: 18 + 24 + 1 + … = 42"; null where fewer than two children pay in. */
export function fanOutText(timeline: Timeline, node: number): string | null {
  if (timeline.slots(node) < 2) return null;
  const facts = factsOf(timeline, node, timeline.steps);
  if (facts.uses < 2) return null;
  const uses = plural(facts.uses, "use");
  if (facts.overwrites)
    return `${uses}: ${short(facts.cotangent)}, ${plural(lostValues(facts).length, "contribution")} lost`;
  if (facts.parts.length <= FEW_TERMS || isArray(facts.cotangent)) return `${uses}: ${sumText(facts)}`;
  const first = terms(facts.parts.slice(0, FEW_TERMS - 1).map((part) => part.value));
  return `${uses}: ${first} + … = ${short(facts.cotangent)}`;
}
