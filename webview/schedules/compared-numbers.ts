/** The rows of `backsweep compare` as words and numbers: which figures there are, what is said of a gradient, what is saved. */
import type { CompareAnswer, ComparedRow } from "../../engine/report/questions.js";
import type { Table } from "../plot/table.js";
import { tiny } from "../plot/units.js";

export const counted = [
  ["states", "peakStates"],
  ["tapes", "peakTapes"],
  ["forwards", "totalForwards"],
  ["extra", "extraForwards"],
] as const;

/** Bytes of the process beyond those it had once everything was loaded. */
export function grown({ before, peak }: NonNullable<ComparedRow["measured"]>): number {
  return Math.max(0, peak - before);
}

/** As the command line says it: "equal, bit for bit"; "inverse: d/dx by 3 ULPs". */
export function gradientText({ schedule, distance, reversible }: ComparedRow, reference: string): string {
  if (schedule === reference) return "the reference";
  if (distance === null) return "";
  if (distance.worst === null) return "equal, bit for bit";
  const { name, ulps } = distance.worst;
  return `${reversible ? "inverse" : "differs"}: d/d${name} by ${tiny(ulps)} ULPs`;
}

/** The same rows to be saved. */
export function comparedNumbers({ reference, rows }: CompareAnswer): Table {
  return {
    columns: [
      "schedule",
      ...counted.map(([name]) => `${name}, count`),
      "primals, allocated bytes",
      "process peak, measured bytes",
      "after loading, measured bytes",
      "seconds, measured",
      "gradient",
      "failure",
    ],
    rows: rows.map((row) => [
      row.schedule,
      ...counted.map(([, key]) => row.counts?.[key] ?? null),
      row.allocatedBytes,
      row.measured?.peak ?? null,
      row.measured === null ? null : grown(row.measured),
      row.measured === null ? null : row.measured.elapsedMs / 1000,
      gradientText(row, reference),
      row.failure?.message ?? null,
    ]),
  };
}
