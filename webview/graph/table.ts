/** The nodes of the graph at a step as rows, to be saved. */
import { factsOf } from "../../engine/report/facts.js";
import type { Quantity } from "../../engine/report/quantity.js";
import { spoken } from "../../engine/report/text/format.js";
import type { Timeline } from "../../engine/timeline/timeline.js";
import { keepingOf, keepingWords } from "../model/keeping.js";
import type { SweepModel } from "../model/sweep-model.js";
import type { Table } from "../plot/table.js";

export function nodeTable(model: SweepModel, timeline: Timeline, step: number): Table {
  const keeping = keepingOf(model, timeline);
  const columns = [
    "node",
    "name",
    "operation",
    "expression",
    "line",
    "value",
    "cotangent",
    "uses",
    "paid",
    "status",
  ];
  const rows = Array.from(model.view.positions.shown, (node) => {
    const facts = factsOf(timeline, node, step);
    const row = [
      node,
      facts.name,
      facts.op,
      facts.expression,
      facts.line > 0 ? facts.line : null,
      facts.evaluated ? cell(facts.value) : null,
      cell(facts.cotangent),
      facts.uses,
      facts.paid,
      facts.status,
    ];
    return keeping === null ? row : [...row, keepingWords(keeping.of(node, step))];
  });
  return { columns: keeping === null ? columns : [...columns, "kept"], rows };
}

/** A number with all its digits; an array in words: its elements are in the trace. */
function cell(quantity: Quantity | undefined): number | string | null {
  return quantity === undefined ? null : typeof quantity === "number" ? quantity : spoken(quantity);
}
