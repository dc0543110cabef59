/** Plain tables. */
export type Row = readonly string[];

/** First column to the left, the others to the right, but the last, which is a remark. */
export function textTable(head: Row, rows: readonly Row[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const line = (row: Row): string =>
    row
      .map((cell, i) => (i === 0 || i === row.length - 1 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join("  ")
      .trimEnd();
  return [head, ...rows].map(line).join("\n");
}

export function markdownTable(head: Row, rows: readonly Row[]): string {
  const escape = (cell: string): string => cell.replaceAll("|", "\\|");
  const line = (row: Row): string => `| ${row.map(escape).join(" | ")} |`;
  const rule = head.map((_, i) => (i === 0 || i === head.length - 1 ? "---" : "---:"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** Three significant digits, without an exponent. */
export function number(x: number | null): string {
  if (x === null) return "";
  if (x === 0 || !Number.isFinite(x)) return String(x);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(x))));
  return x.toFixed(Math.min(digits, 6));
}
