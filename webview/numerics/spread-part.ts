/** The part on the order of summation: which fan-out, which format, and how far its sums differ. */
import type { SpreadAnswer } from "../../engine/report/questions.js";
import { nodeTitle } from "../../engine/trace/read.js";
import { h } from "../dom.js";
import type { SweepModel } from "../model/sweep-model.js";
import { Figure } from "../plot/figure.js";
import { tiny } from "../plot/units.js";
import type { Services } from "../tabs.js";
import { exactSums as exactSumWords } from "../text/exact.js";
import { messageOf } from "../text/message.js";
import { legend, refill, select } from "./choices.js";
import { drawSpread, spreadWords, type SpreadFormat } from "./spread.js";

/** Fan-outs offered by name. */
const MOST_NODES = 200;

export class SpreadPart {
  readonly element: HTMLElement;
  private readonly figure: Figure;
  private readonly node = select("spread-node", "Fan-out");
  private readonly format = select("spread-format", "Number format of the sum");
  private readonly words = h("div", { class: "figure-words" });
  private model: SweepModel | null = null;
  private answer: SpreadAnswer | null = null;

  constructor(private readonly services: Services) {
    this.figure = new Figure(services, { name: "summation-order", title: "Order of summation at a fan-out" });
    this.node.addEventListener("change", () => void this.ask());
    this.format.addEventListener("change", () => this.draw());
    this.element = h(
      "section",
      { class: "picture-part" },
      h("div", { class: "part-controls" }, this.node, this.format),
      this.figure.element,
      legend(
        ["sign-any", "any order"],
        ["sign-reachable", "orders a sweep can have"],
        ["sign-arrival", "this sweep\u2019s order"],
        ["sign-exact", "exact sum, rounded once"],
      ),
      this.words,
    );
  }

  /** Another sweep; the selected node is taken if it is a fan-out. */
  show(model: SweepModel, selected: number): void {
    this.model = model;
    this.answer = null;
    refill(this.node, fanOuts(model));
    refill(this.format, []);
    this.take(selected);
    void this.ask();
  }

  /** Another node is selected. */
  choose(selected: number): void {
    if (this.take(selected)) void this.ask();
  }

  private take(selected: number): boolean {
    const wanted = String(selected);
    const offered = Array.from(this.node.options).some(({ value }) => value === wanted);
    if (selected < 0 || !offered || this.node.value === wanted) return false;
    this.node.value = wanted;
    return true;
  }

  private async ask(): Promise<void> {
    const { model } = this;
    if (model === null) return;
    if (this.node.options.length === 0)
      return this.figure.instead(
        "No number of this graph is used more than once: there is no order to choose.",
      );
    const node = this.node.value;
    this.figure.instead("Adding in every order\u2026");
    this.words.replaceChildren();
    try {
      const answer = await this.services.ask({ kind: "spread", sweep: model.view.id, node });
      if (model !== this.model || node !== this.node.value) return;
      this.answer = answer;
      const before = this.format.value;
      refill(
        this.format,
        answer.formats.map(({ dtype }) => [dtype, dtype]),
      );
      if (before === "") this.format.value = model.view.trace.header.options.cotangentDtype;
      this.draw();
    } catch (error) {
      if (model === this.model && node === this.node.value) this.figure.instead(messageOf(error));
    }
  }

  private draw(): void {
    const { answer } = this;
    const format = answer?.formats.find(({ dtype }) => dtype === this.format.value) ?? answer?.formats[0];
    if (answer === null) return;
    if (format === undefined)
      return this.figure.instead(`${answer.name} has one contribution: nothing to order.`);
    this.figure.say(
      `${answer.contributions.length} contributions into ${answer.name}, in ${format.dtype}; exact sum ${tiny(format.exact)}, condition ${tiny(format.condition)}`,
    );
    this.figure.show({
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
    this.words.replaceChildren(exactSums(format), spreadTable(format));
  }
}

/** Says it where all points lie on the exact sum, which looks like a drawing of nothing. */
function exactSums(format: SpreadFormat): HTMLElement | string {
  const words = exactSumWords(format);
  return words === "" ? "" : h("p", {}, words);
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
