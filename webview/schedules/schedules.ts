/** The schedules picture: what a schedule keeps and computes again, beside every other one, and the way to run with it. */
import {
  executedSpaceTime,
  scheduledRegions,
  type ScheduledRegion,
} from "../../engine/report/executed-space-time.js";
import type { BlocksAnswer, MeasuredRow, PlanAnswer, TradeOffAnswer } from "../../engine/report/questions.js";
import { h } from "../dom.js";
import type { SweepModel } from "../model/sweep-model.js";
import { Figure } from "../plot/figure.js";
import type { AppState } from "../store.js";
import type { Picture, Services } from "../tabs.js";
import { blocksWords, drawBlocks } from "./blocks.js";
import { Controls, regionText } from "./controls.js";
import { Diagram } from "./diagram.js";
import { drawMeasured } from "./measured.js";
import { planColumn, regionColumn, scheduleTable, sideBySide, type Column } from "./tables.js";
import { drawTradeOff, familyLegend } from "./trade-off.js";

/** For a graph that is too small to be cut: the length of the textbook's chain. */
const USUAL_STEPS = 64;
/** Plans beside the executed one. */
const MOST_COMPARED = 3;
/** The table over block lengths is drawn up to this length. */
const MOST_BLOCKS = 1e6;
const MOST_MEASURED = 10;

export class SchedulesPicture implements Picture {
  private readonly controls: Controls;
  private readonly diagram: Diagram;
  private readonly tradeOff: Figure;
  private readonly blocks: Figure;
  private readonly measured: Figure;
  private readonly remarks = h("div", { class: "remarks" });
  private readonly table = h("div", { class: "table-place" });
  private readonly compared = h("div", { class: "table-place" });
  private readonly words = h("div");
  private readonly legend = h("div");
  private readonly measure = h("button", { class: "button", id: "measure" }, "Measure on this graph");
  private model: SweepModel | null = null;
  private regions: readonly ScheduledRegion[] = [];
  private region = -1;
  /** steps of the graph's own chain; 0: it has none */
  private own = 0;
  private steps = 0;
  private typed = false;
  private chosen: string | null = null;
  private plans: PlanAnswer[] = [];
  private answer: TradeOffAnswer | null = null;
  private drawnAnswer: TradeOffAnswer | null = null;
  private blocksAnswer: BlocksAnswer | null = null;
  private readonly measurements = new Map<string, MeasuredRow>();
  private all = false;
  private step = 0;
  private lastPosition = 0;

  constructor(
    host: HTMLElement,
    private readonly services: Services,
  ) {
    this.controls = new Controls({
      region: (region) => this.chooseRegion(region),
      steps: (steps) => this.chooseSteps(steps),
      schedule: (name) => void this.plan(name),
      run: () => this.run(),
      own: () => services.run(null),
    });
    this.diagram = new Diagram(services);
    this.tradeOff = new Figure(services, {
      name: "trade-off",
      title: "Same gradient, other price",
      subtitle: "every schedule a point; picking one runs the sweep with it",
    });
    this.blocks = new Figure(services, { name: "block-lengths", title: "Uniform blocks" });
    this.measured = new Figure(services, {
      name: "measured",
      title: "Bytes against seconds",
      subtitle: "allocated bytes of the executor, seconds measured in the runner, the faster of two runs",
    });
    this.measure.addEventListener("click", () => void this.measureAll());
    this.measured.instead(
      "Runs this graph with some schedules of the front, one after the other. ",
      this.measure,
    );
    const main = h(
      "div",
      { class: "picture-main" },
      this.controls.element,
      this.diagram.element,
      this.remarks,
    );
    const side = h(
      "div",
      { class: "picture-side", role: "region", "aria-label": "Schedules side by side", tabindex: 0 },
      this.tradeOff.element,
      this.legend,
      this.table,
      this.compared,
      this.blocks.element,
      this.words,
      this.measured.element,
    );
    host.append(h("div", { class: "picture picture-wide-side" }, main, side));
  }

  update(state: AppState, before: AppState | null): void {
    const { model, mode, step } = state;
    if (model === null) return;
    this.step = step;
    this.lastPosition = model.timeline(mode).steps;
    if (model !== this.model) this.take(model);
    else if (step !== before?.step || mode !== before.mode) this.diagram.now(step);
  }

  /** Another sweep is on screen. */
  private take(model: SweepModel): void {
    const { trace, graph, uri } = model.view;
    const same = this.model?.view.graph === graph && this.model.view.uri === uri;
    this.model = model;
    this.regions = scheduledRegions(trace);
    if (!same) {
      this.typed = false;
      this.plans = [];
      this.measurements.clear();
    }
    const longest = this.regions.reduce<ScheduledRegion | null>(
      (best, one) => (best === null || one.steps > best.steps ? one : best),
      null,
    );
    if (!same || !this.regions.some(({ region }) => region === this.region))
      this.region = longest?.region ?? -1;
    if (this.regions.length === 0) return void this.withoutChain(model);
    this.begin(this.regionNow!.steps, model, "");
  }

  private get regionNow(): ScheduledRegion | undefined {
    return this.regions.find(({ region }) => region === this.region);
  }

  private async withoutChain(model: SweepModel): Promise<void> {
    const { steps } = await this.services
      .ask({ kind: "cuts", sweep: model.view.id })
      .catch(() => ({ steps: 0 }));
    if (model !== this.model) return;
    const notice =
      steps >= 2
        ? `This graph has no chain and no checkpoint. Run with a schedule it is cut into about ${steps} steps, where few values are live; the pieces are shown then.`
        : "This graph has no chain and is too small to be cut: here is what schedules do with a chain of as many steps as you like.";
    this.begin(steps >= 2 ? steps : 0, model, notice);
  }

  private begin(own: number, { view }: SweepModel, notice: string): void {
    this.own = own;
    if (!this.typed) this.steps = own === 0 ? USUAL_STEPS : own;
    const ran = view.trace.header.options.schedule;
    this.controls.show(this.regions, this.region, notice);
    this.measure.disabled = own === 0 || !view.trace.header.complete;
    this.chosen = ran;
    this.drawCompared();
    if (!this.showExecuted()) void this.plan(ran, false);
    if (this.plans.length === 0) void this.compareFirst(Array.from(new Set([ran, "store-all"])));
    if (this.answer?.steps !== this.steps) this.askAll();
    else this.drawTradeOff();
    this.plannedNow();
  }

  private chooseRegion(region: number): void {
    this.region = region;
    this.typed = false;
    if (this.model !== null) this.begin(this.regionNow!.steps, this.model, "");
  }

  private chooseSteps(steps: number): void {
    this.steps = steps;
    this.typed = steps !== this.own;
    this.plans = [];
    this.askAll();
    if (this.typed || !this.showExecuted()) void this.plan(this.chosen ?? "store-all", false);
    this.plannedNow();
    this.drawCompared();
  }

  private get ran(): string {
    return this.model?.view.trace.header.options.schedule ?? "store-all";
  }

  /** True where the chosen schedule is the one that was executed on the chosen region. */
  private showExecuted(): boolean {
    const region = this.regionNow;
    if (this.model === null || region?.executed !== true || this.steps !== region.steps) return false;
    if (this.chosen !== this.ran) return false;
    const diagram = executedSpaceTime(this.model.view.trace, region.region, region.steps);
    this.diagram.show({ schedule: this.ran, diagram, executed: true }, this.step, this.lastPosition);
    const remarks = this.model.view.report?.checkpoint?.remarks ?? [];
    this.remark([`${regionText(region)}.`, ...remarks]);
    return true;
  }

  private remark(sentences: readonly string[]): void {
    this.remarks.replaceChildren(...sentences.map((text) => h("p", { class: "dim" }, text)));
  }

  private plannedNow(): void {
    const runs = this.own > 0 && this.steps === this.own;
    const why = runs
      ? ""
      : this.own === 0
        ? "this graph has no chain to run it on"
        : `the graph\u2019s own chain has ${this.own} steps`;
    this.controls.planned(this.steps, this.chosen, runs && this.chosen !== null, why);
  }

  /** A point or a row was picked: its plan at once, and the graph with it where it has such a chain. */
  private pick(schedule: string): void {
    void this.plan(schedule);
    const point = this.answer?.points.find((one) => one.schedule === schedule);
    const coupled = this.regionNow?.kind === "coupling layers";
    if (this.own > 0 && this.steps === this.own && (point?.couplingOnly !== true || coupled)) this.run();
  }

  private run(): void {
    if (this.chosen !== null) this.services.run(this.chosen);
  }

  /** Plans a schedule and shows it; `compare`: also among those side by side. */
  private async plan(schedule: string, compare = true): Promise<void> {
    this.chosen = schedule;
    this.plannedNow();
    this.drawTradeOff();
    const { steps } = this;
    try {
      const plan = await this.services.ask({ kind: "plan", steps, schedule });
      if (steps !== this.steps || this.chosen !== schedule) return;
      if (compare) {
        this.plans = [plan, ...this.plans.filter((one) => one.schedule !== plan.schedule)];
        this.plans.length = Math.min(MOST_COMPARED, this.plans.length);
        this.drawCompared();
      }
      if (this.showExecuted()) return;
      this.diagram.show({ schedule: plan.schedule, diagram: plan.diagram, executed: false }, this.step, 0);
      this.remark(plan.remarks);
    } catch (error) {
      if (steps !== this.steps || this.chosen !== schedule) return;
      this.diagram.instead(error instanceof Error ? error.message : String(error));
      this.remark([]);
    }
  }

  /** What stands side by side before anything was picked: what ran, with its model, and store-all. */
  private async compareFirst(schedules: readonly string[]): Promise<void> {
    const { steps } = this;
    const asked = schedules.map((schedule) =>
      this.services.ask({ kind: "plan", steps, schedule }).catch(() => null),
    );
    const plans = (await Promise.all(asked)).filter((plan) => plan !== null);
    if (steps !== this.steps || this.plans.length > 0) return;
    this.plans = plans;
    this.drawCompared();
  }

  private askAll(): void {
    const { steps } = this;
    const failed = (figure: Figure) => (error: unknown) => {
      if (steps === this.steps) figure.instead(error instanceof Error ? error.message : String(error));
    };
    this.services
      .ask({ kind: "tradeOff", steps })
      .then((answer) => {
        if (steps !== this.steps) return;
        this.answer = answer;
        this.drawTradeOff();
      })
      .catch(failed(this.tradeOff));
    if (steps > MOST_BLOCKS) return this.blocks.instead("Drawn for at most 1,000,000 steps.");
    this.services
      .ask({ kind: "blocks", steps })
      .then((answer) => {
        if (steps !== this.steps) return;
        this.blocksAnswer = answer;
        this.drawBlocks();
      })
      .catch(failed(this.blocks));
  }

  private drawTradeOff(): void {
    const { answer, chosen } = this;
    if (answer === null || answer.steps !== this.steps) return;
    const fresh = answer !== this.drawnAnswer;
    this.drawnAnswer = answer;
    const pick = (schedule: string): void => this.pick(schedule);
    this.tradeOff.show({
      description:
        `Trade-off for a chain of ${answer.steps} steps: ${answer.points.length} schedules, peak states and tapes ` +
        "held to the right, forward evaluations beyond one sweep upwards.",
      draw: (width) => drawTradeOff(width, answer, chosen, pick),
      table: () => ({
        columns: ["schedule", "peakStates", "peakTapes", "held", "extraForwards", "onFront"],
        rows: answer.points.map((p) => [p.schedule, p.peakStates, p.peakTapes, p.x, p.y, p.onFront]),
      }),
    });
    if (fresh) this.legend.replaceChildren(familyLegend(answer));
    const more = h(
      "button",
      { class: "link", id: "all-schedules", "aria-expanded": String(this.all) },
      this.all ? "Fewer" : `All ${answer.points.length} schedules`,
    );
    more.addEventListener("click", () => {
      this.all = !this.all;
      this.drawTradeOff();
      this.table.querySelector<HTMLElement>("#all-schedules")?.focus();
    });
    const ran = this.steps === this.own ? this.ran : null;
    const active = document.activeElement;
    const focused = active !== null && this.table.contains(active) ? active.getAttribute("data-key") : null;
    this.table.replaceChildren(
      h("h3", {}, `Chain of ${answer.steps.toLocaleString("en")} steps, counts executed`),
      scheduleTable(answer, this.measurements, { chosen, ran, pick }, this.all),
      more,
    );
    if (focused !== null)
      this.table.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private drawCompared(): void {
    const columns: Column[] = [];
    for (const region of this.model?.view.report?.checkpoint?.regions ?? []) {
      const column = region.steps === this.own ? regionColumn(region) : null;
      if (column !== null && columns.length === 0) columns.push(column);
    }
    for (const plan of this.plans)
      columns.push(
        planColumn(plan, () => {
          this.plans = this.plans.filter((one) => one !== plan);
          this.drawCompared();
        }),
      );
    this.compared.replaceChildren(
      ...(columns.length === 0 ? [] : [h("h3", {}, "Side by side"), sideBySide(columns)]),
    );
  }

  private drawBlocks(): void {
    const answer = this.blocksAnswer;
    if (answer === null) return;
    const { best, rows, steps } = answer;
    this.blocks.say(
      `states kept and forwards replayed over the block length k, depth ${steps.toLocaleString("en")}`,
    );
    this.blocks.show({
      description:
        `Count model of uniform blocks for depth ${steps}: the smallest peak, ${best.peakStateUnits} states, is at block ` +
        `length ${best.blockSize} with ${best.recomputedForwardEvaluations} replays.`,
      draw: (width) => drawBlocks(width, answer, (block) => this.pick(`uniform:${block}`)),
      table: () => ({
        columns: ["k", "M(k), count model", "R(k), count model", "peakStates, executed", "replays, executed"],
        rows: rows.map((row) => [
          row.blockSize,
          row.model.peakStates,
          row.model.replays,
          row.executed.peakStates,
          row.executed.replays,
        ]),
      }),
    });
    this.words.replaceChildren(blocksWords(answer));
  }

  private async measureAll(): Promise<void> {
    const { model, answer } = this;
    if (model === null || answer === null || this.steps !== this.own) return;
    const front = answer.points.filter(({ onFront, couplingOnly }) => onFront && !couplingOnly);
    const stride = Math.max(1, Math.ceil(front.length / MOST_MEASURED));
    const schedules = front.filter((_, i) => i % stride === 0).map(({ schedule }) => schedule);
    this.measured.instead("Running the graph with each schedule\u2026");
    try {
      const { rows } = await this.services.ask({ kind: "measure", sweep: model.view.id, schedules });
      for (const row of rows) this.measurements.set(row.schedule, row);
      this.drawMeasured();
      this.drawTradeOff();
    } catch (error) {
      this.measured.instead(`${error instanceof Error ? error.message : String(error)} `, this.measure);
    }
  }

  private drawMeasured(): void {
    const rows = Array.from(this.measurements.values());
    this.measured.show({
      description: `${rows.length} schedules run on this graph: allocated bytes to the right, seconds upwards.`,
      draw: (width) => drawMeasured(width, rows, this.chosen, (schedule) => this.pick(schedule)),
      table: () => ({
        columns: ["schedule", "allocated bytes", "seconds, measured", "gradient as store-all", "problem"],
        rows: rows.map((row) => [
          row.schedule,
          row.allocatedBytes,
          row.seconds,
          row.sameGradient,
          row.problem,
        ]),
      }),
    });
  }
}
