/** The schedules picture: what a schedule keeps and computes again, beside every other one, and the way to run with it. */
import {
  executedSpaceTime,
  scheduledRegions,
  type ScheduledRegion,
} from "../../engine/report/executed-space-time.js";
import { h } from "../dom.js";
import type { SweepModel } from "../model/sweep-model.js";
import type { AppState } from "../store.js";
import type { Picture, Services } from "../tabs.js";
import { messageOf } from "../text/message.js";
import { BlocksPart } from "./blocks-part.js";
import { ComparedPart } from "./compared-part.js";
import { Controls, regionText } from "./controls.js";
import { Diagram } from "./diagram.js";
import { SideBySide } from "./side-by-side.js";
import { TradeOffPart } from "./trade-off-part.js";

/** For a graph that is too small to be cut: the length of the textbook's chain. */
const USUAL_STEPS = 64;

export class SchedulesPicture implements Picture {
  private readonly controls: Controls;
  private readonly diagram: Diagram;
  private readonly tradeOff: TradeOffPart;
  private readonly blocks: BlocksPart;
  private readonly compared: ComparedPart;
  private readonly beside = new SideBySide();
  private readonly remarks = h("div", { class: "remarks" });
  private readonly main: HTMLElement;
  private model: SweepModel | null = null;
  private regions: readonly ScheduledRegion[] = [];
  private region = -1;
  /** steps of the graph's own chain; 0: it has none */
  private own = 0;
  private steps = 0;
  private typed = false;
  /** comparisons that commands asked for until now */
  private asked = 0;
  private chosen: string | null = null;
  private step = 0;
  private lastPosition = 0;

  constructor(
    private readonly host: HTMLElement,
    private readonly services: Services,
  ) {
    const pick = (schedule: string): void => this.pick(schedule);
    this.controls = new Controls({
      region: (region) => this.chooseRegion(region),
      steps: (steps) => this.chooseSteps(steps),
      schedule: (name) => void this.plan(name),
      run: () => this.run(),
      own: () => services.run(null),
    });
    this.diagram = new Diagram(services);
    this.tradeOff = new TradeOffPart(services);
    this.blocks = new BlocksPart(services, pick);
    this.compared = new ComparedPart(services, pick);
    this.main = h(
      "div",
      { class: "picture-main" },
      this.controls.element,
      this.diagram.element,
      this.remarks,
      ...this.compared.elements,
    );
    const side = h(
      "div",
      { class: "picture-side", role: "region", "aria-label": "Schedules side by side", tabindex: 0 },
      ...this.tradeOff.elements,
      this.beside.element,
      ...this.blocks.elements,
    );
    host.append(h("div", { class: "picture picture-wide-side" }, this.main, side));
  }

  update(state: AppState, before: AppState | null): void {
    const { model, mode, step } = state;
    if (model === null) return;
    this.step = step;
    this.lastPosition = model.timeline(mode).steps;
    if (model !== this.model) this.take(model);
    else if (step !== before?.step || mode !== before.mode) this.diagram.now(step);
    if (state.measure === this.asked) return;
    this.asked = state.measure;
    this.arrange(false);
    this.host.scrollTop = 0;
    this.compared.start();
  }

  /** What ran stands in front of what is planned: the executed diagram, else what was measured. */
  private arrange(diagramFirst: boolean): void {
    const [first, ...rest] = this.compared.elements;
    if (diagramFirst) first.before(this.diagram.element, this.remarks);
    else (rest.at(-1) ?? first).after(this.diagram.element, this.remarks);
  }

  /** Another sweep is on screen. */
  private take(model: SweepModel): void {
    const { trace, graph, uri } = model.view;
    const same = this.model?.view.graph === graph && this.model.view.uri === uri;
    this.model = model;
    this.regions = scheduledRegions(trace);
    // until it is known what can be asked of this one; of the one before nothing is asked any more
    this.compared.show({ sweep: null, chosen: this.chosen });
    if (!same) {
      this.typed = false;
      this.beside.clear();
      this.compared.forget();
      this.arrange(this.regions.some(({ executed }) => executed));
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
    this.chosen = ran;
    this.beside.ran(view.report?.checkpoint?.regions ?? [], own);
    if (!this.showExecuted()) void this.plan(ran, false);
    if (this.beside.empty) void this.compareFirst(Array.from(new Set([ran, "store-all"])));
    this.askAll();
    this.chosenNow();
  }

  private chooseRegion(region: number): void {
    this.region = region;
    this.typed = false;
    if (this.model !== null) this.begin(this.regionNow!.steps, this.model, "");
  }

  private chooseSteps(steps: number): void {
    this.steps = steps;
    this.typed = steps !== this.own;
    this.beside.clear();
    this.askAll();
    if (this.typed || !this.showExecuted()) void this.plan(this.chosen ?? "store-all", false);
    this.chosenNow();
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

  /** Tells every part which schedule is chosen now. */
  private chosenNow(): void {
    const runs = this.own > 0 && this.steps === this.own;
    const why = runs
      ? ""
      : this.own === 0
        ? "this graph has no chain to run it on"
        : `the graph\u2019s own chain has ${this.own} steps`;
    const { chosen, model } = this;
    this.controls.planned(this.steps, chosen, runs && chosen !== null, why);
    this.tradeOff.choose({
      chosen,
      ran: runs ? this.ran : null,
      pick: (schedule) => this.pick(schedule),
    });
    const whole = model?.view.trace.header.complete === true;
    this.compared.show({ sweep: whole ? model.view.id : null, chosen });
  }

  /** A point or a row was picked: its plan at once, and the graph with it where it has such a chain. */
  private pick(schedule: string): void {
    void this.plan(schedule);
    const coupled = this.regionNow?.kind === "coupling layers";
    const runs = coupled || !this.tradeOff.couplingOnly(schedule);
    if (this.own > 0 && this.steps === this.own && runs) this.run();
  }

  private run(): void {
    if (this.chosen !== null) this.services.run(this.chosen);
  }

  /** Plans a schedule and shows it; `compare`: also among those side by side. */
  private async plan(schedule: string, compare = true): Promise<void> {
    this.chosen = schedule;
    this.chosenNow();
    const { steps } = this;
    try {
      const plan = await this.services.ask({ kind: "plan", steps, schedule });
      if (steps !== this.steps || this.chosen !== schedule) return;
      if (compare) this.beside.add(plan);
      if (this.showExecuted()) return;
      this.diagram.show({ schedule: plan.schedule, diagram: plan.diagram, executed: false }, this.step, 0);
      this.remark(plan.remarks);
    } catch (error) {
      if (steps !== this.steps || this.chosen !== schedule) return;
      this.diagram.instead(messageOf(error));
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
    if (steps === this.steps && this.beside.empty) this.beside.add(...plans);
  }

  private askAll(): void {
    this.tradeOff.ask(this.steps);
    this.blocks.ask(this.steps);
  }
}
