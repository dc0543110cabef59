/** The error of a difference quotient over the step: the V of truncation and cancellation, in the formats side by side. */
import type { StepsAnswer } from "../../engine/report/questions.js";
import { axisX, axisY, dot, drawPlot, gridX, gridY, line, ruleX, text } from "../plot/plot.js";
import { tiny } from "../plot/units.js";

const HEIGHT = 300;

export type FormatAnswer = StepsAnswer["formats"][number];
export type SchemeAnswer = FormatAnswer["schemes"][number];

interface Point {
  readonly step: number;
  readonly error: number;
}

function pointsOf({ rows }: SchemeAnswer, key: "error" | "truncation" | "cancellation"): Point[] {
  // a logarithmic axis has no place for an error of nothing
  return rows.flatMap((row) =>
    row[key] !== null && row[key] > 0 ? [{ step: row.step, error: row[key] }] : [],
  );
}

/** "1e-8": powers of ten only */
function power(value: number): string {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-9 ? `1e${Math.round(exponent)}` : "";
}

function decades(low: number, high: number, most: number): number[] {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const stride = Math.max(1, Math.ceil((to - from) / most));
  const out: number[] = [];
  for (let exponent = from; exponent <= to; exponent += stride) out.push(10 ** exponent);
  // what lies outside would be drawn beside the frame
  return out.filter((tick) => tick >= low && tick <= high);
}

export function drawSteps(width: number, scheme: SchemeAnswer): SVGSVGElement {
  const total = pointsOf(scheme, "error");
  const truncation = pointsOf(scheme, "truncation");
  const cancellation = pointsOf(scheme, "cancellation");
  const all = [...total, ...truncation, ...cancellation];
  const steps = scheme.rows.map(({ step }) => step);
  const [x0, x1] = [Math.min(...steps), Math.max(...steps)];
  const [y0, y1] = [Math.min(...all.map((p) => p.error)), Math.max(...all.map((p) => p.error))];
  const { best, theory } = scheme;
  const way = { x: "step", y: "error" } as const;
  return drawPlot({
    width,
    height: HEIGHT,
    marginLeft: 54,
    marginRight: 20,
    marginTop: 26,
    marginBottom: 38,
    x: { type: "log", domain: [x0, x1] },
    y: {
      type: "log",
      domain: all.length === 0 ? [1e-16, 1] : y0 === y1 ? [y0 / 10, y1 * 10] : [y0, y1],
      clamp: true,
    },
    marks: [
      gridX({ ticks: decades(x0, x1, 7), stroke: "var(--bs-card-line)", strokeOpacity: 0.6 }),
      gridY({
        ticks: all.length === 0 ? [] : decades(y0, y1, 7),
        stroke: "var(--bs-card-line)",
        strokeOpacity: 0.6,
      }),
      axisX({
        ticks: decades(x0, x1, 7),
        tickSize: 0,
        tickFormat: power,
        label: "step h",
        labelAnchor: "center",
        labelArrow: "none",
      }),
      axisY({
        ticks: all.length === 0 ? [] : decades(y0, y1, 7),
        tickSize: 0,
        tickFormat: power,
        label: "error of the quotient",
        labelArrow: "none",
      }),
      theory.step === null
        ? null
        : ruleX([theory.step], { stroke: "var(--bs-edge)", strokeDasharray: "2 3" }),
      line(truncation, { ...way, stroke: "var(--bs-flow)", strokeWidth: 1.4, strokeDasharray: "7 3" }),
      line(cancellation, { ...way, stroke: "var(--bs-bad)", strokeWidth: 1.4, strokeDasharray: "2 3" }),
      line(total, { ...way, stroke: "var(--bs-fg)", strokeWidth: 1.2 }),
      dot(total, { ...way, r: 2.6, fill: "var(--bs-fg)" }),
      best === null || best.error <= 0
        ? null
        : dot([best], { x: [best.step], y: [best.error], r: 6, stroke: "var(--bs-sum)", strokeWidth: 2 }),
      best === null || best.error <= 0
        ? null
        : text([best], {
            x: [best.step],
            y: [best.error],
            text: [`best h = ${tiny(best.step)}: ${tiny(best.error)}`],
            dy: -14,
            // towards the middle, so that no edge cuts it
            textAnchor: Math.log(best.step / x0) > Math.log(x1 / x0) / 2 ? "end" : "start",
            fill: "var(--bs-sum)",
            className: "haloed",
          }),
    ],
  });
}
