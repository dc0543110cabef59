/** Schedules really run on the graph, one after the other, by the host: allocated bytes against seconds, and all figures. */
import type { CompareAnswer, ComparedRow } from "../../engine/report/questions.js";
import { h } from "../dom.js";
import { Figure } from "../plot/figure.js";
import type { Services } from "../tabs.js";
import { messageOf } from "../text/message.js";
import { comparedNumbers } from "./compared-numbers.js";
import { comparedNotes, comparedTable } from "./compared-table.js";
import { drawMeasured } from "./measured.js";

export interface Subject {
  /** number of the sweep on screen; null: nothing that could be run */
  readonly sweep: number | null;
  readonly chosen: string | null;
}

export class ComparedPart {
  readonly elements: readonly HTMLElement[];
  private readonly figure: Figure;
  private readonly rows = h("div", { class: "table-place table-wide" });
  private readonly measure = h("button", { class: "button", id: "measure" }, "Measure on this graph");
  private readonly again = h("button", { class: "button", id: "measure-chosen" });
  private subject: Subject = { sweep: null, chosen: null };
  private answer: CompareAnswer | null = null;
  private busy = false;
  private wanted = false;
  /** counts graphs: what was asked about an earlier one is not shown */
  private graph = 0;

  constructor(
    private readonly services: Services,
    private readonly pick: (schedule: string) => void,
  ) {
    this.figure = new Figure(services, {
      name: "measured",
      title: "Bytes against seconds",
      subtitle: "allocated bytes of the executor to the right, seconds measured upwards",
    });
    this.measure.addEventListener("click", () => void this.ask(null));
    this.again.addEventListener("click", () => void this.ask(this.unmeasured));
    this.elements = [this.figure.element, this.rows];
    this.forget();
  }

  /** Another graph is on screen. */
  forget(): void {
    this.graph++;
    this.answer = null;
    this.busy = false;
    this.rows.replaceChildren();
    this.invite();
  }

  /** Measures as soon as there is a sweep to measure on, unless that was done. */
  start(): void {
    this.wanted = true;
    this.show(this.subject);
  }

  show(subject: Subject): void {
    const before = this.subject;
    this.subject = subject;
    if (this.wanted && subject.sweep !== null) {
      this.wanted = false;
      if (this.answer === null) void this.ask(null);
    }
    this.measure.disabled = subject.sweep === null;
    if (this.answer !== null && !this.busy && before.chosen !== subject.chosen) this.draw(this.answer);
  }

  private invite(): void {
    this.figure.instead(
      "Runs this graph with the schedules that suit its length, each in a process of its own. ",
      this.measure,
    );
  }

  /** The chosen schedule, if it was not measured yet. */
  private get unmeasured(): string[] | null {
    const { chosen } = this.subject;
    const known = this.answer?.rows.some(({ schedule }) => schedule === chosen) ?? true;
    return chosen === null || known ? null : [chosen];
  }

  private async ask(schedules: readonly string[] | null): Promise<void> {
    const { graph, busy } = this;
    const { sweep } = this.subject;
    if (sweep === null || busy) return;
    this.busy = true;
    this.again.disabled = true;
    if (this.answer === null) this.figure.instead("Running the graph with each schedule\u2026");
    try {
      const answer = await this.services.ask({ kind: "compare", sweep, schedules });
      if (graph !== this.graph) return;
      this.busy = false;
      this.answer = merged(this.answer, answer);
      this.draw(this.answer);
    } catch (error) {
      if (graph !== this.graph) return;
      this.busy = false;
      // the graph was run again meanwhile: what is on screen now is measured
      if (this.answer === null && this.subject.sweep !== sweep) return this.start();
      if (this.answer === null) this.figure.instead(`${messageOf(error)} `, this.measure);
      else this.draw(this.answer, messageOf(error));
    }
  }

  private draw(answer: CompareAnswer, problem = ""): void {
    const { chosen } = this.subject;
    const pick = (schedule: string): void => this.pick(schedule);
    this.figure.show({
      description: `${answer.rows.length} schedules run on this graph: allocated bytes to the right, seconds upwards.`,
      draw: (width) => drawMeasured(width, answer.rows, chosen, pick),
      table: () => comparedNumbers(answer),
    });
    const wanted = this.unmeasured;
    this.again.disabled = false;
    this.again.textContent = wanted === null ? "Measure again" : `Measure ${wanted[0]} too`;
    const active = document.activeElement;
    const focused = active !== null && this.rows.contains(active) ? active.getAttribute("data-key") : null;
    this.rows.replaceChildren(
      h(
        "div",
        { class: "wide-table", tabindex: 0, role: "region", "aria-label": "Measured on this graph" },
        comparedTable(answer, chosen, pick),
      ),
      this.again,
      ...(problem === "" ? [] : [h("p", { class: "is-bad" }, problem)]),
      ...comparedNotes(answer, this.services.revealPlace),
    );
    if (focused !== null)
      this.rows.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }
}

/** Rows measured later take the place of earlier ones; the order is that of the first time. */
function merged(known: CompareAnswer | null, fresh: CompareAnswer): CompareAnswer {
  if (known === null) return fresh;
  const rows = new Map<string, ComparedRow>();
  for (const row of [...known.rows, ...fresh.rows]) rows.set(row.schedule, row);
  return { reference: fresh.reference, rows: Array.from(rows.values()), notes: fresh.notes };
}
