/**
 * Figure 11.1 of the text, for any run: each derivative as a filled bar (sum) with the one a last-writer-wins sweep
 * returns as an outline below it. Bars share one scale; negative values go left of the axis. An array is one bar as long
 * as its norm, with its elements to be opened.
 */
import type { RunReport } from "../../engine/report/report.js";
import type { InputInfo } from "../../engine/trace/trace.js";
import { h } from "../dom.js";
import { gradientRows, sameGradients, type GradientRow } from "../model/gradients.js";
import { isArray, magnitude, same, type Quantity } from "../../engine/report/quantity.js";
import { normText, shapeText, spokenArray } from "../../engine/report/text/array-text.js";
import { full, plural, short } from "../../engine/report/text/format.js";
import { tinyNumber } from "../../engine/report/text/number.js";

const LIMIT = 8;

/**
 * `output`: what is differentiated; `accumulation`: how the run itself accumulated; `foreign`: the engine whose gradient
 * stands beside ours.
 */
export function gradientFigure(
  report: RunReport,
  inputs: readonly InputInfo[],
  output: string,
  accumulation: string,
  foreign?: string,
): HTMLElement {
  const { rows, total } = gradientRows(report, inputs, LIMIT);
  const scale = scaleOf(rows, foreign ?? "last writer wins");
  const figure = h("div", { class: "gradients" }, ...rows.flatMap((row) => rowsOf(row, output, scale)));
  // the inputs add up in this comparison, unless the run chose otherwise: last-writer-wins:all may lose what is kept here
  const where =
    foreign !== undefined || accumulation.startsWith("last-writer-wins:") ? "" : " between inputs and output";
  const none = rows.length > 0 && rows.every(({ wrong }) => wrong === undefined);
  const verdict = sameGradients(report) ? `${where}: the same` : none ? ": none" : "";
  const legend = h(
    "div",
    { class: "legend dim" },
    h("span", {}, h("span", { class: "key key-sum" }), foreign === undefined ? "sum" : "right"),
    h("span", {}, h("span", { class: "key key-wrong" }), `${foreign ?? "last writer wins"}${verdict}`),
    rows.some((row) => isArray(row.sum)) && h("span", {}, "‖ ‖ norm of an array"),
  );
  figure.append(legend);
  if (total > rows.length)
    figure.append(h("p", { class: "dim" }, `and ${(total - rows.length).toLocaleString("en")} more`));
  return figure;
}

interface Scale {
  readonly most: number;
  readonly low: number;
  /** what the second bar is called */
  readonly other: string;
}

/** Where the bar ends: the number itself, the norm of an array. */
function reach(quantity: Quantity | undefined): number {
  return isArray(quantity) ? magnitude(quantity) : (quantity ?? 0);
}

function scaleOf(rows: readonly GradientRow[], other: string): Scale {
  const values = rows.flatMap((row) => [reach(row.sum), reach(row.wrong)]).filter((v) => Number.isFinite(v));
  const most = Math.max(...values.map(Math.abs), 0);
  return { most, low: values.some((v) => v < 0) ? most : 0, other };
}

/** The row of a number; of an array its row and the elements below it. */
function rowsOf(row: GradientRow, output: string, scale: Scale): HTMLElement[] {
  const { elements, sum } = row;
  const own = rowOf(row, output, scale);
  if (elements === undefined || !isArray(sum) || sum.size === 0) return [own];
  const inner = h("div", { class: "gradients" });
  const more = sum.size - elements.length;
  const summary = h(
    "summary",
    {},
    plural(sum.size, "element"),
    h("span", { class: "hidden" }, ` of d${output}/d${row.name}`),
  );
  const details = h("details", { class: "gradient-elements" }, summary, inner);
  // made when it is opened: most never are
  details.addEventListener(
    "toggle",
    () => {
      const own = scaleOf(elements, scale.other);
      inner.append(...elements.map((element) => rowOf(element, output, own)));
      if (more > 0) inner.append(h("p", { class: "dim" }, `and ${more.toLocaleString("en")} more`));
    },
    { once: true },
  );
  return [own, details];
}

function rowOf(row: GradientRow, output: string, scale: Scale): HTMLElement {
  const equal = row.wrong === undefined || same(row.wrong, row.sum);
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
  if (isArray(row.sum)) label.append(h("span", { class: "gradient-shape dim" }, shapeText(row.sum)));
  const element = h("div", { class: "gradient", "data-testid": `gradient-${row.name}` }, label, body);
  element.id = `gradient-${row.name}`;
  element.classList.toggle("is-same", equal);
  // words break where a name is cut: what it is the derivative in stands at the end
  element.classList.toggle("is-worded", output.includes(" "));
  return element;
}

function bar(kind: "sum" | "wrong", value: Quantity, { most, low, other }: Scale): HTMLElement {
  const span = most + low || 1;
  const end = reach(value);
  const length = Number.isFinite(end) ? Math.abs(end) / span : 0;
  const from = (end < 0 ? low + end : low) / span;
  const fill = h("span", { class: `fill fill-${kind}`, hidden: length === 0 });
  // 70 % of the width are for bars, the rest for the number at the end
  fill.style.marginInlineStart = `${(Number.isFinite(end) ? from : 0) * 70}%`;
  fill.style.width = `${length * 70}%`;
  const whose = kind === "sum" ? "sum " : ` ${other} `;
  const text = isArray(value) ? normText(value, tinyNumber) : short(value);
  const figure = h("span", { class: "figure", title: full(value) }, text);
  // the words before it have said it
  if (isArray(value)) figure.setAttribute("aria-hidden", "true");
  return h(
    "span",
    { class: `bar-line bar-${kind}` },
    h("span", { class: "hidden" }, isArray(value) ? `${whose}${spokenArray(value)} ` : whose),
    fill,
    figure,
  );
}
