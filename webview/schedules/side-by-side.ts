/** The counts of a few schedules side by side: what was executed first, then what was planned. */
import type { PlanAnswer } from "../../engine/report/questions.js";
import type { RegionReport } from "../../engine/report/report.js";
import { h } from "../dom.js";
import { countText } from "../plot/units.js";

/** Plans beside the executed one. */
const MOST_COMPARED = 3;

const counted = [
  ["peakStates", "states at once"],
  ["peakTapes", "tapes at once"],
  ["peakSlots", "slots in use"],
  ["advances", "advances"],
  ["records", "records"],
  ["uncomputes", "reversible moves"],
  ["totalForwards", "forwards in all"],
  ["extraForwards", "beyond one sweep"],
  ["replays", "replays, R"],
  ["reads", "reads"],
  ["writes", "writes"],
  ["peakDiskSlots", "slots on disk"],
] as const;

/** Zero everywhere: left out. */
const rare: ReadonlySet<string> = new Set(["uncomputes", "peakDiskSlots"]);

interface Column {
  readonly title: string;
  readonly sub: string;
  readonly executed: Readonly<Partial<Record<(typeof counted)[number][0], number | string>>>;
  readonly model: PlanAnswer["model"];
  /** runs or plans it again */
  readonly close: (() => void) | null;
}

function planColumn(plan: PlanAnswer, close: (() => void) | null): Column {
  return {
    title: plan.schedule,
    sub: plan.countedBy === "stream" ? "planned" : "planned, closed form",
    executed: plan.executed,
    model: plan.model,
    close,
  };
}

function regionColumn({ schedule, executed }: RegionReport): Column {
  return { title: schedule, sub: "executed", executed: executed ?? {}, model: null, close: null };
}

function columnsTable(columns: readonly Column[]): HTMLElement {
  const head = columns.map(({ title, sub, close }) => {
    const cell = h("th", { scope: "col", class: "n" }, h("span", { class: "mono" }, title));
    if (close !== null) {
      const button = h("button", { class: "column-close", "aria-label": `Take ${title} away` }, "\u00d7");
      button.addEventListener("click", close);
      cell.append(button);
    }
    cell.append(h("span", { class: "dim" }, sub));
    return cell;
  });
  const row = (name: string, cells: readonly string[], label = ""): HTMLElement =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name, label !== "" && h("span", { class: "dim" }, label)),
      ...cells.map((cell) => h("td", { class: "n" }, cell)),
    );
  const rows = counted
    .filter(([key]) => !rare.has(key) || columns.some(({ executed }) => Number(executed[key] ?? 0) !== 0))
    .map(([key, name]) =>
      row(
        name,
        columns.map(({ executed }) => (executed[key] === undefined ? "" : countText(executed[key]))),
      ),
    );
  if (columns.some(({ model }) => model !== null)) {
    const of = (key: "peakStates" | "replays"): string[] =>
      columns.map(({ model }) => (model === null ? "" : countText(model[key])));
    rows.push(
      row("peak states, M", of("peakStates"), "count model"),
      row("replays, R", of("replays"), "count model"),
    );
  }
  return h(
    "table",
    { class: "figures side-by-side" },
    h("thead", {}, h("tr", {}, h("td", {}), ...head)),
    h("tbody", {}, ...rows),
  );
}

export class SideBySide {
  readonly element = h("div", { class: "table-place" });
  private executed: Column | null = null;
  private plans: readonly PlanAnswer[] = [];

  /** No plan is there yet. */
  get empty(): boolean {
    return this.plans.length === 0;
  }

  /** What was executed, of the first region with so many steps. */
  ran(regions: readonly RegionReport[], steps: number): void {
    const region = regions.find((one) => one.steps === steps && one.executed !== null);
    this.executed = region === undefined ? null : regionColumn(region);
    this.draw();
  }

  clear(): void {
    this.plans = [];
    this.draw();
  }

  /** The newest stands first; the oldest makes room. */
  add(...plans: readonly PlanAnswer[]): void {
    const names = new Set(plans.map(({ schedule }) => schedule));
    const kept = this.plans.filter(({ schedule }) => !names.has(schedule));
    this.plans = [...plans, ...kept].slice(0, MOST_COMPARED);
    this.draw();
  }

  private draw(): void {
    const columns = this.executed === null ? [] : [this.executed];
    for (const plan of this.plans)
      columns.push(
        planColumn(plan, () => {
          this.plans = this.plans.filter((one) => one !== plan);
          this.draw();
        }),
      );
    this.element.replaceChildren(
      ...(columns.length === 0 ? [] : [h("h3", {}, "Side by side"), columnsTable(columns)]),
    );
  }
}
