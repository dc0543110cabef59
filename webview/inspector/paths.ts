/** Paths from a node to the outputs, as a table: the strongest by |product of local derivatives|. */
import { nodeTitle } from "../../engine/trace/read.js";
import { h } from "../dom.js";
import { LIMIT, productsText, type PathSummary } from "../../engine/report/paths.js";
import type { SweepModel } from "../model/sweep-model.js";
import { factor, full, short } from "../../engine/report/text/format.js";

/** The strongest paths, and a word on those without a product. */
export function pathParts(model: SweepModel, summary: PathSummary, limit = LIMIT): HTMLElement[] {
  const words = productsText(summary);
  const out: HTMLElement[] = [];
  if (summary.strongest.length > 0) out.push(pathTable(model, summary, limit));
  if (words !== "") out.push(h("p", { class: "dim" }, words));
  return out;
}

function pathTable(model: SweepModel, summary: PathSummary, limit: number): HTMLElement {
  const { trace } = model.view;
  const rows = summary.strongest.slice(0, limit).map((path) => {
    const names = path.nodes.map((node) => nodeTitle(trace, node, 14));
    const shown =
      names.length <= 5 ? names : [...names.slice(0, 2), `… ${names.length - 4} …`, ...names.slice(-2)];
    const locals =
      path.locals.length <= 4 ? path.locals.map(factor).join(" × ") : `${path.locals.length} factors`;
    const all = path.locals.map((local) => full(local)).join(" × ");
    return h(
      "tr",
      {},
      h("th", { scope: "row", title: names.join(" → ") }, h("bdi", {}, shown.join(" → "))),
      h("td", { class: "n dim", title: all }, locals),
      h("td", { class: "n", title: full(path.product) }, short(path.product)),
    );
  });
  return h(
    "table",
    { class: "paths" },
    h("caption", { class: "hidden" }, "Strongest paths to the output"),
    h(
      "thead",
      { class: "hidden" },
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "path"),
        h("th", { scope: "col" }, "factors"),
        h("th", { scope: "col" }, "product"),
      ),
    ),
    h("tbody", {}, ...rows),
  );
}
