/** What is planned for: which chain of the graph, how many steps, which schedule; and the way to run with it. */
import type { ScheduledRegion } from "../../engine/report/executed-space-time.js";
import { h, setAttribute, setText } from "../dom.js";
import { countText } from "../plot/units.js";

export interface ControlEvents {
  region(region: number): void;
  steps(steps: number): void;
  schedule(name: string): void;
  run(): void;
  own(): void;
}

export class Controls {
  readonly element: HTMLElement;
  private readonly region = h("select", { id: "schedule-region", "aria-label": "Chain of the graph" });
  private readonly steps = h("input", {
    id: "schedule-steps",
    type: "number",
    min: 1,
    step: 1,
    class: "field field-steps",
  });
  private readonly name = h("input", {
    id: "schedule-name",
    type: "text",
    class: "field field-name mono",
    spellcheck: "false",
    autocomplete: "off",
  });
  private readonly run = h("button", { id: "schedule-run", class: "button primary" }, "Run with it");
  private readonly own = h(
    "button",
    { id: "schedule-own", class: "button", title: "Run with the schedule that the graph itself asks for" },
    "The graph\u2019s own",
  );
  private shownSteps = 0;
  private shownSchedule: string | null = null;
  private readonly notice = h("p", { class: "schedule-notice dim" });

  constructor(events: ControlEvents) {
    this.region.addEventListener("change", () => events.region(Number(this.region.value)));
    this.steps.addEventListener("change", () => {
      const steps = Number(this.steps.value);
      if (Number.isSafeInteger(steps) && steps >= 1) events.steps(steps);
    });
    const form = h(
      "form",
      { class: "schedule-form" },
      h("label", { for: "schedule-steps" }, "Steps"),
      this.steps,
      h("label", { for: "schedule-name" }, "Schedule"),
      this.name,
      h("button", { class: "button", id: "schedule-plan", type: "submit" }, "Plan"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.name.value.trim() !== "") events.schedule(this.name.value.trim());
    });
    this.run.addEventListener("click", () => events.run());
    this.own.addEventListener("click", () => events.own());
    this.element = h(
      "div",
      { class: "schedule-controls" },
      h("div", { class: "schedule-row" }, this.region, form, this.run, this.own),
      this.notice,
    );
  }

  show(regions: readonly ScheduledRegion[], region: number, notice: string): void {
    this.region.hidden = regions.length < 2;
    this.region.replaceChildren(...regions.map((one) => h("option", { value: one.region }, regionText(one))));
    this.region.value = String(region);
    setText(this.notice, notice);
    this.notice.hidden = notice === "";
  }

  planned(steps: number, schedule: string | null, canRun: boolean, why: string): void {
    // what is being typed stays until something else is planned
    if (steps !== this.shownSteps) this.steps.value = String(steps);
    if (schedule !== null && schedule !== this.shownSchedule) this.name.value = schedule;
    this.shownSteps = steps;
    this.shownSchedule = schedule;
    this.run.disabled = !canRun;
    setAttribute(this.run, "title", why === "" ? null : why);
  }
}

export function regionText({ kind, name, steps }: ScheduledRegion): string {
  const called = name === "" || name === kind ? kind : `${kind} ${name}`;
  return `${called}, ${countText(steps)} ${steps === 1 ? "step" : "steps"}`;
}
