/** The rows of the gradient figure: each input's derivative in the sum sweep and in the last-writer-wins sweep. */
import { gradientElements, type Gradient, type RunReport } from "../../engine/report/report.js";

export interface GradientRow {
  /** "x", or "w[3]" for an element */
  readonly name: string;
  readonly sum: number;
  readonly wrong: number | undefined;
}

/** At most `limit` rows, and how many there are in all. */
export function gradientRows(report: RunReport, limit: number): { rows: GradientRow[]; total: number } {
  const rows: GradientRow[] = [];
  let total = 0;
  const wrong: Gradient = report.lastWriterWins.gradient;
  for (const [name, value] of Object.entries(report.correctGradient)) {
    if (typeof value === "number") {
      total++;
      const other = wrong[name];
      if (rows.length < limit)
        rows.push({ name, sum: value, wrong: typeof other === "number" ? other : undefined });
      continue;
    }
    for (const element of gradientElements(value, wrong[name])) {
      total++;
      if (rows.length < limit)
        rows.push({ name: name + element.path, sum: element.value, wrong: element.other });
    }
  }
  return { rows, total };
}
