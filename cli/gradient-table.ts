/** The gradient beside the one that last-writer-wins gives: where they differ, a contribution would have been lost. */
import type { RunSuccess } from "../runner/messages.js";
import { gradientElements, type Gradient } from "../engine/report/report.js";
import { isLastWriter } from "./overwrites.js";
import { alignColumns, count, show, type Style } from "./style.js";

const MOST_ROWS = 24;
const MOST_ELEMENTS = 8;

interface Row {
  readonly name: string;
  readonly right: number;
  readonly wrong: number;
}

/** One row a scalar; of a long array the first elements. */
function rowsOf(right: Gradient, wrong: Gradient): { rows: Row[]; left: number; differ: number } {
  const rows: Row[] = [];
  let left = 0;
  let differ = 0;
  const add = (name: string, a: number, b: number, wanted: boolean): void => {
    if (!Object.is(a, b)) differ++;
    if (wanted && rows.length < MOST_ROWS) rows.push({ name, right: a, wrong: b });
    else left++;
  };
  for (const [name, value] of Object.entries(right)) {
    const other = wrong[name];
    if (typeof value === "number") {
      add(name, value, other as number, true);
      continue;
    }
    const elements = [...gradientElements(value, other)];
    elements.forEach(({ path, value: x, other: y }, i) =>
      add(name + path, x, y, i < MOST_ELEMENTS || elements.length === MOST_ELEMENTS + 1),
    );
  }
  return { rows, left, differ };
}

export function* gradientTable(result: RunSuccess, style: Style): Generator<string> {
  const { report, trace } = result;
  const { rows, left, differ } = rowsOf(report.correctGradient, report.lastWriterWins.gradient);
  const chosen = isLastWriter(trace);
  yield `\n${style.bold("Gradient")}${chosen ? style.warn("  (last-writer-wins was asked for: the wrong values are in use)") : ""}\n`;
  const table = rows.map(({ name, right, wrong }) => [
    name,
    show(right),
    show(wrong),
    Object.is(right, wrong) ? "" : "differs",
  ]);
  const aligned = alignColumns([["", "sum", "last writer wins", ""], ...table], [false, true, true, false]);
  for (const [i, cells] of aligned.entries()) {
    const line = `  ${cells.join("   ")}`.trimEnd();
    if (i === 0) yield `${style.dim(line)}\n`;
    else if (table[i - 1][3] === "") yield `${line}\n`;
    else yield `  ${cells[0]}   ${style.good(cells[1])}   ${style.bad(cells[2])}   ${style.bad("differs")}\n`;
  }
  if (left > 0) yield style.dim(`  ... ${count(left, "more entry", "more entries")} (--json lists all)\n`);
  if (differ === 0 && rows.length > 0)
    yield style.dim("  no value between inputs and output would lose a contribution\n");
}
