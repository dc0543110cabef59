/** The table of who handed what: child, its cotangent × the local derivative, the contribution, and the sum. */
import type { Timeline } from "../../engine/timeline/timeline.js";
import { nodeTitle } from "../../engine/trace/read.js";
import { h } from "../dom.js";
import type { NodeFacts, Part } from "../../engine/report/facts.js";
import { cotangent, isArray, isKnown } from "../../engine/report/quantity.js";
import { shapeText } from "../../engine/report/text/array-text.js";
import { productText } from "../../engine/report/contributions.js";
import { sumText } from "../../engine/report/text/sum.js";
import { full, short, terms } from "../../engine/report/text/format.js";
import { quantityNode } from "./quantity-node.js";

/** null where there is nothing to say (yet). */
export function contributionTable(
  timeline: Timeline,
  facts: NodeFacts,
  position: number,
): HTMLElement | null {
  if (facts.uses === 0 && facts.parts.length === 0) return null;
  const now = position > 0 && position <= timeline.steps ? timeline.edgeAt(position) : -1;
  const rows = facts.parts.map((part) => partRow(timeline, part, now, facts.overwrites));
  const waiting = facts.owing
    .filter((child) => !facts.parts.some((part) => part.child === child))
    .slice(0, 8)
    .map((child) =>
      h(
        "tr",
        { class: "owing" },
        h("th", { scope: "row" }, name(nodeTitle(timeline.trace, child))),
        h("td", { class: "n" }),
        h("td", { class: "n" }, "waiting"),
      ),
    );
  const more = facts.owing.length - waiting.length;
  const table = h(
    "table",
    { class: "contributions" },
    h("caption", { class: "hidden" }, `Contributions to the cotangent of ${facts.title}`),
    h(
      "thead",
      { class: "hidden" },
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "child"),
        h("th", { scope: "col" }, "its cotangent × local derivative"),
        h("th", { scope: "col" }, "contribution"),
      ),
    ),
    h("tbody", {}, ...rows, ...waiting),
  );
  if (more > 0 && waiting.length === 8) {
    table.tBodies[0].append(h("tr", { class: "owing" }, h("td", { colspan: 3 }, `and ${more} more`)));
  }
  if (facts.parts.length > 0) table.append(h("tfoot", {}, sumRow(facts, 3)));
  return table;
}

function name(text: string): HTMLElement {
  return h("bdi", { title: text }, text);
}

function partRow(timeline: Timeline, part: Part, now: number, overwrites: boolean): HTMLElement {
  if (part.child < 0) {
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, "seed"),
      h("td"),
      h("td", { class: "n", title: full(part.value) }, quantityNode(part.value)),
    );
  }
  const bar = cotangent(timeline, part.child);
  const slots = part.slots;
  const same = slots.every((slot) => Object.is(slot.local, slots[0].local));
  const products = slots.map((slot) => productText(bar, slot.local));
  const product =
    products[0] === ""
      ? ""
      : same
        ? `${products[0]}${slots.length > 1 ? `, ${slots.length} slots` : ""}`
        : products.join(", ");
  const classes = ["n", part.lost ? "lost" : "", slots.some((slot) => slot.edge === now) ? "now" : ""];
  const text = slots.length > 1 ? slotsText(part, overwrites) : quantityNode(part.value);
  const value = h(
    "td",
    { class: classes.join(" ").trim(), title: full(part.value) },
    part.lost ? h("s", {}, text) : text,
  );
  if (part.lost) value.append(h("span", { class: "hidden" }, " lost"));
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name(part.title)),
    h(
      "td",
      { class: "n dim", title: product === "" ? "" : `${full(bar)} × ${full(slots[0].local)}` },
      product,
    ),
    value,
  );
}

/** "6 + 6 = 12"; of arrays a line for each slot and one for what they come to. */
function slotsText({ slots, value }: Part, overwrites: boolean): string | Node {
  if (!isArray(value)) return `${terms(slots.map((slot) => slot.value))} = ${short(value)}`;
  const lines = slots.map((slot) => h("div", {}, `slot ${slot.slot + 1}: `, quantityNode(slot.value)));
  const together = isKnown(value) ? quantityNode(value) : MISSING;
  return h("div", {}, ...lines, h("div", {}, `${overwrites ? "the last" : "together"}: `, together));
}

/** stands for a sum of arrays that cannot be formed here */
const MISSING = "kept: first elements only";

/** "sum 18 + 24 = 42", at the foot of a table of so many columns. */
export function sumRow(facts: NodeFacts, columns: number): HTMLElement {
  const label = facts.overwrites ? "last" : facts.status === "final" ? "sum" : "so far";
  const sum = facts.cotangent;
  const text = isArray(sum)
    ? isKnown(sum)
      ? quantityNode(sum)
      : `${shapeText(sum)} ${MISSING}`
    : facts.overwrites
      ? short(sum)
      : sumText(facts);
  return h(
    "tr",
    { class: facts.overwrites ? "total wrong" : "total" },
    h("th", { scope: "row" }, label),
    h("td", { colspan: columns - 1, class: "n", title: full(sum) }, text),
  );
}
