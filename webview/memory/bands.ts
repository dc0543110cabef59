/** Four bands, one under the other, over the same steps; each has a scale of its own. */
import type { MemoryBand, MemorySeries } from "../../engine/report/memory-series.js";
import { s, setAttribute } from "../dom.js";
import { areaY, axisX, axisY, dot, drawPlot, gridY, lineY, ruleX, text } from "../plot/plot.js";
import { bytesText, countText } from "../plot/units.js";

export type Unit = "count" | "bytes";

export const bandNames = ["instructions", "primal states", "cotangent buffers", "metadata"] as const;
const colours = ["var(--bs-flow)", "var(--bs-hold)", "var(--bs-sum)", "var(--bs-done)"] as const;

const HEIGHT = 128;
const LEFT = 64;
const RIGHT = 22;
const TOP = 26;
const BOTTOM = 6;
const AXIS = 40;

export function bandAt(band: MemoryBand, unit: Unit): { readonly peak: number; readonly at: number } {
  return unit === "count"
    ? { peak: band.peakCount, at: band.peakCountAt }
    : { peak: band.peakBytes, at: band.peakBytesAt };
}

export function unitText(value: number, unit: Unit): string {
  return unit === "count" ? countText(value) : bytesText(value);
}

export class Bands {
  private width = 0;
  private steps = 0;
  private line: SVGGElement | null = null;
  private step = 0;

  constructor(private readonly move: (step: number) => void) {}

  draw(width: number, series: MemorySeries, unit: Unit, forwardSteps: number, step: number): SVGSVGElement {
    this.width = width;
    this.steps = series.steps;
    const height = HEIGHT * series.bands.length + AXIS;
    const svg = s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, class: "plot bands" });
    series.bands.forEach((band, i) => {
      const drawn = this.band(band, i, series, unit, forwardSteps, i === series.bands.length - 1);
      setAttribute(drawn, "y", i * HEIGHT);
      svg.append(drawn);
    });
    const bottom = HEIGHT * series.bands.length;
    this.line = s(
      "g",
      { class: "now-line", "data-not-saved": "" },
      s("line", { y1: 14, y2: bottom }),
      s("path", { d: "M-5 4H5V9L0 14L-5 9Z" }),
    );
    svg.append(this.line);
    this.now(step);
    this.drag(svg);
    return svg;
  }

  now(step: number): void {
    this.step = step;
    if (this.line !== null) setAttribute(this.line, "transform", `translate(${this.at(step)} 0)`);
  }

  private at(step: number): number {
    return LEFT + ((this.width - LEFT - RIGHT) * step) / Math.max(1, this.steps);
  }

  private band(
    band: MemoryBand,
    index: number,
    series: MemorySeries,
    unit: Unit,
    forwardSteps: number,
    last: boolean,
  ): SVGSVGElement {
    const values = unit === "count" ? band.counts : band.bytes;
    const { starts, steps } = series;
    // the last column goes on to the last step
    const xs = [...starts.subarray(0, -1), steps];
    const ys = [...values, values[values.length - 1]];
    const { peak, at } = bandAt(band, unit);
    const late = at > steps * 0.75;
    const colour = colours[index];
    const line = { x: xs, y: ys, curve: "step-after" } as const;
    return drawPlot({
      width: this.width,
      height: HEIGHT + (last ? AXIS : 0),
      marginLeft: LEFT,
      marginRight: RIGHT,
      marginTop: TOP,
      marginBottom: BOTTOM + (last ? AXIS : 0),
      x: { domain: [0, Math.max(1, steps)], axis: null },
      y: { domain: [0, Math.max(1, peak) * 1.12], axis: null, label: null },
      marks: [
        gridY({ ticks: 3, stroke: "var(--bs-card-line)", strokeOpacity: 0.6 }),
        axisY({
          ticks: 3,
          tickSize: 0,
          label: null,
          // half an object is none
          tickFormat: (value: number) => (Number.isInteger(value) ? unitText(value, unit) : ""),
        }),
        last
          ? axisX({
              ticks: Math.max(2, Math.floor(this.width / 90)),
              tickSize: 0,
              label: "step of the sweep",
              labelAnchor: "center",
              labelArrow: "none",
              tickFormat: (value: number) => (Number.isInteger(value) ? countText(value) : ""),
            })
          : null,
        ruleX([forwardSteps], { stroke: "var(--bs-edge)", strokeDasharray: "2 3" }),
        areaY(xs, { ...line, fill: colour, fillOpacity: 0.22 }),
        lineY(xs, { ...line, stroke: colour, strokeWidth: 1.5 }),
        peak > 0 ? dot([at], { x: [at], y: [peak], r: 3.5, fill: colour }) : null,
        peak > 0
          ? text([at], {
              x: [at],
              y: [peak],
              text: [`peak ${unitText(peak, unit)} at step ${countText(at)}`],
              textAnchor: late ? "end" : "start",
              dx: late ? -8 : 8,
              dy: -7,
              fill: "var(--bs-fg)",
            })
          : null,
        text([bandNames[index]], {
          frameAnchor: "top-left",
          dy: -20,
          dx: 0,
          fontWeight: 600,
          fontSize: 12,
          fill: "var(--bs-fg)",
        }),
        index === 0
          ? text([forwardSteps], {
              x: [forwardSteps],
              frameAnchor: "top",
              textAnchor: "end",
              dx: -6,
              dy: 6,
              text: [forwardSteps > steps * 0.12 ? "forward" : ""],
              fill: "var(--bs-dim)",
            })
          : null,
      ],
    });
  }

  private drag(svg: SVGSVGElement): void {
    const to = (event: PointerEvent): void => {
      const { left, width } = svg.getBoundingClientRect();
      const x = ((event.clientX - left) * this.width) / Math.max(1, width);
      const share = (x - LEFT) / Math.max(1, this.width - LEFT - RIGHT);
      const step = Math.round(Math.min(1, Math.max(0, share)) * this.steps);
      if (step !== this.step) this.move(step);
    };
    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      svg.setPointerCapture(event.pointerId);
      to(event);
    });
    svg.addEventListener("pointermove", (event) => {
      if (svg.hasPointerCapture(event.pointerId)) to(event);
    });
  }
}
