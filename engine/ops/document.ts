/** The table as a Markdown page: what `docs/primitives.md` holds. */
import type { ScalarPrimitive } from "./primitive.js";

const HEAD = `# Primitives

Generated from \`engine/ops/\` by \`node scripts/primitives-doc.mjs\`; a test holds it to the table.

Operands are named as in the formula, \`y\` is the output, \`g\` the cotangent of the output. A contribution is \`g\` times the
derivative unless the note says otherwise. At a point where a primitive is not differentiable, the derivative stated under
"at a kink" is taken and the sweep says so. Outside its domain a primitive's value is NaN or infinite, and its derivative is
what the formula gives.

The derivatives are expressions over the primitives of this table, with \`PI\`, \`LN2\`, \`LN10\`, \`LOG2E\` and \`LOG10E\`: \`backsweep
expr\` prints them and nested differentiation records them, so they are written in a form that keeps its digits where the
shortest one cancels, and a test holds them to the rules. Second derivatives are in the table as functions, and held to
the same reference.

*Reads* is what the reverse rule of each operand reads, and so what is kept until then: nothing (-), operands, the output.
*Cost* is the number of unit operations of the value and, after the bar, of each operand's contribution without its
accumulation: + - * / negation, a comparison and a call of an elementary function count one each. For the five basic
operations (marked *) forward plus reverse, each \`+=\` counted, is at most 5 times forward (Baur and Strassen).

| name | formula | derivatives | domain | at a kink | reads | cost |
|---|---|---|---|---|---|---|
`;

/** Text inside a table cell, as code; a bar would end the cell. */
function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

function reads(row: ScalarPrimitive): string {
  const names = row.saves.map((slots) =>
    slots.map((s) => (s === "output" ? "y" : row.operands[s])).join(" "),
  );
  return names.map((x) => x || "-").join("; ");
}

function line(row: ScalarPrimitive): string {
  const cells = [
    row.name + (row.basic ? "\\*" : ""),
    code(row.formula) + (row.infix === null ? "" : ` (${code(row.infix)})`),
    row.operands.map((x, s) => (row.arity === 1 ? "" : `${x}: `) + code(row.derivatives[s])).join("; "),
    row.domain ?? "all",
    row.kink?.convention ?? "",
    reads(row),
    `${row.cost.value} \\| ${row.cost.vjp.join(", ")}`,
  ];
  return `| ${cells.join(" | ")} |\n`;
}

/** The whole page; ends with a newline. */
export function primitivesMarkdown(rows: readonly ScalarPrimitive[]): string {
  const notes = rows.map((row) => `- **${row.name}**(${row.operands.join(", ")}): ${row.doc}\n`);
  return `${HEAD}${rows.map(line).join("")}\n## Notes\n\n${notes.join("")}`;
}
