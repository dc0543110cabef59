/** `backsweep steps`: its words, and what it prints. */
import type { FormatResult, SchemeResult, StepsResult } from "../engine/check/steps.js";
import type { StepRow } from "../engine/check/step-series.js";
import { power } from "./check.js";
import type { AnalysisCommand, Page } from "./command.js";
import { logPlot, type PlotSeries } from "./log-plot.js";
import { remarkRows, remarks } from "./remarks.js";
import { alignColumns, show, type Style } from "./style.js";
import { UsageError } from "./usage-error.js";

/** A table of more steps shows every second one; `--json` has all. */
const MOST_ROWS = 32;

export const steps: AnalysisCommand<"steps"> = {
  name: "steps",
  usage: "FILE --input x",
  summary: "step-size lab: error of difference quotients against the step, truncation and cancellation apart",
  about: [
    "Forward and central quotients over powers of two in binary32 and binary64, every operation rounded,",
    "against the derivative by a reverse sweep in f64. Truncation is what a quotient of the same points in",
    "f64 is off by; below f64's own rounding it is continued with the order of the formula. Cancellation",
    "is the rest. With --dtype f16 or bf16 that format is shown too.",
  ],
  options: {
    input: { value: "x", help: "the input whose derivative is taken; an element of an array is w[2]" },
  },
  finding: "NaN or Inf at the point itself",
  read(values) {
    const input = values.text("input");
    if (input === undefined) throw new UsageError("steps: which input? use backsweep steps FILE --input x");
    return { kind: "steps", input };
  },
  human,
  json: ({ input, formats, notes }, { showPath }) => ({
    input,
    formats,
    notes: remarkRows(notes, showPath),
  }),
  isFinding: ({ nonFinite }) => nonFinite,
};

function* human(result: StepsResult, { style, showPath }: Page): Generator<string> {
  const { input } = result;
  for (const format of result.formats) {
    const { dtype, epsilon, at, value, derivative } = format;
    yield `\n${style.bold(names[dtype])}  eps = ${power(epsilon)}; ${input} = ${show(at)}, value ${show(value)}, derivative ${show(derivative)}\n`;
    if (!Number.isFinite(value) || !Number.isFinite(derivative)) {
      yield `  ${style.bad("finding")}  there is nothing to compare with at this point\n`;
      continue;
    }
    yield* plot(format, style);
    yield* table(format, style);
    for (const scheme of format.schemes) yield bestLine(scheme, derivative, style);
  }
  yield* remarks(result.notes, style, showPath);
}

const names = {
  f64: "binary64 (f64)",
  f32: "binary32 (f32)",
  f16: "binary16 (f16)",
  bf16: "bfloat16 (bf16)",
};

/** Errors are relative to the derivative, where it is not 0. */
function relative(derivative: number): (error: number | null) => number | null {
  const unit = derivative === 0 ? 1 : Math.abs(derivative);
  return (error) => (error === null ? null : error / unit);
}

function* plot({ schemes, derivative }: FormatResult, style: Style): Generator<string> {
  const to = relative(derivative);
  const series: PlotSeries[] = schemes.map(({ scheme, rows }) => ({
    mark: scheme === "forward" ? "f" : "c",
    values: rows.map(({ error }) => to(error)),
  }));
  const exponents = schemes[0].rows.map(({ exponent }) => exponent);
  yield style.dim(
    `  ${derivative === 0 ? "errors" : "errors relative to the derivative"}; f forward, c central, * both\n`,
  );
  yield* logPlot(exponents, series);
  yield "\n";
}

function* table({ schemes, derivative }: FormatResult, style: Style): Generator<string> {
  const to = relative(derivative);
  const [forward, central] = schemes;
  const every = forward.rows.length > MOST_ROWS ? 2 : 1;
  const shown = forward.rows
    .map((_, i) => i)
    .filter((i) => i % every === 0 || isBest(forward, i) || isBest(central, i));
  const titles = ["step", "forward", "truncation", "cancellation", "central", "truncation", "cancellation"];
  const cells = (scheme: SchemeResult, i: number): string[] => {
    const row = scheme.rows[i];
    const mark = isBest(scheme, i) ? "<" : " ";
    return [
      `${rough(to(row.error))} ${mark}`,
      `${rough(to(row.truncation))}${how(row)}`,
      rough(to(row.cancellation)),
    ];
  };
  const lines = shown.map((i) => [
    `2^${forward.rows[i].exponent}`,
    ...cells(forward, i),
    ...cells(central, i),
  ]);
  const right = [false, true, true, true, true, true, true];
  for (const [i, line] of alignColumns([titles, ...lines], right).entries()) {
    const text = `  ${line.join("  ")}`.trimEnd();
    yield i === 0 ? `${style.dim(text)}\n` : `${text}\n`;
  }
  yield style.dim(
    `  < smallest error; ~ truncation continued with the order of the formula${every > 1 ? "; every second step, --json has all" : ""}\n`,
  );
}

function isBest({ rows, best }: SchemeResult, i: number): boolean {
  return best !== null && rows[i].step === best.step;
}

function how({ truncation, truncationBy }: StepRow): string {
  return truncation !== null && truncationBy === "order" ? "~" : " ";
}

function rough(x: number | null): string {
  if (x === null) return "-";
  return x === 0 ? "0" : x.toExponential(1);
}

function bestLine({ scheme, best, theory, order }: SchemeResult, derivative: number, style: Style): string {
  const root = order === 1 ? "sqrt(eps)" : "cbrt(eps)";
  const found =
    best === null
      ? "no step can be used"
      : `best step ${power(best.step)}, error ${rough(relative(derivative)(best.error))}`;
  const predicted =
    theory.step === null
      ? "no truncation"
      : `2^${Math.log2(theory.step).toFixed(1)} from truncation and eps |f|`;
  return `  ${style.bold(scheme.padEnd(7))}  ${found}; theory: ${predicted}, rule of thumb ${root} |x| = 2^${Math.log2(theory.scale).toFixed(1)}\n`;
}
