/** `backsweep jacobian`. */
import type { JacobianResult } from "../engine/analysis/jacobian.js";
import { byInput } from "../engine/graph/directions.js";
import { byOutput } from "../engine/graph/jacobian.js";
import type { AnalysisCommand } from "./command.js";
import { alignColumns, count, show, type Style } from "./style.js";
import { parseChoice } from "./values.js";

const MOST_ROWS = 12;
const MOST_COLUMNS = 8;

export const jacobian: AnalysisCommand<"jacobian"> = {
  name: "jacobian",
  usage: "FILE [--mode auto|forward|reverse]",
  summary: "the derivative of every output in every input, with the number of sweeps it took",
  about: [
    "A forward sweep gives the derivatives in one input number, a reverse sweep those of one output. auto takes",
    "the orientation with fewer sweeps, forward where both take as many; all sweeps go over one recording.",
  ],
  options: { mode: { value: "M", help: "auto | forward | reverse (default auto)" } },
  finding: "an entry or an output is NaN or Inf",
  read(values) {
    const mode = values.text("mode") ?? "auto";
    return { kind: "jacobian", mode: parseChoice("--mode", mode, ["auto", "forward", "reverse"] as const) };
  },
  human: (result, { style }) => human(result, style),
  json: ({ asked, mode, sweeps, forwardSweeps, reverseSweeps, inputs, outputs, entries, columns }) => {
    const infos = inputs.map(({ name, count: n, scalar }) => ({
      name,
      first: 0,
      count: n,
      shape: scalar ? [] : [n],
    }));
    const keyed = outputs.map(({ key, value }) => ({ key, node: -1, value, cotangent: 1 }));
    return {
      mode,
      asked,
      sweeps,
      forwardSweeps,
      reverseSweeps,
      output: { value: byOutput(keyed, (row) => outputs[row].value) },
      jacobian: byOutput(keyed, (row) => byInput(infos, (column) => entries[row * columns + column])),
    };
  },
  isFinding: ({ entries, outputs }) =>
    !entries.every(Number.isFinite) || !outputs.every(({ value }) => Number.isFinite(value)),
};

function* human(result: JacobianResult, style: Style): Generator<string> {
  const { outputs, columns, mode, sweeps, forwardSweeps, reverseSweeps, asked, entries } = result;
  const other = mode === "forward" ? `reverse: ${reverseSweeps}` : `forward: ${forwardSweeps}`;
  const chosen = asked === "auto" ? "the fewer" : "as asked";
  yield (
    `${count(outputs.length, "output")}, ${count(columns, "input number")}: ` +
    `${style.bold(count(sweeps, `${mode} sweep`))}, ${chosen} (${other})\n\n`
  );
  const names = columnNames(result);
  const shownColumns = Math.min(columns, columns > MOST_COLUMNS ? MOST_COLUMNS - 1 : columns);
  const head = ["", "value", ...names.slice(0, shownColumns).map((name) => `d/d${name}`)];
  const rows = outputs
    .slice(0, MOST_ROWS)
    .map(({ key, value }, row) => [
      key === null ? "L" : typeof key === "number" ? `L[${key}]` : key,
      show(value),
      ...Array.from({ length: shownColumns }, (_, column) => show(entries[row * columns + column])),
    ]);
  const table = alignColumns([head, ...rows], [false, ...head.slice(1).map(() => true)]);
  for (const [i, cells] of table.entries()) {
    const line = `  ${cells.join("   ")}`.trimEnd();
    yield `${i === 0 ? style.dim(line) : line}\n`;
  }
  if (columns > shownColumns)
    yield style.dim(`  ... ${count(columns - shownColumns, "more input number")} (--json has all)\n`);
  if (outputs.length > MOST_ROWS)
    yield style.dim(`  ... ${count(outputs.length - MOST_ROWS, "more output")} (--json has all)\n`);
}

function columnNames({ inputs }: JacobianResult): string[] {
  return inputs.flatMap(({ name, count: n, scalar }) =>
    scalar ? [name] : Array.from({ length: n }, (_, i) => `${name}[${i}]`),
  );
}
