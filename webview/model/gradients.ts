/** The rows of the gradient figure: each input's derivative in the sum sweep and in the last-writer-wins sweep. */
import type { Gradient, RunReport } from "../../engine/report/report.js";

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
    const others = wrong[name];
    value.forEach((sum, i) => {
      total++;
      const other = typeof others === "object" ? others[i] : undefined;
      if (rows.length < limit) rows.push({ name: `${name}[${i}]`, sum, wrong: other });
    });
  }
  return { rows, total };
}
