/** Tables of the measurements beside the work items, and of the goals. */
import { met, type Figure, type Section } from "../extra/section.js";
import type { GoalResult } from "../goals.js";
import { number, type Row } from "./table.js";

export const sectionHead: Row = ["", "value", "unit", "goal", ""];

function verdict(figure: Figure): string {
  const reached = met(figure);
  const said = reached === null ? [] : [reached ? "met" : "MISSED"];
  return [...said, ...(figure.note === undefined ? [] : [figure.note])].join(", ");
}

export function sectionRows({ figures }: Section): Row[] {
  return figures.map((figure) => [
    figure.what,
    number(figure.value),
    figure.unit,
    figure.goal !== undefined ? `<= ${figure.goal}` : figure.least !== undefined ? `>= ${figure.least}` : "",
    verdict(figure),
  ]);
}

export const goalHead: Row = ["work", "goal", "limit", "reached", ""];

export function goalRows(goals: readonly GoalResult[], titleOf: (item: string) => string): Row[] {
  return goals.map(({ item, text, limit, reached }) => [
    titleOf(item),
    text,
    String(limit),
    number(reached),
    reached === null
      ? "not measured"
      : reached <= limit
        ? "met"
        : `MISSED, ${number(reached / limit)} x the limit`,
  ]);
}
