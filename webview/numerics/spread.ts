/** What the order of summation does to a fan-out's sum: by accumulation mode and format, in units in the last place. */
import type { OrderSpread, SpreadAnswer } from "../../engine/report/questions.js";
import { axisX, axisY, dot, drawPlot, gridX, link, ruleX } from "../plot/plot.js";
import { countText, tiny } from "../plot/units.js";

const ROW = 30;

interface Bar {
  readonly key: string;
  readonly min: number;
  readonly max: number;
  readonly arrival: number;
  readonly reachableMin: number;
  readonly reachableMax: number;
}

export type SpreadFormat = SpreadAnswer["formats"][number];

/** Distances from the exact sum, relative to it: formats of very different precision share no other axis. */
export function drawSpread(width: number, format: SpreadFormat): SVGSVGElement {
  const { exact, modes } = format;
  const size = exact === 0 ? 1 : Math.abs(exact);
  const away = (sum: number): number => (sum - exact) / size;
  const bars = modes.map(({ mode, arrival, all, reachable }): Bar => ({
    key: mode,
    min: away(all.min),
    max: away(all.max),
    arrival: away(arrival),
    reachableMin: away(reachable.min),
    reachableMax: away(reachable.max),
  }));
  const far = Math.max(
    ...bars.flatMap(({ min, max, arrival }) => [min, max, arrival].map(Math.abs).filter(Number.isFinite)),
    0,
  );
  const reach = far === 0 ? 1 : far * 1.15;
  const finite = bars.filter(({ min, max }) => Number.isFinite(min) && Number.isFinite(max));
  return drawPlot({
    width,
    height: ROW * bars.length + 66,
    marginLeft: 74,
    marginRight: 24,
    marginTop: 14,
    marginBottom: 40,
    x: { domain: [-reach, reach] },
    y: { type: "band", domain: bars.map(({ key }) => key), padding: 0.3 },
    marks: [
      gridX({ ticks: 5, stroke: "var(--bs-card-line)", strokeOpacity: 0.6 }),
      ruleX([0], { stroke: "var(--bs-done)", strokeWidth: 1.4 }),
      axisX({
        ticks: far === 0 ? [0] : 5,
        tickSize: 0,
        tickFormat: (value: number) => (value === 0 ? "exact" : tiny(value)),
        label: exact === 0 ? "distance from the exact sum 0" : "distance from the exact sum, relative",
        labelAnchor: "center",
        labelArrow: "none",
      }),
      axisY({ tickSize: 0, label: null }),
      link(finite, { x1: "min", x2: "max", y1: "key", y2: "key", stroke: "var(--bs-flow)", strokeWidth: 2 }),
      link(finite, {
        x1: "reachableMin",
        x2: "reachableMax",
        y1: "key",
        y2: "key",
        stroke: "var(--bs-hold)",
        strokeWidth: 7,
        strokeOpacity: 0.55,
      }),
      dot(
        finite.flatMap(({ key, min, max }) => [
          { key, at: min },
          { key, at: max },
        ]),
        { x: "at", y: "key", r: 3.5, fill: "var(--bs-bg)", stroke: "var(--bs-flow)", strokeWidth: 1.5 },
      ),
      dot(finite, { x: "arrival", y: "key", r: 4.5, symbol: "diamond", fill: "var(--bs-sum)" }),
    ],
  });
}

/** "3 results over 6 orders, at most 1 ulp off" */
export function spreadWords({ orders, distinct, worstUlps }: OrderSpread): string {
  const results = `${countText(distinct)} ${distinct === 1 ? "result" : "different results"}`;
  const off = Number.isFinite(worstUlps) ? `at most ${tiny(worstUlps)} ulp off` : "not finite";
  return `${results} over ${countText(orders)} ${orders === 1 ? "order" : "orders"}, ${off}`;
}
