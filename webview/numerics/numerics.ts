/**
 * The numerics picture: difference quotients against the step, sums against their order, where NaN and infinities begin,
 * and what a replay computed otherwise. What has to run the graph is asked of the host while the picture is in front.
 */
import type { SpreadAnswer, StepsAnswer } from "../../engine/report/questions.js";
import { nodeTitle } from "../../engine/trace/read.js";
import type { Trace } from "../../engine/trace/trace.js";
import { h, setAttribute } from "../dom.js";
import type { SweepModel } from "../model/sweep-model.js";
import { Figure } from "../plot/figure.js";
import { formula } from "../plot/formula.js";
import { tiny } from "../plot/units.js";
import type { AppState } from "../store.js";
import type { Picture, Services } from "../tabs.js";
import { Origins } from "./origins.js";
import { drawSpread, spreadWords, type SpreadFormat } from "./spread.js";
import { drawSteps } from "./steps.js";

/** Elements of an array input offered by name. */
const MOST_ELEMENTS = 24;
/** Fan-outs offered by name. */
const MOST_NODES = 200;

export class NumericsPicture implements Picture {
  private readonly steps: Figure;
  private readonly spread: Figure;
  private readonly origins: Origins;
  private readonly input = h("select", { id: "steps-input", "aria-label": "Input" });
  private readonly format = h("select", {
    id: "steps-format",
    "aria-label": "Number format of the quotient",
  });
  private readonly scheme = h("select", { id: "steps-scheme", "aria-label": "Formula of the quotient" });
  private readonly stepsWords = h("div", { class: "figure-words" });
  private readonly node = h("select", { id: "spread-node", "aria-label": "Fan-out" });
  private readonly spreadFormat = h("select", {
    id: "spread-format",
    "aria-label": "Number format of the sum",
  });
  private readonly spreadText = h("div", { class: "figure-words" });
  private model: SweepModel | null = null;
  private stepsAnswer: StepsAnswer | null = null;
  private spreadAnswer: SpreadAnswer | null = null;
  /** number of the latest question of each kind: a late answer is not drawn */
  private asked = 0;

  constructor(
    host: HTMLElement,
    private readonly services: Services,
  ) {
    this.steps = new Figure(services, { name: "step-size", title: "Difference quotient against the step" });
    this.spread = new Figure(services, { name: "summation-order", title: "Order of summation at a fan-out" });
    this.origins = new Origins(services);
    for (const scheme of ["central", "forward"]) this.scheme.append(h("option", { value: scheme }, scheme));
    this.input.addEventListener("change", () => void this.askSteps());
    for (const select of [this.format, this.scheme])
      select.addEventListener("change", () => this.drawSteps());
    this.node.addEventListener("change", () => void this.askSpread());
    this.spreadFormat.addEventListener("change", () => this.drawSpread());
    const left = h(
      "section",
      { class: "picture-part" },
      h("div", { class: "part-controls" }, this.input, this.format, this.scheme),
      this.steps.element,
      stepsLegend(),
      this.stepsWords,
    );
    const right = h(
      "section",
      { class: "picture-part" },
      h("div", { class: "part-controls" }, this.node, this.spreadFormat),
      this.spread.element,
      spreadLegend(),
      this.spreadText,
    );
    host.append(h("div", { class: "picture-grid" }, left, right, this.origins.element));
  }

  update(state: AppState, before: AppState | null): void {
    const { model, selected } = state;
    if (model === null) return;
    const fresh = model !== this.model;
    if (fresh) this.take(model);
    const wanted = String(selected);
    const chosen =
      selected >= 0 &&
      (fresh || selected !== before?.selected) &&
      this.node.value !== wanted &&
      Array.from(this.node.options).some(({ value }) => value === wanted);
    if (chosen) this.node.value = wanted;
    if (fresh) void this.askSteps();
    if (fresh || chosen) void this.askSpread();
  }

  private take(model: SweepModel): void {
    this.model = model;
    this.stepsAnswer = null;
    this.spreadAnswer = null;
    const { trace } = model.view;
    refill(this.input, inputNames(trace));
    refill(this.format, []);
    refill(this.spreadFormat, []);
    refill(this.node, fanOuts(model));
    this.origins.show(model);
  }

  private async askSteps(): Promise<void> {
    const { model } = this;
    if (model === null) return;
    if (!model.view.trace.header.complete) return this.steps.instead("The run stopped before its sweep.");
    if (this.input.value === "") return this.steps.instead("This graph has no input to vary.");
    const ticket = ++this.asked;
    const input = this.input.value;
    this.steps.instead(`Evaluating the graph beside ${input}\u2026`);
    this.stepsWords.replaceChildren();
    try {
      const answer = await this.services.ask({ kind: "steps", sweep: model.view.id, input });
      if (model !== this.model || input !== this.input.value) return;
      this.stepsAnswer = answer;
      refill(
        this.format,
        answer.formats.map(({ dtype }) => [dtype, dtype]),
      );
      this.drawSteps();
    } catch (error) {
      if (model === this.model && ticket <= this.asked) this.steps.instead(messageOf(error));
    }
  }

  private drawSteps(): void {
    const format = this.stepsAnswer?.formats.find(({ dtype }) => dtype === this.format.value);
    const scheme = format?.schemes.find((one) => one.scheme === this.scheme.value);
    if (this.stepsAnswer === null || format === undefined || scheme === undefined) return;
    const { best, theory } = scheme;
    const { input } = this.stepsAnswer;
    this.steps.say(
      `d L / d ${input} by ${scheme.scheme} differences in ${format.dtype}, beside the reverse sweep\u2019s ${tiny(format.derivative)}`,
    );
    this.steps.show({
      description:
        `Error of the ${scheme.scheme} difference quotient for ${input} in ${format.dtype} over ${scheme.rows.length} powers ` +
        `of two${best === null ? "" : `; smallest error ${tiny(best.error)} at step ${tiny(best.step)}`}.`,
      draw: (width) => drawSteps(width, scheme),
      table: () => ({
        columns: ["step", "error", "truncation", "cancellation"],
        rows: scheme.rows.map((row) => [row.step, row.error, row.truncation, row.cancellation]),
      }),
    });
    this.stepsWords.replaceChildren(
      h(
        "p",
        {},
        scheme.scheme === "central"
          ? formula("\\frac{L(x+h) - L(x-h)}{2h}")
          : formula("\\frac{L(x+h) - L(x)}{h}"),
        h(
          "span",
          { class: "dim" },
          ` truncation falls like ${scheme.scheme === "central" ? "h\u00b2" : "h"}, cancellation grows like ${tiny(format.epsilon)} |L| / h. ` +
            `Rule of thumb: h about ${tiny(theory.scale)}.`,
        ),
      ),
      ...this.stepsAnswer.notes.map(({ message }) => h("p", { class: "dim" }, message)),
    );
  }

  private async askSpread(): Promise<void> {
    const { model } = this;
    if (model === null) return;
    if (this.node.options.length === 0)
      return this.spread.instead(
        "No number of this graph is used more than once: there is no order to choose.",
      );
    const node = this.node.value;
    this.spread.instead("Adding in every order\u2026");
    this.spreadText.replaceChildren();
    try {
      const answer = await this.services.ask({ kind: "spread", sweep: model.view.id, node });
      if (model !== this.model || node !== this.node.value) return;
      this.spreadAnswer = answer;
      const before = this.spreadFormat.value;
      refill(
        this.spreadFormat,
        answer.formats.map(({ dtype }) => [dtype, dtype]),
      );
      if (before === "") this.spreadFormat.value = model.view.trace.header.options.cotangentDtype;
      this.drawSpread();
    } catch (error) {
      if (model === this.model && node === this.node.value) this.spread.instead(messageOf(error));
    }
  }

  private drawSpread(): void {
    const { spreadAnswer: answer } = this;
    const format =
      answer?.formats.find(({ dtype }) => dtype === this.spreadFormat.value) ?? answer?.formats[0];
    if (answer === null) return;
    if (format === undefined)
      return this.spread.instead(`${answer.name} has one contribution: nothing to order.`);
    this.spread.say(
      `${answer.contributions.length} contributions into ${answer.name}, in ${format.dtype}; exact sum ${tiny(format.exact)}, condition ${tiny(format.condition)}`,
    );
    this.spread.show({
      description: `Sums at ${answer.name} over orders of its contributions, in ${format.dtype}: ${format.modes
        .map(({ mode, all }) => `${mode}: ${spreadWords(all)}`)
        .join("; ")}.`,
      draw: (width) => drawSpread(width, format),
      table: () => ({
        columns: ["format", "mode", "orders", "results", "least", "most", "in arrival order", "exact"],
        rows: answer.formats.flatMap(({ dtype, exact, modes }) =>
          modes.map(({ mode, arrival, all }) => [
            dtype,
            mode,
            all.orders,
            all.distinct,
            all.min,
            all.max,
            arrival,
            exact,
          ]),
        ),
      }),
    });
    this.spreadText.replaceChildren(spreadTable(format));
  }
}

function spreadTable({ modes }: SpreadFormat): HTMLElement {
  const head = ["mode", "any order", "orders a sweep can have"].map((name) =>
    h("th", { scope: "col" }, name),
  );
  const rows = modes.map(({ mode, all, reachable }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, mode),
      h("td", {}, spreadWords(all)),
      h("td", {}, spreadWords(reachable)),
    ),
  );
  return h("table", { class: "figures" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
}

function refill(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
): void {
  const before = select.value;
  select.replaceChildren(...options.map(([value, text]) => h("option", { value }, text)));
  if (options.some(([value]) => value === before)) select.value = before;
  setAttribute(select, "disabled", options.length < 2 ? "" : null);
  select.hidden = options.length === 0;
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

/** Nodes with two contributions or more, as numbers. */
function fanOuts(model: SweepModel): (readonly [string, string])[] {
  const timeline = model.truth ?? model.timeline(model.nativeMode);
  const { trace } = timeline;
  const arrays = new Set<number>();
  for (let i = 0; i < (trace.arrays?.n ?? 0); i++) arrays.add(trace.arrays!.value[i]);
  const out: (readonly [string, string])[] = [];
  for (let node = 0; node < trace.nodes.n && out.length < MOST_NODES; node++) {
    if (timeline.slots(node) < 2 || arrays.has(trace.nodes.value[node])) continue;
    out.push([String(node), nodeTitle(trace, node, 24)]);
  }
  return out;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function stepsLegend(): HTMLElement {
  const item = (name: string, words: string): HTMLElement =>
    h("li", {}, h("i", { class: `stroke-sign ${name}`, "aria-hidden": "true" }), words);
  return h(
    "ul",
    { class: "legend" },
    item("sign-total", "total error"),
    item("sign-truncation", "truncation"),
    item("sign-cancellation", "cancellation"),
    item("sign-theory", "where the two bounds meet"),
  );
}

function spreadLegend(): HTMLElement {
  const item = (name: string, words: string): HTMLElement =>
    h("li", {}, h("i", { class: `stroke-sign ${name}`, "aria-hidden": "true" }), words);
  return h(
    "ul",
    { class: "legend" },
    item("sign-any", "any order"),
    item("sign-reachable", "orders a sweep can have"),
    item("sign-arrival", "this sweep\u2019s order"),
    item("sign-exact", "exact sum, rounded once"),
  );
}
