/** `backsweep jacobian`. */
import type { JacobianResult } from "../engine/analysis/jacobian.js";
import { byOutput, byRow, outputValue } from "../engine/graph/entries.js";
import { showOutput } from "./array-text.js";
import type { AnalysisCommand } from "./command.js";
import { elementLabels } from "./elements.js";
import { remarkRows, remarks } from "./remarks.js";
import { alignColumns, count, show, type Style } from "./style.js";
import { parseChoice } from "./values.js";

const MOST_ROWS = 12;
const MOST_COLUMNS = 8;

export const jacobian: AnalysisCommand<"jacobian"> = {
  name: "jacobian",
  usage: "FILE [--mode auto|forward|reverse]",
  summary: "the derivative of every output in every input, with the number of sweeps it took",
  about: [
    "A forward sweep gives the derivatives in one input number, a reverse sweep those of one output number. auto",
    "takes the orientation with fewer sweeps, forward where both take as many; all sweeps go over one recording.",
    "Every element of an array is such a number.",
  ],
  options: { mode: { value: "M", help: "auto | forward | reverse (default auto)" } },
  finding: "an entry or an output is NaN or Inf",
  read(values) {
    const mode = values.text("mode") ?? "auto";
    return { kind: "jacobian", mode: parseChoice("--mode", mode, ["auto", "forward", "reverse"] as const) };
  },
  *human(result, { style, showPath }) {
    yield* human(result, style);
    yield* remarks(result.notes, style, showPath);
  },
  json: (result, { showPath }) => {
    const { mode, asked, sweeps, forwardSweeps, reverseSweeps, outputs } = result;
    return {
      mode,
      asked,
      sweeps,
      forwardSweeps,
      reverseSweeps,
      output: { value: byOutput(outputs, (output) => outputValue(outputs[output])) },
      jacobian: byOutput(outputs, (output) => byRow(result, output)),
      notes: remarkRows(result.notes, showPath),
    };
  },
  isFinding: ({ entries, outputs }) =>
    !entries.every(Number.isFinite) || !outputs.every(({ value }) => Number.isFinite(value)),
};

function* human(result: JacobianResult, style: Style): Generator<string> {
  const { inputs, outputs, columns, mode, sweeps, forwardSweeps, reverseSweeps, asked, entries } = result;
  const other = mode === "forward" ? `reverse: ${reverseSweeps}` : `forward: ${forwardSweeps}`;
  const chosen = asked === "auto" ? "the fewer" : "as asked";
  const rows = outputs.flatMap(({ key, value, array }) =>
    elementLabels(outputName(key), array?.shape ?? []).map((label, i) => ({
      label,
      value: array === undefined ? value : array.data[i],
    })),
  );
  const numbers = rows.length === outputs.length ? "" : ` of ${count(rows.length, "number")}`;
  yield (
    `${count(outputs.length, "output")}${numbers}, ${count(columns, "input number")}: ` +
    `${style.bold(count(sweeps, `${mode} sweep`))}, ${chosen} (${other})\n`
  );
  for (const { key, array } of outputs)
    if (array !== undefined) yield `  ${outputName(key)} = ${showOutput(array)}\n`;
  yield "\n";
  const names = inputs.flatMap(({ name, shape }) => elementLabels(name, shape));
  const shownColumns = Math.min(columns, columns > MOST_COLUMNS ? MOST_COLUMNS - 1 : columns);
  const head = ["", "value", ...names.slice(0, shownColumns).map((name) => `d/d${name}`)];
  const shown = rows
    .slice(0, MOST_ROWS)
    .map(({ label, value }, row) => [
      label,
      show(value),
      ...Array.from({ length: shownColumns }, (_, column) => show(entries[row * columns + column])),
    ]);
  const table = alignColumns([head, ...shown], [false, ...head.slice(1).map(() => true)]);
  for (const [i, cells] of table.entries()) {
    const line = `  ${cells.join("   ")}`.trimEnd();
    yield `${i === 0 ? style.dim(line) : line}\n`;
  }
  if (columns > shownColumns)
    yield style.dim(`  ... ${count(columns - shownColumns, "more input number")} (--json has all)\n`);
  if (rows.length > MOST_ROWS) {
    const what = numbers === "" ? "more output" : "more output number";
    yield style.dim(`  ... ${count(rows.length - MOST_ROWS, what)} (--json has all)\n`);
  }
}

function outputName(key: string | number | null): string {
  return key === null ? "L" : typeof key === "number" ? `L[${key}]` : key;
}
