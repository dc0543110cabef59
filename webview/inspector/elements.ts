/** The elements of a node's arrays: a table whose cells carry a bar as long as the element is large, and the extremes. */
import { h } from "../dom.js";
import { elementGrid, shownText } from "../model/elements.js";
import type { NodeFacts } from "../../engine/report/facts.js";
import { isArray, isKnown, type AnyArray, type ArrayQuantity } from "../../engine/report/quantity.js";
import { notFinite, spokenArray, UNKNOWN } from "../../engine/report/text/array-text.js";
import { full, short } from "../../engine/report/text/format.js";
import { fullNumber, shortNumber, tinyNumber } from "../../engine/report/text/number.js";
import { quantityNode } from "./quantity-node.js";

/** Value and cotangent of an array node; nothing for scalars and before there is anything. */
export function elementFigures(facts: NodeFacts): HTMLElement[] {
  const out: HTMLElement[] = [];
  if (facts.evaluated && isArray(facts.value)) out.push(figure("value", facts.title, facts.value));
  if (isArray(facts.cotangent)) {
    const what = facts.status === "final" ? "cotangent" : "cotangent so far";
    out.push(figure(what, facts.title, facts.cotangent));
  }
  return out;
}

function figure(what: string, title: string, array: AnyArray): HTMLElement {
  const heading = h("p", { title: full(array) }, `${what} `);
  heading.append(h("span", { class: "mono" }, quantityNode(array, short(array))));
  const box = h("div", { class: "elements" }, heading);
  if (!isKnown(array)) {
    box.append(h("p", { class: "dim" }, UNKNOWN));
    return box;
  }
  box.append(h("p", { class: "dim" }, statistics(array)));
  if (array.size === 0) return box;
  const grid = elementGrid(array);
  const table = h(
    "table",
    { class: "element-table" },
    h("caption", { class: "hidden" }, `Elements of the ${what} of ${title}: ${spokenArray(array)}`),
  );
  if (grid.columns.length > 0) {
    const heads = grid.columns.map((column) => h("th", { scope: "col" }, column));
    const more = grid.wider && h("td", { "aria-hidden": "true" });
    table.append(h("thead", {}, h("tr", {}, h("td"), ...heads, more)));
  }
  const body = h("tbody");
  for (const { label, cells } of grid.rows) {
    const row = h("tr", {}, h("th", { scope: "row" }, label));
    for (const at of cells) row.append(at < 0 ? h("td", {}, "…") : cell(array, at, grid.largest));
    if (grid.wider) row.append(h("td", { class: "more" }, "…"));
    body.append(row);
  }
  table.append(body);
  box.append(table, h("p", { class: "dim" }, shownText(array, grid)));
  return box;
}

/** The bar starts at the left for a positive element, at the right for a negative one. */
function cell({ data }: ArrayQuantity, at: number, largest: number): HTMLElement {
  const x = data[at];
  const finite = Number.isFinite(x);
  const sign = !finite ? " is-nonfinite" : x < 0 ? " is-negative" : "";
  const element = h("td", { class: `element${sign}`, title: fullNumber(x) }, tinyNumber(x));
  const part = finite && largest > 0 ? Math.abs(x) / largest : 0;
  element.style.setProperty("--part", `${(part * 100).toFixed(1)}%`);
  return element;
}

/** "min -0.7, max 0.9, mean 0.2333", and how many are not finite */
function statistics(array: ArrayQuantity): string {
  const { min, max, mean, size } = array;
  if (size === 0) return "no elements";
  const range = min <= max ? `min ${shortNumber(min)}, max ${shortNumber(max)}, ` : "";
  return `${range}mean ${shortNumber(mean)}${notFinite(array)}`;
}
