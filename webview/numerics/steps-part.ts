/** The part on step sizes: which input, format and formula, and the V of the difference quotient's error. */
import type { StepsAnswer } from "../../engine/report/questions.js";
import type { Trace } from "../../engine/trace/trace.js";
import { h } from "../dom.js";
import { noteParts } from "../inspector/notes.js";
import type { SweepModel } from "../model/sweep-model.js";
import { Figure } from "../plot/figure.js";
import { formula } from "../plot/formula.js";
import centralQuotient from "../plot/formulas/central-quotient.tex";
import forwardQuotient from "../plot/formulas/forward-quotient.tex";
import { tiny } from "../plot/units.js";
import type { Services } from "../tabs.js";
import { exactWords } from "../text/exact.js";
import { messageOf } from "../text/message.js";
import { legend, refill, select } from "./choices.js";
import { drawSteps } from "./steps.js";

/** Elements of an array input offered by name. */
const MOST_ELEMENTS = 24;

export class StepsPart {
  readonly element: HTMLElement;
  private readonly figure: Figure;
  private readonly input = select("steps-input", "Input");
  private readonly format = select("steps-format", "Number format of the quotient");
  private readonly scheme = select("steps-scheme", "Formula of the quotient");
  private readonly words = h("div", { class: "figure-words" });
  private model: SweepModel | null = null;
  private answer: StepsAnswer | null = null;

  constructor(private readonly services: Services) {
    this.figure = new Figure(services, { name: "step-size", title: "Difference quotient against the step" });
    for (const scheme of ["central", "forward"]) this.scheme.append(h("option", { value: scheme }, scheme));
    this.input.addEventListener("change", () => void this.ask());
    for (const choice of [this.format, this.scheme]) choice.addEventListener("change", () => this.draw());
    this.element = h(
      "section",
      { class: "picture-part" },
      h("div", { class: "part-controls" }, this.input, this.format, this.scheme),
      this.figure.element,
      legend(
        ["sign-total", "total error"],
        ["sign-truncation", "truncation"],
        ["sign-cancellation", "cancellation"],
        ["sign-theory", "where the two bounds meet"],
      ),
      this.words,
    );
  }

  show(model: SweepModel): void {
    this.model = model;
    this.answer = null;
    refill(this.input, inputNames(model.view.trace));
    refill(this.format, []);
    void this.ask();
  }

  private async ask(): Promise<void> {
    const { model } = this;
    if (model === null) return;
    if (!model.view.trace.header.complete) return this.figure.instead("The run stopped before its sweep.");
    if (this.input.value === "") return this.figure.instead("This graph has no input to vary.");
    const input = this.input.value;
    this.figure.instead(`Evaluating the graph beside ${input}\u2026`);
    this.words.replaceChildren();
    try {
      const answer = await this.services.ask({ kind: "steps", sweep: model.view.id, input });
      if (model !== this.model || input !== this.input.value) return;
      this.answer = answer;
      refill(
        this.format,
        answer.formats.map(({ dtype }) => [dtype, dtype]),
      );
      this.draw();
    } catch (error) {
      if (model === this.model && input === this.input.value) this.figure.instead(messageOf(error));
    }
  }

  private draw(): void {
    const format = this.answer?.formats.find(({ dtype }) => dtype === this.format.value);
    const scheme = format?.schemes.find((one) => one.scheme === this.scheme.value);
    if (this.answer === null || format === undefined || scheme === undefined) return;
    const { best, theory } = scheme;
    const { input } = this.answer;
    this.figure.say(
      `d L / d ${input} by ${scheme.scheme} differences in ${format.dtype}, beside the reverse sweep\u2019s ${tiny(format.derivative)}`,
    );
    const exact = exactWords(scheme);
    if (exact.all) this.figure.instead(exact.text);
    else
      this.figure.show({
        description:
          `Error of the ${scheme.scheme} difference quotient for ${input} in ${format.dtype} over ${scheme.rows.length} powers ` +
          `of two${best === null ? "" : `; smallest error ${tiny(best.error)} at step ${tiny(best.step)}`}.`,
        draw: (width) => drawSteps(width, scheme),
        table: () => ({
          columns: ["step", "error", "truncation", "cancellation"],
          rows: scheme.rows.map((row) => [row.step, row.error, row.truncation, row.cancellation]),
        }),
      });
    this.words.replaceChildren(
      h(
        "p",
        {},
        scheme.scheme === "central" ? formula(centralQuotient) : formula(forwardQuotient),
        h(
          "span",
          { class: "dim" },
          ` truncation falls like ${scheme.scheme === "central" ? "h\u00b2" : "h"}, cancellation grows like ${tiny(format.epsilon)} |L| / h. ` +
            `Rule of thumb: h about ${tiny(theory.scale)}.`,
        ),
      ),
      exact.text !== "" && !exact.all ? h("p", {}, exact.text) : "",
      ...noteParts(this.answer.notes, this.services.revealPlace),
    );
  }
}

/** Inputs, and of arrays their first elements. */
function inputNames({ header }: Trace): (readonly [string, string])[] {
  return header.inputs.flatMap((input) => {
    if (input.shape.length === 0) return [[input.name, input.name] as const];
    const size = input.shape.reduce((product, length) => product * length, 1);
    return Array.from({ length: Math.min(size, MOST_ELEMENTS) }, (_, flat) => {
      let rest = flat;
      let path = "";
      for (const length of [...input.shape].reverse()) {
        path = `[${rest % length}]${path}`;
        rest = Math.floor(rest / length);
      }
      return [`${input.name}${path}`, `${input.name}${path}`] as const;
    });
  });
}
