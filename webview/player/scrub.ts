/** The scrub bar: a range input over its own drawing of ticks, regions, progress and marks. */
import type { Timeline } from "../../engine/timeline/timeline.js";
import { h, s, setAttribute, setText } from "../dom.js";
import { storageMark } from "../text/storage.js";
import { fanOutMarks, storageMarks } from "./marks.js";

/** more ticks than this would be a grey band */
const MOST_TICKS = 60;
const MOST_MARKS = 300;
/** more diamonds than this would hide the bar: then each is a tick above it */
const MOST_DIAMONDS = 40;

export class Scrub {
  readonly element: HTMLElement;
  private readonly input = h("input", {
    type: "range",
    id: "scrub",
    min: 0,
    max: 0,
    step: 1,
    value: 0,
    "aria-label": "Step",
  });
  private readonly still = s("g");
  private readonly progress = s("line", { x1: 0, y1: 20, y2: 20, class: "track-done" });
  private readonly label = s("text", { y: 9, class: "mark-label" });
  private timeline: Timeline | null = null;

  constructor(move: (step: number) => void) {
    const track = s("line", { x1: 0, x2: "100%", y1: 20, y2: 20, class: "track" });
    const drawing = s(
      "svg",
      { class: "scrub-drawing", "aria-hidden": "true", width: "100%", height: 54 },
      track,
      this.progress,
      this.still,
      this.label,
    );
    this.element = h("div", { class: "scrub" }, drawing, this.input);
    this.input.addEventListener("input", () => move(Number(this.input.value)));
  }

  show(timeline: Timeline, step: number, spoken: string): void {
    if (timeline !== this.timeline) {
      this.timeline = timeline;
      setAttribute(this.input, "max", timeline.steps);
      this.still.replaceChildren(...this.drawing(timeline));
    }
    if (this.input.value !== String(step)) this.input.value = String(step);
    setAttribute(this.input, "aria-valuetext", spoken);
    const share = (100 * step) / Math.max(1, timeline.steps);
    setAttribute(this.progress, "x2", `${share}%`);
    const here = fanOutMarks(timeline).filter((mark) => mark.step === step);
    const stored = storageMark(timeline, step);
    setText(this.label, here.length === 0 ? stored : `${here.map((mark) => mark.title).join(", ")} final`);
    setAttribute(this.label, "x", `${share}%`);
    setAttribute(this.label, "text-anchor", share > 85 ? "end" : share < 10 ? "start" : "middle");
  }

  clear(): void {
    setAttribute(this.input, "aria-valuetext", null);
  }

  private drawing(timeline: Timeline): SVGElement[] {
    const { steps, forwardSteps } = timeline;
    const at = (step: number): string => `${(100 * step) / Math.max(1, steps)}%`;
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
}
