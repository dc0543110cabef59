/** The second pair of axes: bytes the executor allocated against seconds, of real runs of the graph. */
import type { ComparedRow } from "../../engine/report/questions.js";
import { axisX, axisY, dot, drawPlot, gridX, gridY } from "../plot/plot.js";
import { bytesText, secondsText } from "../plot/units.js";
import { lookOf } from "./families.js";
import { addTargets } from "./trade-off.js";

const HEIGHT = 240;

export function drawMeasured(
  width: number,
  rows: readonly ComparedRow[],
  chosen: string | null,
  pick: (schedule: string) => void,
): SVGSVGElement {
  const points = rows.flatMap(({ schedule, allocatedBytes, measured }) => {
    if (allocatedBytes === null || measured === null) return [];
    const seconds = measured.elapsedMs / 1000;
    const words = `${schedule}: ${bytesText(allocatedBytes)} allocated, ${secondsText(seconds)} measured`;
    return [{ schedule, x: allocatedBytes, y: seconds, words }];
  });
  const [x, y] = (["x", "y"] as const).map((axis) => Math.max(1e-9, ...points.map((point) => point[axis])));
  const plot = drawPlot({
    width,
    height: HEIGHT,
    marginLeft: 58,
    marginRight: 18,
    marginTop: 24,
    marginBottom: 38,
    x: { domain: [0, x * 1.05] },
    y: { domain: [0, y * 1.1] },
    marks: [
      gridX({ stroke: "var(--bs-card-line)", strokeOpacity: 0.6, ticks: 5 }),
      gridY({ stroke: "var(--bs-card-line)", strokeOpacity: 0.6, ticks: 5 }),
      axisX({
        ticks: 5,
        tickSize: 0,
        label: "allocated bytes at the peak (executor)",
        labelAnchor: "center",
        labelArrow: "none",
        tickFormat: bytesText,
      }),
      axisY({
        ticks: 5,
        tickSize: 0,
        label: "seconds (measured)",
        labelArrow: "none",
        tickFormat: secondsText,
      }),
      ...points.map(({ schedule, x: bytes, y: seconds }) => {
        const { symbol, colour, filled } = lookOf(schedule.replace(/:.*/, ""));
        return dot([schedule], {
          x: [bytes],
          y: [seconds],
          symbol,
          r: 4.5,
          fill: filled ? colour : "none",
          stroke: colour,
          strokeWidth: 1.3,
        });
      }),
    ],
  });
  addTargets(
    plot,
    [...points].sort((a, b) => a.x - b.x),
    chosen,
    "Measured schedules",
    pick,
  );
  return plot;
}
