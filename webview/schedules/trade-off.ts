/** Every schedule a point: what it holds against what it evaluates again. A point is picked by mouse or keyboard. */
import type { TradeOffAnswer, TradeOffRow } from "../../engine/report/questions.js";
import { h, s, setAttribute } from "../dom.js";
import { axisX, axisY, dot, drawPlot, gridX, gridY, line, type Drawn } from "../plot/plot.js";
import { countText } from "../plot/units.js";
import { lookOf } from "./families.js";

const HEIGHT = 300;

export function pointWords({
  schedule,
  x,
  y,
  peakStates,
  peakTapes,
  onFront,
  couplingOnly,
}: TradeOffRow): string {
  return (
    `${schedule}: ${countText(x)} held (${countText(peakStates)} states, ${countText(peakTapes)} tapes), ` +
    `${countText(y)} extra forwards${onFront ? ", on the front" : ""}${couplingOnly ? ", coupling layers only" : ""}`
  );
}

export interface Point {
  readonly schedule: string;
  readonly x: number;
  readonly y: number;
  readonly words: string;
}

export function drawTradeOff(
  width: number,
  { points, curve }: TradeOffAnswer,
  chosen: string | null,
  pick: (schedule: string) => void,
): SVGSVGElement {
  const front = points.filter(({ onFront }) => onFront).sort((a, b) => a.x - b.x || b.y - a.y);
  const families = new Map<string, TradeOffRow[]>();
  for (const point of points) {
    const family = families.get(point.family);
    if (family === undefined) families.set(point.family, [point]);
    else family.push(point);
  }
  const most = points.reduce((largest, { y }) => Math.max(largest, y), 1);
  const plot = drawPlot({
    width,
    height: HEIGHT,
    marginLeft: 52,
    marginRight: 16,
    marginTop: 24,
    marginBottom: 38,
    x: {
      type: "symlog",
      constant: 2,
      domain: [0, points.reduce((w, { x }) => Math.max(w, x), 1)],
      nice: true,
    },
    y: { type: "symlog", domain: [0, most], nice: true },
    marks: [
      gridX({ stroke: "var(--bs-card-line)", strokeOpacity: 0.6, ticks: ticksTo(points, "x") }),
      gridY({ stroke: "var(--bs-card-line)", strokeOpacity: 0.6, ticks: ticksTo(points, "y") }),
      axisX({
        ticks: ticksTo(points, "x"),
        tickSize: 0,
        label: "peak held: states + tapes",
        labelAnchor: "center",
        labelArrow: "none",
        tickFormat: countText,
      }),
      axisY({
        ticks: ticksTo(points, "y"),
        tickSize: 0,
        label: "forward evaluations beyond one sweep",
        labelArrow: "none",
        tickFormat: countText,
      }),
      line(curve, { x: "x", y: "y", stroke: "var(--bs-hold)", strokeOpacity: 0.7, strokeDasharray: "3 3" }),
      line(front, { x: "x", y: "y", stroke: "var(--bs-done)", strokeWidth: 1.4 }),
      ...Array.from(families, ([family, members]) => {
        const { symbol, colour, filled } = lookOf(family);
        return dot(members, {
          x: "x",
          y: "y",
          symbol,
          r: 4,
          fill: filled ? colour : "none",
          stroke: colour,
          strokeWidth: 1.3,
        });
      }),
    ],
  });
  const all = [...points]
    .sort((a, b) => a.x - b.x || a.y - b.y)
    .map((point): Point => ({ ...point, words: pointWords(point) }));
  addTargets(plot, all, chosen, "Schedules", pick);
  return plot;
}

/** 0, 2, 4, 8, ... and 0, 1, 3, 10, 30, ...: few enough to be read. */
function ticksTo(points: readonly { readonly x: number; readonly y: number }[], axis: "x" | "y"): number[] {
  const most = points.reduce((largest, point) => Math.max(largest, point[axis]), 1);
  const ticks = [0];
  if (axis === "x") for (let value = 2; value <= most * 1.01; value *= most > 5000 ? 8 : 2) ticks.push(value);
  else
    for (let value = 1; value <= most * 1.01; value *= 10) {
      ticks.push(value);
      if (3 * value <= most) ticks.push(3 * value);
    }
  while (ticks.length > 10)
    ticks.splice(1, ticks.length - 1, ...ticks.slice(1).filter((_, i) => i % 2 === 1));
  return ticks;
}

/** Which shape is which family, as far as they are drawn. */
export function familyLegend({ points }: TradeOffAnswer): HTMLElement {
  const families = Array.from(new Set(points.map(({ family }) => family)));
  const items = families.map((family) => {
    const { symbol, colour, filled } = lookOf(family);
    const drawn = drawPlot({
      width: 14,
      height: 14,
      margin: 0,
      marks: [
        dot([0], {
          frameAnchor: "middle",
          symbol,
          r: 4,
          fill: filled ? colour : "none",
          stroke: colour,
          strokeWidth: 1.3,
        }),
      ],
    });
    setAttribute(drawn, "aria-hidden", "true");
    return h("li", {}, drawn, family);
  });
  const line = (name: string, words: string): HTMLElement =>
    h("li", {}, h("i", { class: `stroke-sign ${name}`, "aria-hidden": "true" }), words);
  return h(
    "ul",
    { class: "legend" },
    ...items,
    line("sign-front", "Pareto front"),
    line("sign-binomial", "binomial: the least that states alone allow"),
  );
}

/** Places to point at over the dots, one of which is a stop of the tabulator key; arrows move among them. */
export function addTargets(
  plot: Drawn,
  points: readonly Point[],
  chosen: string | null,
  label: string,
  pick: (schedule: string) => void,
): void {
  const x = plot.scale("x")!;
  const y = plot.scale("y")!;
  const group = s("g", { role: "radiogroup", "aria-label": label, class: "targets", "data-not-saved": "" });
  const marks = points.map((point) => {
    const mark = s("circle", {
      cx: x.apply(point.x) as number,
      cy: y.apply(point.y) as number,
      r: 8,
      class: point.schedule === chosen ? "target is-chosen" : "target",
      role: "radio",
      "aria-checked": point.schedule === chosen ? "true" : "false",
      "aria-label": point.words,
      "data-key": point.schedule,
      tabindex: -1,
    });
    const title = s("title");
    title.textContent = point.words;
    mark.append(title);
    mark.addEventListener("click", () => pick(point.schedule));
    return mark;
  });
  if (marks.length === 0) return;
  const stop = Math.max(
    0,
    points.findIndex(({ schedule }) => schedule === chosen),
  );
  setAttribute(marks[stop], "tabindex", 0);
  group.append(...marks);
  group.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = marks.indexOf(document.activeElement as SVGCircleElement);
    if (at < 0) return;
    const back = event.key === "ArrowLeft" || event.key === "ArrowUp";
    const on = event.key === "ArrowRight" || event.key === "ArrowDown";
    if (back || on) {
      const next = Math.min(marks.length - 1, Math.max(0, at + (on ? 1 : -1)));
      setAttribute(marks[at], "tabindex", -1);
      setAttribute(marks[next], "tabindex", 0);
      marks[next].focus();
    } else if (event.key === "Enter" || event.key === " ") pick(points[at].schedule);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const shown = points.find(({ schedule }) => schedule === chosen);
  if (shown !== undefined) {
    const at = x.apply(shown.x) as number;
    const width = plot.viewBox.baseVal.width;
    const name = s("text", {
      x: Math.min(at, width - 4),
      y: Math.max(10, (y.apply(shown.y) as number) - 13),
      "text-anchor": at > width - 60 ? "end" : "middle",
      class: "chosen-name",
    });
    name.textContent = shown.schedule;
    plot.append(name);
  }
  plot.append(group);
  setAttribute(plot, "role", "group");
}
