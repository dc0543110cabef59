/** The table of one work item. */
import type { EngineResult, ItemResult } from "../rounds.js";
import { number, type Row } from "./table.js";

export const itemHead: Row = ["engine", "ms", "x hand JS", "quartiles", "first call ms", "error", ""];

function row({ title, ms, ratio, quartiles, coldMs, error, failure }: EngineResult): Row {
  return [
    title,
    number(ms),
    number(ratio),
    quartiles === null ? "" : quartiles.map(number).join("-"),
    number(coldMs),
    error === null ? "" : error === 0 ? "0" : error.toExponential(0),
    failure ?? "",
  ];
}

export function itemRows({ engines }: ItemResult): Row[] {
  return engines.map(row);
}
