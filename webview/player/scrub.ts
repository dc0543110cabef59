/** The scrub bar: a range input over its own drawing, and the words above the thumb. */
import type { Timeline } from "../../engine/timeline/timeline.js";
import { h, s, setAttribute, setText } from "../dom.js";
import { storageMark } from "../text/storage.js";
import { breakpointText, fanOutMarks } from "./marks.js";
import { breakpointRings, scrubDrawing } from "./scrub-drawing.js";

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
  private readonly rings = s("g");
  private readonly progress = s("line", { x1: 0, y1: 20, y2: 20, class: "track-done" });
  private readonly label = s("text", { y: 9, class: "mark-label" });
  private timeline: Timeline | null = null;
  private breakpoints: readonly number[] = [];

  constructor(move: (step: number) => void) {
    const track = s("line", { x1: 0, x2: "100%", y1: 20, y2: 20, class: "track" });
    const drawing = s(
      "svg",
      { class: "scrub-drawing", "aria-hidden": "true", width: "100%", height: 54 },
      track,
      this.progress,
      this.still,
      this.rings,
      this.label,
    );
    this.element = h("div", { class: "scrub" }, drawing, this.input);
    this.input.addEventListener("input", () => move(Number(this.input.value)));
  }

  show(timeline: Timeline, step: number, breakpoints: readonly number[], spoken: string): void {
    const fresh = timeline !== this.timeline;
    if (fresh) {
      this.timeline = timeline;
      setAttribute(this.input, "max", timeline.steps);
      this.still.replaceChildren(...scrubDrawing(timeline));
    }
    if (fresh || breakpoints !== this.breakpoints) {
      this.breakpoints = breakpoints;
      this.rings.replaceChildren(...breakpointRings(timeline.steps, breakpoints));
    }
    if (this.input.value !== String(step)) this.input.value = String(step);
    const stop = breakpoints.includes(step) ? breakpointText(timeline, step) : "";
    setAttribute(this.input, "aria-valuetext", stop === "" ? spoken : `${spoken} ${stop}.`);
    const share = (100 * step) / Math.max(1, timeline.steps);
    setAttribute(this.progress, "x2", `${share}%`);
    const here = fanOutMarks(timeline).filter((mark) => mark.step === step);
    const stored = storageMark(timeline, step);
    const words = here.length === 0 ? stored : `${here.map((mark) => mark.title).join(", ")} final`;
    setText(this.label, [words, stop].filter((text) => text !== "").join("; "));
    setAttribute(this.label, "x", `${share}%`);
    setAttribute(this.label, "text-anchor", share > 85 ? "end" : share < 10 ? "start" : "middle");
  }

  clear(): void {
    setAttribute(this.input, "aria-valuetext", null);
  }
}
