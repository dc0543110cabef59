/** The numbers beside the bands: now and at most, each with what kind of figure it is. */
import { retainedKinds, type MemorySeries } from "../../engine/report/memory-series.js";
import type { CheckpointReport } from "../../engine/report/report.js";
import { h } from "../dom.js";
import { bytesText, countText } from "../plot/units.js";
import { bandAt, unitText, type Unit } from "./bands.js";

export const unitLabel: Readonly<Record<Unit, string>> = { count: "count", bytes: "allocated bytes" };

const meanings: readonly string[] = [
  "operations on the tape",
  "values that a reverse rule still reads",
  "sums that contributions arrive in",
  "decisions taken and random draws",
];

export function figuresTable(
  series: MemorySeries,
  unit: Unit,
  step: number,
  checkpoint: CheckpointReport | null,
): HTMLElement[] {
  const column = columnOf(series, step);
  const rows = series.bands.map((band, i) => {
    const { peak, at } = bandAt(band, unit);
    const now = (unit === "count" ? band.counts : band.bytes)[column];
    return h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        h("i", { class: `swatch swatch-${i}`, "aria-hidden": "true" }),
        retainedKinds[i],
        h("span", { class: "dim" }, meanings[i]),
      ),
      h("td", { class: "n" }, unitText(now, unit)),
      h("td", { class: "n" }, unitText(peak, unit)),
      h("td", { class: "n dim" }, countText(at)),
    );
  });
  const head = h(
    "tr",
    {},
    ...["held", "now", "peak", "at step"].map((name, i) =>
      h("th", { scope: "col", class: i > 0 && "n" }, name),
    ),
  );
  return [
    h("h3", {}, `After step ${countText(step)}, as ${unitLabel[unit]}`),
    h("table", { class: "figures" }, h("thead", {}, head), h("tbody", {}, ...rows)),
    ...allocated(checkpoint),
    h("h3", {}, "What these figures are"),
    h(
      "p",
      { class: "dim" },
      h("b", {}, "count"),
      ": objects held, read off the recorded sweep. ",
      h("b", {}, "allocated bytes"),
      ": typed arrays that the engine holds for them. ",
      h("b", {}, "measured"),
      ": memory of a process; a sweep in the editor shares its process, so it is measured on the Schedules tab and by ",
      h("code", {}, "backsweep compare"),
      ", one schedule a process.",
    ),
  ];
}

/** Column of a position. */
export function columnOf({ starts }: MemorySeries, step: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle] <= step) low = middle;
    else high = middle - 1;
  }
  return low;
}

function allocated(checkpoint: CheckpointReport | null): HTMLElement[] {
  if (checkpoint === null) return [];
  const { peak, storeAll } = checkpoint.allocatedBytes;
  const line = (label: string, bytes: number): HTMLElement =>
    h("tr", {}, h("th", { scope: "row" }, label), h("td", { class: "n" }, bytesText(bytes)));
  return [
    h("h3", {}, "Primals the executor held, as allocated bytes"),
    h(
      "table",
      { class: "figures" },
      h("tbody", {}, line(`${checkpoint.schedule}, peak`, peak), line("store-all, peak", storeAll)),
    ),
  ];
}
