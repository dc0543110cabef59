/** The array table as a Markdown page: what `docs/arrays-table.md` holds. */
import type { ArrayPrimitive } from "./row.js";

const HEAD = `# The array table

Generated from \`engine/ops/array/\` by \`node scripts/primitives-doc.mjs\`; a test holds it to the table. How arrays are used
in a graph is in [arrays.md](arrays.md).

\`x\`, \`a\`, \`b\` ... are operands, \`y\` is the output, \`g\` its cotangent. Contributions are summed back to their operand's shape
where it was broadcast. Every scalar primitive of [primitives.md](primitives.md) is in the table too, element by element.
Rows marked † stand inside other rows' rules.

| name | value | contributions | domain |
|---|---|---|---|
`;

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

function line(row: ArrayPrimitive, inner: boolean): string {
  const cells = [row.name + (inner ? " †" : ""), code(row.formula), code(row.rule), row.domain ?? "all"];
  return `| ${cells.join(" | ")} |\n`;
}

/** The whole page; ends with a newline. */
export function arraysMarkdown(rows: readonly ArrayPrimitive[], inner: ReadonlySet<string>): string {
  const lines = rows.map((row) => line(row, inner.has(row.name)));
  const notes = rows.map((row) => `- **${row.name}**(${row.operands.join(", ")}): ${row.doc}\n`);
  return `${HEAD}${lines.join("")}\n## Notes\n\n${notes.join("")}`;
}
