/** Schedules as rows, and the counts of a few of them side by side. */
import type { MeasuredRow, PlanAnswer, TradeOffAnswer, TradeOffRow } from "../../engine/report/questions.js";
import type { RegionReport } from "../../engine/report/report.js";
import { h } from "../dom.js";
import { bytesText, countText, secondsText } from "../plot/units.js";

export interface Choice {
  readonly chosen: string | null;
  /** what was executed last */
  readonly ran: string | null;
  pick(schedule: string): void;
}

function orNothing(value: number | null | undefined, text: (value: number) => string): string {
  return value === null || value === undefined ? "" : text(value);
}

/** Rows shown before "all" is asked for. */
const FEW = 9;

export function scheduleTable(
  { points, steps }: TradeOffAnswer,
  measured: ReadonlyMap<string, MeasuredRow>,
  choice: Choice,
  all: boolean,
): HTMLElement {
  const shown = all ? points : few(points, choice);
  const rows = [...shown].sort((a, b) => a.x - b.x || a.y - b.y);
  const names = ["schedule", "held", "extra", "forwards", ...(measured.size > 0 ? ["bytes", "time"] : [])];
  const head = names.map((name, i) => h("th", { scope: "col", class: i > 0 && "n" }, name));
  const body = rows.map((row) => {
    const { schedule, x, y, onFront } = row;
    const button = h("button", { class: "row-pick mono", "data-key": schedule }, schedule);
    button.addEventListener("click", () => choice.pick(schedule));
    const measurement = measured.get(schedule);
    const cells = [countText(x), countText(y), countText(steps + y)];
    if (measured.size > 0)
      cells.push(
        orNothing(measurement?.allocatedBytes, bytesText),
        orNothing(measurement?.seconds, secondsText),
      );
    const current = schedule === choice.chosen;
    return h(
      "tr",
      { class: current && "is-chosen", "aria-current": current && "true" },
      h(
        "th",
        { scope: "row" },
        button,
        onFront && h("span", { class: "tag" }, "front"),
        schedule === choice.ran && h("span", { class: "tag tag-ran" }, "executed"),
      ),
      ...cells.map((cell) => h("td", { class: "n" }, cell)),
    );
  });
  return h(
    "table",
    { class: "figures schedule-table" },
    h("thead", {}, h("tr", {}, ...head)),
    h("tbody", {}, ...body),
  );
}

/** The ends of the front, some between, what is chosen and what was executed. */
function few(points: readonly TradeOffRow[], { chosen, ran }: Choice): TradeOffRow[] {
  const front = points.filter(({ onFront }) => onFront).sort((a, b) => a.x - b.x);
  const seen = new Set<string>();
  const distinct = front.filter(({ x, y }) => {
    const key = `${x},${y}`;
    return !seen.has(key) && seen.add(key);
  });
  const stride = Math.max(1, Math.ceil(distinct.length / FEW));
  const kept = new Set(distinct.filter((_, i) => i % stride === 0 || i === distinct.length - 1));
  for (const point of points)
    if (point.schedule === chosen || point.schedule === ran || point.schedule === "store-all")
      kept.add(point);
  return Array.from(kept);
}

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

export interface Column {
  readonly title: string;
  readonly sub: string;
  readonly executed: Readonly<Partial<Record<(typeof counted)[number][0], number | string>>>;
  readonly model: PlanAnswer["model"];
  /** runs or plans it again */
  readonly close: (() => void) | null;
}

export function planColumn(plan: PlanAnswer, close: (() => void) | null): Column {
  return {
    title: plan.schedule,
    sub: plan.countedBy === "stream" ? "planned" : "planned, closed form",
    executed: plan.executed,
    model: plan.model,
    close,
  };
}

export function regionColumn({ schedule, executed }: RegionReport): Column | null {
  return executed === null ? null : { title: schedule, sub: "executed", executed, model: null, close: null };
}

export function sideBySide(columns: readonly Column[]): HTMLElement {
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
