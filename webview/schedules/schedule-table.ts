/** Schedules as rows: what each holds and what it runs again. */
import type { TradeOffAnswer, TradeOffRow } from "../../engine/report/questions.js";
import { h } from "../dom.js";
import { countText } from "../plot/units.js";

export interface Choice {
  readonly chosen: string | null;
  /** what was executed last */
  readonly ran: string | null;
  pick(schedule: string): void;
}

/** Rows shown before "all" is asked for. */
const FEW = 9;

export function scheduleTable({ points, steps }: TradeOffAnswer, choice: Choice, all: boolean): HTMLElement {
  const shown = all ? points : few(points, choice);
  const rows = [...shown].sort((a, b) => a.x - b.x || a.y - b.y);
  const names = ["schedule", "held", "extra", "forwards"];
  const head = names.map((name, i) => h("th", { scope: "col", class: i > 0 && "n" }, name));
  const body = rows.map((row) => {
    const { schedule, x, y, onFront } = row;
    const button = h("button", { class: "row-pick mono", "data-key": schedule }, schedule);
    button.addEventListener("click", () => choice.pick(schedule));
    const cells = [countText(x), countText(y), countText(steps + y)];
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
