/**
 * Figure 11.1 of the text, for any run: each derivative as a filled bar (sum) with the one a last-writer-wins sweep
 * returns as an outline below it. Bars share one scale; negative values go left of the axis.
 */
import type { RunReport } from "../../engine/report/report.js";
import { h } from "../dom.js";
import { gradientRows, type GradientRow } from "../model/gradients.js";
import { full, short } from "../text/format.js";

const LIMIT = 8;

export function gradientFigure(report: RunReport, output: string): HTMLElement {
  const { rows, total } = gradientRows(report, LIMIT);
  const values = rows.flatMap((row) => [row.sum, row.wrong ?? 0]).filter((v) => Number.isFinite(v));
  const most = Math.max(...values.map(Math.abs), 0);
  const scale = { most, low: values.some((v) => v < 0) ? most : 0 };
  const figure = h("div", { class: "gradients" }, ...rows.map((row) => rowOf(row, output, scale)));
  const anyWrong = rows.some((row) => row.wrong !== undefined && !Object.is(row.wrong, row.sum));
  const legend = h(
    "div",
    { class: "legend dim" },
    h("span", {}, h("span", { class: "key key-sum" }), "sum"),
    h("span", {}, h("span", { class: "key key-wrong" }), `last writer wins${anyWrong ? "" : ": the same"}`),
  );
  figure.append(legend);
  if (total > rows.length)
    figure.append(h("p", { class: "dim" }, `and ${(total - rows.length).toLocaleString("en")} more`));
  return figure;
}

interface Scale {
  readonly most: number;
  readonly low: number;
}

function rowOf(row: GradientRow, output: string, scale: Scale): HTMLElement {
  const same = row.wrong === undefined || Object.is(row.wrong, row.sum);
  const body = h("span", { class: "gradient-bars" }, bar("sum", row.sum, scale));
  if (row.wrong !== undefined) body.append(bar("wrong", row.wrong, scale));
  const label = h(
    "span",
    { class: "gradient-name", title: `d${output}/d${row.name}` },
    "d",
    h("bdi", {}, output),
    "/d",
    h("bdi", {}, row.name),
  );
  const element = h("div", { class: "gradient", "data-testid": `gradient-${row.name}` }, label, body);
  element.id = `gradient-${row.name}`;
  element.classList.toggle("is-same", same);
  return element;
}

function bar(kind: "sum" | "wrong", value: number, { most, low }: Scale): HTMLElement {
  const span = most + low || 1;
  const length = Number.isFinite(value) ? Math.abs(value) / span : 0;
  const from = (value < 0 ? low + value : low) / span;
  const fill = h("span", { class: `fill fill-${kind}`, hidden: length === 0 });
  // 70 % of the width are for bars, the rest for the number at the end
  fill.style.marginInlineStart = `${(Number.isFinite(value) ? from : 0) * 70}%`;
  fill.style.width = `${length * 70}%`;
  const spoken = kind === "sum" ? "sum " : " last writer wins ";
  return h(
    "span",
    { class: `bar-line bar-${kind}` },
    h("span", { class: "hidden" }, spoken),
    fill,
    h("span", { class: "figure", title: full(value) }, short(value)),
  );
}
