/**
 * What inverses of coupling layers did to the numbers: how far each layer's input, computed back, is from the first run's,
 * and the gradient from that of everything kept. Not there for a sweep that inverted nothing.
 */
import type { LayerError, ReconstructionReport } from "../../engine/report/report.js";
import { h } from "../dom.js";
import type { SweepModel } from "../model/sweep-model.js";
import { Figure } from "../plot/figure.js";
import { axisX, axisY, dot, drawPlot, gridY, lineY } from "../plot/plot.js";
import { countText, tiny } from "../plot/units.js";
import type { Services } from "../tabs.js";
import { ulpsText } from "../text/ulps.js";

const HEIGHT = 240;
/** Layers listed; the saved table has all. */
const MOST_LAYERS = 64;

export class Reconstruction {
  readonly element = h("section", { class: "picture-part", id: "reconstruction", hidden: true });
  private readonly figure: Figure;
  private readonly words = h("div", { class: "figure-words" });

  constructor(services: Services) {
    this.figure = new Figure(services, {
      name: "reconstruction",
      title: "Coupling layers, computed back",
      subtitle:
        "distance of each layer\u2019s input from the first run\u2019s, in units in the last place of its largest element",
    });
    this.element.append(this.figure.element, this.words);
  }

  show({ view }: SweepModel): void {
    const report = view.report?.checkpoint?.reconstruction;
    this.element.hidden = report === undefined;
    if (report === undefined) return;
    const { layers } = report;
    this.figure.show({
      description: `Reconstruction error of ${layers.length} coupling layers: ${worstText(layers)}.`,
      draw: (width) => drawLayers(width, layers),
      table: () => ({
        columns: ["chain", "layer", "ULPs"],
        rows: layers.map(({ name, layer, ulps }) => [name, layer, ulps]),
      }),
    });
    this.words.replaceChildren(h("p", {}, gradientText(report)), layerTable(layers));
  }
}

/** "at most 3 ULPs, at layer 2 of revnet" */
function worstText(layers: readonly LayerError[]): string {
  const worst = layers.reduce((a, b) => (Number.isNaN(b.ulps) || b.ulps > a.ulps ? b : a));
  return `at most ${ulpsText(worst.ulps)}, at layer ${worst.layer} of ${worst.name}`;
}

function gradientText({ gradient }: ReconstructionReport): string {
  if (gradient === null)
    return "The gradient was not compared with that of store-all: everything kept at once does not fit here, or the graph is too large to run twice.";
  if (gradient.ulps === 0) return "The gradient is that of store-all, bit for bit.";
  return `The gradient is at most ${ulpsText(gradient.ulps)} from that of store-all, ${tiny(gradient.relative)} of its largest entry.`;
}

function drawLayers(width: number, layers: readonly LayerError[]): SVGSVGElement {
  const chains = Array.from(new Set(layers.map(({ region }) => region)));
  const finite = layers.filter(({ ulps }) => Number.isFinite(ulps));
  const most = finite.reduce((largest, { ulps }) => Math.max(largest, ulps), 1);
  const last = layers.reduce((largest, { layer }) => Math.max(largest, layer), 1);
  const grid = { stroke: "var(--bs-card-line)", strokeOpacity: 0.6, ticks: 4 };
  return drawPlot({
    width,
    height: HEIGHT,
    marginLeft: 52,
    marginRight: 18,
    marginTop: 24,
    marginBottom: 38,
    x: { domain: [0, last] },
    y: { type: most > 1000 ? "symlog" : "linear", domain: [0, most], nice: true },
    marks: [
      gridY(grid),
      axisX({
        ticks: Math.min(last, 8),
        tickSize: 0,
        label: "layer",
        labelAnchor: "center",
        labelArrow: "none",
        tickFormat: (value: number) => (Number.isInteger(value) ? countText(value) : ""),
      }),
      axisY({ ticks: 4, tickSize: 0, label: "ULPs", labelArrow: "none", tickFormat: tiny }),
      ...chains.map((region) =>
        lineY(
          finite.filter((one) => one.region === region),
          { x: "layer", y: "ulps", stroke: "var(--bs-hold)", strokeOpacity: 0.5 },
        ),
      ),
      dot(finite, { x: "layer", y: "ulps", r: 3.5, fill: "var(--bs-hold)" }),
    ],
  });
}

function layerTable(layers: readonly LayerError[]): HTMLElement {
  const several = new Set(layers.map(({ region }) => region)).size > 1;
  const rows = layers
    .slice(0, MOST_LAYERS)
    .map(({ name, layer, ulps }) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, several ? `${name}, layer ${layer}` : `layer ${layer}`),
        h("td", { class: ulps === 0 ? "n is-held" : "n" }, ulps === 0 ? "exact" : ulpsText(ulps)),
      ),
    );
  const more = layers.length - rows.length;
  const table = h(
    "table",
    { class: "figures layers" },
    h(
      "thead",
      {},
      h("tr", {}, h("th", { scope: "col" }, "input of"), h("th", { scope: "col", class: "n" }, "off by")),
    ),
    h("tbody", {}, ...rows),
  );
  if (more > 0)
    table.tBodies[0].append(
      h("tr", {}, h("td", { colspan: 2, class: "dim" }, `and ${countText(more)} more`)),
    );
  return table;
}
