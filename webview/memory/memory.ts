/** The memory picture: the four retained objects over the steps of the sweep, with their peaks and the present step. */
import { memorySeries, type MemorySeries } from "../../engine/report/memory-series.js";
import type { Timeline } from "../../engine/timeline/timeline.js";
import { h, setAttribute } from "../dom.js";
import { Figure } from "../plot/figure.js";
import type { AppState } from "../store.js";
import type { Picture, Services } from "../tabs.js";
import { Bands, bandAt, bandNames, type Unit } from "./bands.js";
import { figuresTable } from "./figures.js";

/** Columns a picture is computed with: wider panels have no use for more. */
const COLUMNS = 1600;

const cache = new WeakMap<Timeline, MemorySeries>();

function seriesOf(timeline: Timeline): MemorySeries {
  let series = cache.get(timeline);
  if (series === undefined) {
    series = memorySeries(timeline.trace, timeline.steps, COLUMNS);
    cache.set(timeline, series);
  }
  return series;
}

export class MemoryPicture implements Picture {
  private readonly figure: Figure;
  private readonly bands: Bands;
  private readonly side = h("div", {
    class: "picture-side",
    role: "region",
    "aria-label": "Figures",
    tabindex: 0,
  });
  private readonly counts = h("button", { class: "segment", id: "memory-counts" }, "Counts");
  private readonly bytes = h("button", { class: "segment", id: "memory-bytes" }, "Bytes");
  private unit: Unit = "count";
  private state: AppState | null = null;

  constructor(host: HTMLElement, services: Services) {
    this.figure = new Figure(services, { name: "memory", title: "What the sweep holds" });
    this.bands = new Bands((step) => services.move(step));
    const units = h(
      "div",
      { class: "segments", role: "group", "aria-label": "Unit" },
      this.counts,
      this.bytes,
    );
    for (const [button, unit] of [
      [this.counts, "count"],
      [this.bytes, "bytes"],
    ] as const)
      button.addEventListener("click", () => this.choose(unit));
    this.figure.element.querySelector(".figure-tools")!.before(units);
    host.append(
      h("div", { class: "picture" }, h("div", { class: "picture-main" }, this.figure.element), this.side),
    );
    this.press();
  }

  update(state: AppState, before: AppState | null): void {
    this.state = state;
    const { model, mode, step } = state;
    if (model === null) return;
    const timeline = model.timeline(mode);
    const fresh = before === null || before.model !== model || before.mode !== mode;
    if (fresh) this.draw(timeline);
    if (fresh || step !== before.step) {
      this.bands.now(step);
      this.list(timeline, step);
    }
  }

  private choose(unit: Unit): void {
    this.unit = unit;
    this.press();
    const { state } = this;
    if (state === null || state.model === null) return;
    const timeline = state.model.timeline(state.mode);
    this.draw(timeline);
    this.list(timeline, state.step);
  }

  private press(): void {
    setAttribute(this.counts, "aria-pressed", String(this.unit === "count"));
    setAttribute(this.bytes, "aria-pressed", String(this.unit === "bytes"));
  }

  private draw(timeline: Timeline): void {
    const series = seriesOf(timeline);
    const { unit } = this;
    this.figure.say(
      unit === "count"
        ? "count: objects held after each step, the steps of the sweep to the right; click or drag to move"
        : "allocated bytes: what the engine's columns hold for them; click or drag to move",
    );
    const peaks = series.bands.map((band, i) => {
      const { peak, at } = bandAt(band, unit);
      return `${bandNames[i]} at most ${peak} at step ${at}`;
    });
    this.figure.show({
      description: `Objects held over ${series.steps} steps, as ${unit}: ${peaks.join("; ")}.`,
      draw: (width) => this.bands.draw(width, series, unit, timeline.forwardSteps, this.state?.step ?? 0),
      table: () => ({
        columns: ["first step", ...bandNames.flatMap((name) => [`${name}, count`, `${name}, bytes`])],
        rows: Array.from(series.starts.subarray(0, -1), (start, i) => [
          start,
          ...series.bands.flatMap(({ counts, bytes }) => [counts[i], bytes[i]]),
        ]),
      }),
    });
  }

  private list(timeline: Timeline, step: number): void {
    const { state } = this;
    if (state === null || state.model === null) return;
    this.side.replaceChildren(
      ...figuresTable(seriesOf(timeline), this.unit, step, state.model.view.report?.checkpoint ?? null),
    );
  }
}
