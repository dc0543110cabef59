/** A log-log plot in characters: one column a power of two, rows by powers of ten. */

export interface PlotSeries {
  /** one character */
  readonly mark: string;
  /** one a column; null is not drawn, 0 stands on a line of its own below the others */
  readonly values: readonly (number | null)[];
}

const HEIGHT = 16;
/** Where marks of two series meet. */
const BOTH = "*";

/** Columns from the largest step on the left to the smallest on the right. */
export function* logPlot(exponents: readonly number[], series: readonly PlotSeries[]): Generator<string> {
  const logs = series.map(({ mark, values }) => ({ mark, logs: values.map(logOf) }));
  const drawn = logs.flatMap((one) => one.logs.filter((log) => log !== null));
  const zeros = exponents.map((_, column) => {
    const marks = series.filter(({ values }) => values[column] === 0).map(({ mark }) => mark);
    return marks.length > 1 ? BOTH : (marks[0] ?? " ");
  });
  if (drawn.length === 0) drawn.push(0);
  const top = Math.ceil(Math.max(...drawn));
  const bottom = Math.min(top - 1, Math.floor(Math.min(...drawn)));
  const height = Math.min(HEIGHT, (top - bottom) * 2);
  const rowOf = (log: number): number =>
    Math.min(height - 1, Math.floor(((top - log) / (top - bottom)) * height));
  const rows = Array.from({ length: height }, () => exponents.map(() => " "));
  for (const { mark, logs: values } of logs) {
    values.forEach((log, column) => {
      if (log === null) return;
      const row = rows[rowOf(log)];
      row[column] = row[column] === " " ? mark : BOTH;
    });
  }
  for (const [i, row] of rows.entries()) {
    // a label where a row begins a new power of ten
    const power = Math.round(top - (i * (top - bottom)) / height);
    const before = Math.round(top - ((i - 1) * (top - bottom)) / height);
    const label = i === 0 || power !== before ? `1e${power}` : "";
    yield `  ${label.padStart(6)} |${row.join("").trimEnd()}\n`;
  }
  if (zeros.some((mark) => mark !== " ")) yield `  ${"0".padStart(6)} |${zeros.join("").trimEnd()}\n`;
  yield `  ${"".padStart(6)} +${"-".repeat(exponents.length)}\n`;
  yield `  ${"".padStart(6)}  ${axis(exponents)}\n`;
}

function logOf(x: number | null): number | null {
  return x === null || x === 0 || !Number.isFinite(x) ? null : Math.log10(x);
}

/** `2^1` under its column, every eighth. */
function axis(exponents: readonly number[]): string {
  let text = "";
  for (let i = 0; i < exponents.length; i += 8) text = text.padEnd(i) + `2^${exponents[i]}`;
  return text;
}
