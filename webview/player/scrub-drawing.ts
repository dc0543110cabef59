/** What is drawn on the scrub bar: ticks, the regions, what a schedule stores and replays, fan-outs, breakpoints. */
import type { Timeline } from "../../engine/timeline/timeline.js";
import { s } from "../dom.js";
import { fanOutMarks, storageMarks } from "./marks.js";

/** more ticks than this would be a grey band */
const MOST_TICKS = 60;
const MOST_MARKS = 300;
/** more diamonds than this would hide the bar: then each is a tick above it */
const MOST_DIAMONDS = 40;

/** Where a step stands, as a share of the width. */
function placeOf(steps: number): (step: number) => string {
  return (step) => `${(100 * step) / Math.max(1, steps)}%`;
}

/** Everything that stands still while the sweep moves. */
export function scrubDrawing(timeline: Timeline): SVGElement[] {
  const { steps, forwardSteps } = timeline;
  const at = placeOf(steps);
  const out: SVGElement[] = [];
  const every = Math.max(1, Math.ceil(steps / MOST_TICKS));
  for (let step = 0; step <= steps; step += every) {
    const long = step === 0 || step === forwardSteps || step === steps;
    out.push(s("line", { x1: at(step), x2: at(step), y1: 26, y2: long ? 33 : 30, class: "tick" }));
  }
  const regions: [number, number, string][] = [
    [0, forwardSteps, "forward"],
    [forwardSteps, steps, "reverse"],
  ];
  for (const [from, to, name] of regions) {
    if (to <= from) continue;
    out.push(s("line", { x1: at(from), x2: at(to), y1: 36, y2: 36, class: "region-line" }));
    // a narrow region has no room for its name
    if ((to - from) / steps < 0.06) continue;
    const text = s("text", { x: at((from + to) / 2), y: 50, "text-anchor": "middle", class: "region" });
    text.textContent = name;
    out.push(text);
  }
  const { snapshots, replays } = storageMarks(timeline);
  // what runs again lies along the track; the more there is, the fewer stretches could be told apart
  const stretch = Math.max(1, Math.ceil(replays.length / MOST_MARKS));
  for (let i = 0; i < replays.length; i += stretch)
    out.push(
      s("line", { x1: at(replays[i][0]), x2: at(replays[i][1]), y1: 24.5, y2: 24.5, class: "replay-mark" }),
    );
  const apart = Math.max(1, Math.ceil(snapshots.length / MOST_MARKS));
  for (let i = 0; i < snapshots.length; i += apart)
    out.push(
      s(
        "svg",
        { x: at(snapshots[i]), y: 20, class: "mark" },
        s("path", { d: "M-3.5 -10.5H3.5L0 -4.5Z", class: "snapshot-mark" }),
      ),
    );
  const marks = fanOutMarks(timeline);
  const stride = Math.max(1, Math.ceil(marks.length / MOST_MARKS));
  for (let i = 0; i < marks.length; i += stride) {
    const crowded = marks.length > MOST_DIAMONDS;
    const shape = crowded
      ? s("path", { d: "M0 -9V-5", class: "mark-tick" })
      : s("path", { d: "M0 -6L6 0L0 6L-6 0Z", class: "diamond" });
    out.push(s("svg", { x: at(marks[i].step), y: 20, class: "mark" }, shape));
  }
  return out;
}

/** A ring at each step a breakpoint stops at, as far as they can be told apart. */
export function breakpointRings(steps: number, breakpoints: readonly number[]): SVGElement[] {
  const at = placeOf(steps);
  const inside = breakpoints.filter((step) => step >= 0 && step <= steps);
  const stride = Math.max(1, Math.ceil(inside.length / MOST_MARKS));
  return inside
    .filter((_, i) => i % stride === 0)
    .map((step) =>
      s("svg", { x: at(step), y: 20, class: "mark" }, s("circle", { r: 5.5, class: "breakpoint-mark" })),
    );
}
