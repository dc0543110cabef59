/** The numbers behind a drawing, as text. */

/** Numbers behind a drawing. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean | null)[])[];
}

export function csvText({ columns, rows }: Table): string {
  const cell = (value: string | number | boolean | null): string => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/** One object a row; numbers that JSON has no word for are strings, as on the command line. */
export function jsonText({ columns, rows }: Table): string {
  const value = (cell: string | number | boolean | null): string | number | boolean | null =>
    typeof cell === "number" && !Number.isFinite(cell) ? String(cell) : cell;
  const objects = rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, value(row[i])])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}
