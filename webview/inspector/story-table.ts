/**
 * The table of the editor's hover, at the step of the view: who handed what to a node, one row an operand slot, with its
 * share of all and the sum once it has arrived; then who still owes.
 */
import { contributionRows, type ContributionRow } from "../../engine/report/contributions.js";
import type { NodeFacts } from "../../engine/report/facts.js";
import type { Quantity } from "../../engine/report/quantity.js";
import { full, terms } from "../../engine/report/text/format.js";
import type { Timeline } from "../../engine/timeline/timeline.js";
import { nodeTitle } from "../../engine/trace/read.js";
import { h } from "../dom.js";
import { sumRows } from "./contributions.js";
import { quantityNode } from "./quantity-node.js";

/** Rows printed; what is left out is counted, and the last, which makes the sum, is always there. */
const ROWS = 12;
const OWING = 6;

const columns = [
  "from",
  "cotangent \u00d7 local derivative",
  "contribution",
  "share",
  "running sum",
] as const;

/** null where nothing flows into the node. */
/** `right`: the cotangent of the sweep that adds up, where this one is wrong. */
export function storyTable(
  timeline: Timeline,
  facts: NodeFacts,
  right: Quantity | undefined,
): HTMLElement | null {
  if (facts.uses === 0 && facts.parts.length === 0) return null;
  const wrong = right !== undefined;
  const rows = contributionRows(timeline, facts);
  const slots = new Map<number, number>();
  for (const { child } of rows) slots.set(child, (slots.get(child) ?? 0) + 1);
  const shown = rows.length <= ROWS ? rows : [...rows.slice(0, ROWS - 1), rows[rows.length - 1]];
  const body = shown.map((row) => rowElement(row, slots.get(row.child)! > 1, facts.overwrites));
  const between = rows.length - shown.length;
  if (between > 0) body.splice(body.length - 1, 0, note(`and ${between} more`));
  const owing = facts.owing.filter((child) => !slots.has(child));
  for (const child of owing.slice(0, OWING))
    body.push(
      h(
        "tr",
        { class: "owing" },
        h("th", { scope: "row" }, h("bdi", {}, nodeTitle(timeline.trace, child))),
        h("td", { colspan: 4, class: "n" }, "waiting"),
      ),
    );
  if (owing.length > OWING) body.push(note(`and ${owing.length - OWING} more waiting`));
  const head = columns.map((name, i) => h("th", { scope: "col", class: i > 0 && "n" }, name));
  const table = h(
    "table",
    { class: "contributions story" },
    h("thead", {}, h("tr", {}, ...head)),
    h("tbody", {}, ...body),
  );
  if (rows.length > 0) table.append(h("tfoot", {}, ...sumRows(facts, columns.length, wrong)));
  if (wrong && table.tFoot !== null)
    table.tFoot.append(
      h(
        "tr",
        { class: "right" },
        h("th", { scope: "row" }, "right"),
        h("td", { colspan: columns.length - 1, class: "n", title: full(right) }, quantityNode(right)),
      ),
    );
  return table;
}

function note(text: string): HTMLTableRowElement {
  return h("tr", { class: "owing" }, h("td", { colspan: 5 }, text));
}

function rowElement(row: ContributionRow, severalSlots: boolean, overwrites: boolean): HTMLTableRowElement {
  const { from, slot, product, value, share, running, lost } = row;
  const amount = h("td", { class: lost ? "n lost" : "n", title: full(value) });
  if (row.unknown) amount.append("not seen");
  else if (lost) amount.append(h("s", {}, quantityNode(value)), " lost");
  else if (row.payments.length > 1) amount.append(terms(row.payments), " = ", quantityNode(value));
  else amount.append(quantityNode(value));
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, h("bdi", {}, from), severalSlots ? `, operand ${slot + 1}` : ""),
    h("td", { class: "n dim" }, product),
    amount,
    h("td", { class: "n" }, Number.isFinite(share) ? `${Math.round(share * 100)} %` : ""),
    h(
      "td",
      { class: "n", title: full(running) },
      (overwrites && lost) || running === undefined ? "" : quantityNode(running),
    ),
  );
}
