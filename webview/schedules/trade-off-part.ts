/** The trade-off with its legend and its table: every schedule for a chain of so many steps, one of them chosen. */
import type { TradeOffAnswer } from "../../engine/report/questions.js";
import { h } from "../dom.js";
import { Figure } from "../plot/figure.js";
import type { Services } from "../tabs.js";
import { messageOf } from "../text/message.js";
import { scheduleTable, type Choice } from "./schedule-table.js";
import { drawTradeOff, familyLegend } from "./trade-off.js";

export class TradeOffPart {
  readonly elements: readonly HTMLElement[];
  private readonly figure: Figure;
  private readonly legend = h("div");
  private readonly table = h("div", { class: "table-place" });
  private steps = 0;
  private answer: TradeOffAnswer | null = null;
  private drawn: TradeOffAnswer | null = null;
  private choice: Choice | null = null;
  private all = false;

  constructor(private readonly services: Services) {
    this.figure = new Figure(services, {
      name: "trade-off",
      title: "Same gradient, other price",
      subtitle: "every schedule a point; picking one runs the sweep with it",
    });
    this.elements = [this.figure.element, this.legend, this.table];
  }

  /** For a chain of so many steps; what is known already is not asked again. */
  ask(steps: number): void {
    this.steps = steps;
    if (this.answer?.steps === steps) return;
    this.services
      .ask({ kind: "tradeOff", steps })
      .then((answer) => {
        if (steps !== this.steps) return;
        this.answer = answer;
        this.draw();
      })
      .catch((error: unknown) => {
        if (steps === this.steps) this.figure.instead(messageOf(error));
      });
  }

  choose(choice: Choice): void {
    this.choice = choice;
    this.draw();
  }

  /** Schedules that run on chains of coupling layers only. */
  couplingOnly(schedule: string): boolean {
    return this.answer?.points.some((one) => one.schedule === schedule && one.couplingOnly) === true;
  }

  private draw(): void {
    const { answer, choice } = this;
    if (answer === null || choice === null || answer.steps !== this.steps) return;
    const fresh = answer !== this.drawn;
    this.drawn = answer;
    this.figure.show({
      description:
        `Trade-off for a chain of ${answer.steps} steps: ${answer.points.length} schedules, peak states and tapes ` +
        "held to the right, forward evaluations beyond one sweep upwards.",
      draw: (width) => drawTradeOff(width, answer, choice.chosen, (schedule) => choice.pick(schedule)),
      table: () => ({
        columns: ["schedule", "peakStates", "peakTapes", "held", "extraForwards", "onFront"],
        rows: answer.points.map((p) => [p.schedule, p.peakStates, p.peakTapes, p.x, p.y, p.onFront]),
      }),
    });
    if (fresh) this.legend.replaceChildren(familyLegend(answer));
    this.list(answer, choice);
  }

  private list(answer: TradeOffAnswer, choice: Choice): void {
    const more = h(
      "button",
      { class: "link", id: "all-schedules", "aria-expanded": String(this.all) },
      this.all ? "Fewer" : `All ${answer.points.length} schedules`,
    );
    more.addEventListener("click", () => {
      this.all = !this.all;
      this.list(answer, choice);
      this.table.querySelector<HTMLElement>("#all-schedules")?.focus();
    });
    const active = document.activeElement;
    const focused = active !== null && this.table.contains(active) ? active.getAttribute("data-key") : null;
    this.table.replaceChildren(
      h("h3", {}, `Chain of ${answer.steps.toLocaleString("en")} steps, counts executed`),
      scheduleTable(answer, choice, this.all),
      more,
    );
    if (focused !== null)
      this.table.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }
}
