/** The table of who handed what: child, its cotangent × the local derivative, the contribution, and the sum. */
import type { Timeline } from "../../engine/timeline/timeline.js";
import { nodeTitle } from "../../engine/trace/read.js";
import { h } from "../dom.js";
import type { NodeFacts, Part, Slot } from "../../engine/report/facts.js";
import { cotangent, isArray, isKnown } from "../../engine/report/quantity.js";
import { shapeText } from "../../engine/report/text/array-text.js";
import { productOf } from "../../engine/report/contributions.js";
import { paidWords, sumText } from "../../engine/report/text/sum.js";
import { full, short, terms } from "../../engine/report/text/format.js";
import { quantityNode } from "./quantity-node.js";

/** Rows printed; of more parts the others are counted, and the last, which makes the sum, is always there. */
const PARTS = 40;

/** null where there is nothing to say (yet). */
export function contributionTable(
  timeline: Timeline,
  facts: NodeFacts,
  position: number,
  wrong: boolean,
): HTMLElement | null {
  if (facts.uses === 0 && facts.parts.length === 0) return null;
  const now = position > 0 && position <= timeline.steps ? timeline.edgeAt(position) : -1;
  const few =
    facts.parts.length <= PARTS ? facts.parts : [...facts.parts.slice(0, PARTS - 1), facts.parts.at(-1)!];
  const rows = few.map((part) => partRow(timeline, part, now));
  const between = facts.parts.length - few.length;
  if (between > 0)
    rows.splice(
      rows.length - 1,
      0,
      h("tr", { class: "owing" }, h("td", { colspan: 3 }, `and ${between.toLocaleString("en")} more`)),
    );
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
  if (facts.parts.length > 0) table.append(h("tfoot", {}, ...sumRows(facts, 3, wrong)));
  return table;
}

function name(text: string): HTMLElement {
  return h("bdi", { title: text }, text);
}

function partRow(timeline: Timeline, part: Part, now: number): HTMLElement {
  if (part.child < 0) {
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, part.title),
      h("td"),
      h("td", { class: "n", title: full(part.value) }, quantityNode(part.value)),
    );
  }
  const bar = cotangent(timeline, part.child);
  const slots = part.slots;
  const products = slots.map((slot) => productOf(timeline, slot));
  const same = products.every((product) => product === products[0]);
  const product =
    products[0] === "" && same
      ? ""
      : same
        ? `${products[0]}${slots.length > 1 ? `, ${slots.length} slots` : ""}`
        : products.join(", ");
  const classes = ["n", part.lost ? "lost" : "", slots.some((slot) => slot.edge === now) ? "now" : ""];
  const text = part.unknown ? "not seen" : slots.length > 1 ? slotsText(part) : slotText(slots[0]);
  const value = h("td", { class: classes.join(" ").trim(), title: full(part.value) }, text);
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name(part.title)),
    h(
      "td",
      {
        class: "n dim",
        title: product === "" || product.includes("not ") ? "" : `${full(bar)} × ${full(slots[0].local)}`,
      },
      product,
    ),
    value,
  );
}

/** A contribution, struck out where it is lost; with its payments where an engine paid several times. */
function slotText({ value, lost, payments }: Slot): Node {
  const several = payments.length > 1 && !payments.some(isArray);
  const text = h("span", {}, several ? `${terms(payments)} = ${short(value)}` : quantityNode(value));
  return lost
    ? h("span", { class: "lost" }, h("s", {}, text), h("span", { class: "hidden" }, " lost"))
    : text;
}

/** "6 + 6 = 12"; a line for each slot and one for what they come to where one is lost, of arrays, of several payments. */
function slotsText({ slots, value, lost }: Part): string | Node {
  const lines = slots.map((slot) =>
    h("div", {}, `slot ${slot.slot + 1}: `, slot.value === undefined ? "nothing" : slotText(slot)),
  );
  const gone = slots.some((slot) => slot.lost);
  const plain = !isArray(value) && !gone && slots.every((slot) => slot.value !== undefined);
  if (plain && slots.every(({ payments }) => payments.length < 2))
    return `${terms(slots.map((slot) => slot.value))} = ${short(value)}`;
  const stayed = slots.filter((slot) => !slot.lost && slot.value !== undefined).length;
  if (lost || (gone && stayed < 2) || stayed === 0) return h("div", {}, ...lines);
  const together = isArray(value) && !isKnown(value) ? MISSING : quantityNode(value);
  return h("div", {}, ...lines, h("div", {}, "together: ", together));
}

/** stands for a sum of arrays that cannot be formed here */
const MISSING = "kept: first elements only";

/**
 * "sum 18 + 24 = 42", at the foot of a table of so many columns; two rows where what was paid does not come to what is there.
 * @param wrong another sweep has the right one
 */
export function sumRows(facts: NodeFacts, columns: number, wrong: boolean): HTMLElement[] {
  const { cotangent: sum, addsUp, overwrites, status } = facts;
  const row = (label: string, text: string | Node, bad: boolean): HTMLElement =>
    h(
      "tr",
      { class: bad ? "total wrong" : "total" },
      h("th", { scope: "row" }, label),
      h("td", { colspan: columns - 1, class: "n", title: full(sum) }, text),
    );
  if (sum === undefined) return status === "final" ? [row("has", "not told", false)] : [];
  if (!addsUp) {
    const has = isArray(sum) && !isKnown(sum) ? `${shapeText(sum)} ${MISSING}` : quantityNode(sum);
    return [row("paid", paidWords(facts), false), row("has", has, true)];
  }
  const label = overwrites ? "last" : status === "final" ? "sum" : "so far";
  const text = isArray(sum)
    ? isKnown(sum)
      ? quantityNode(sum)
      : `${shapeText(sum)} ${MISSING}`
    : overwrites
      ? short(sum)
      : sumText(facts);
  return [row(label, text, overwrites || wrong)];
}
