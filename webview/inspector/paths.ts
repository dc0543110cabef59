/** Paths from a node to the outputs: how many, and the strongest by |product of local derivatives|. */
import { countPaths, countProducts, strongestPaths, type Path } from "../../engine/sweep/paths.js";
import { nodeTitle } from "../../engine/trace/read.js";
import { h } from "../dom.js";
import type { SweepModel } from "../model/sweep-model.js";
import { factor, full, plural, short } from "../text/format.js";

export interface PathSummary {
  readonly count: bigint;
  /** those of them that have a product: a number on every edge */
  readonly products: bigint;
  /** false: the node is an output nobody uses, its one path is empty */
  readonly real: boolean;
  readonly strongest: readonly Path[];
}

const LIMIT = 5;
const cache = new WeakMap<SweepModel, Map<number, PathSummary>>();

/** True when asking costs nothing. */
export function pathsKnown(model: SweepModel, node: number): boolean {
  return cache.get(model)?.has(node) === true;
}

export function pathsFrom(model: SweepModel, node: number): PathSummary {
  let known = cache.get(model);
  if (known === undefined) cache.set(model, (known = new Map()));
  let summary = known.get(node);
  if (summary === undefined) {
    const { trace } = model.view;
    const count = countPaths(trace, node, null, model.uses);
    const own = trace.header.outputs.some((output) => output.node === node) ? 1n : 0n;
    const strongest = strongestPaths(trace, node, LIMIT, null, model.uses);
    summary = {
      count,
      // numbers alone: a full list says that paths have products, without a second count
      products:
        trace.arrays === undefined && strongest.length === LIMIT
          ? count
          : countProducts(trace, node, null, model.uses),
      real: count > own,
      strongest,
    };
    known.set(node, summary);
  }
  return summary;
}

/** "1,234", or "1.234e56" where the exact number has more than 15 digits. */
export function countText(count: bigint): string {
  const digits = count.toString();
  if (digits.length <= 15) return count.toLocaleString("en");
  return `${digits[0]}.${digits.slice(1, 4)}e${digits.length - 1}`;
}

/** Why there are fewer products than paths; "" where every path has one. */
export function productsText({ count, products }: PathSummary): string {
  if (products === count) return "";
  const why = "along array operations the local derivative is a linear map, not a number";
  if (products === 0n) return `No products: ${why}.`;
  return `${plural(products, "path has a product", "paths have a product")}; ${why}.`;
}

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
