/** `backsweep expr`: its words, and how expressions, their sizes and their values are printed. */
import type { ExprDerivative, ExprLine, ExprResult, ExprSize } from "../engine/analysis/expr-result.js";
import type { AnalysisCommand, OptionValues, Page } from "./command.js";
import { remarkRows, remarks } from "./remarks.js";
import { alignColumns, count, show, type Style } from "./style.js";
import { displayWidth } from "./width.js";
import { UsageError } from "./usage-error.js";

const LIMIT = 40;
const EXPAND = 60;
const MOST_EXPAND = 2_000;
const MOST_INPUTS = 6;
/** Beyond this many digits a size is printed as a power of ten. */
const MOST_DIGITS = 21;
/** Values stand in one column, unless a text is longer than this. */
const WIDEST = 76;

export const expr: AnalysisCommand<"expr"> = {
  name: "expr",
  usage: "FILE [--node x]",
  summary: "the derivative as an expression, shared parts kept: its size shared and written out",
  about: [
    "Lines compute the value, then the derivative: what the reverse sweep does with numbers, in symbols.",
    "A size counts operations, symbols and numbers: shared, each once; written out, as often as they stand",
    "in one expression without lines. The reverse sweep, the expression evaluated and a difference quotient",
    "are compared; the branches taken at the point are the ones differentiated.",
  ],
  options: {
    node: { value: "NAME", help: "the derivative of the output in this node; default: in every input" },
    limit: { value: "N", help: `lines of value and of derivative that are printed; default ${LIMIT}` },
    expand: {
      value: "N",
      help: `write a derivative out as one expression up to this size; default ${EXPAND}`,
    },
  },
  finding: "the three values disagree, or a derivative is NaN or Inf",
  read: (values) => ({
    kind: "expr",
    node: values.text("node") ?? null,
    limit: wholeNumber(values, "limit", LIMIT, 1e9),
    expand: wholeNumber(values, "expand", EXPAND, MOST_EXPAND),
  }),
  human,
  json: ({ output, outputs, value, at, notes, ...rest }, { showPath }) => ({
    output,
    outputs,
    value,
    at,
    ...rest,
    notes: remarkRows(notes, showPath),
  }),
  isFinding: ({ agree, derivatives }) =>
    !agree ||
    derivatives.some(({ reverse, symbolic }) => !Number.isFinite(reverse) || !Number.isFinite(symbolic)),
};

function wholeNumber(values: OptionValues, option: string, otherwise: number, most: number): number {
  const text = values.text(option);
  if (text === undefined) return otherwise;
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
  throw new UsageError(`--${option}: use a whole number up to ${most.toLocaleString("en-US")}, not ${text}`);
}

function* human(result: ExprResult, { style, showPath }: Page): Generator<string> {
  const { derivatives, totals } = result;
  yield `${pointText(result)}\n`;
  const value = result.lines.filter(({ part }) => part === "value").map(lineRow);
  const reverse = result.lines.filter(({ part }) => part === "reverse").map(lineRow);
  const last = derivatives.map(({ name, text, symbolic }): Row => [`${name} = ${text}`, show(symbolic), ""]);
  const column = columnOf([...value, ...reverse, ...last]);
  yield `\n${style.bold("value")}\n`;
  yield* printed(value, column, style);
  yield more(totals.value - value.length, style);
  yield `\n${style.bold("derivative")}\n`;
  yield* printed(reverse, column, style);
  yield more(totals.reverse - reverse.length, style);
  yield* printed(last, column, style);
  yield* writtenOut(derivatives, style);
  yield* comparison(result, style);
  yield* sizes(result, style);
  yield* remarks(result.notes, style, showPath);
}

function pointText({ output, value, at, omitted }: ExprResult): string {
  const shown = at.slice(0, MOST_INPUTS).map((input) => `${input.name} = ${show(input.value)}`);
  if (at.length + omitted > MOST_INPUTS) shown.push(`... (${count(at.length + omitted, "input")})`);
  return `${output} = ${show(value)} at ${shown.join(", ") || "no input"}`;
}

/** Text, value, remark. */
type Row = readonly [string, string, string];

function lineRow({ name, text, value, cotangent }: ExprLine): Row {
  return [`${name} = ${text}`, show(value), cotangent === null ? "" : `is ${cotangent}`];
}

/** Where values stand; long texts do not push them off the screen. */
function columnOf(rows: readonly Row[]): number {
  return Math.max(0, ...rows.map(([text]) => displayWidth(text)).filter((width) => width <= WIDEST));
}

function* printed(rows: readonly Row[], column: number, style: Style): Generator<string> {
  for (const [text, value, remark] of rows) {
    const gap = " ".repeat(Math.max(0, column - displayWidth(text)) + 2);
    yield `  ${text}${gap}${style.dim(`# ${value}${remark === "" ? "" : `, ${remark}`}`)}\n`;
  }
}

function more(n: number, style: Style): string {
  return n > 0 ? style.dim(`  ... ${count(n, "more line")} (--limit N)\n`) : "";
}

function* writtenOut(derivatives: readonly ExprDerivative[], style: Style): Generator<string> {
  const small = derivatives.filter(({ tree, text }) => tree !== null && tree !== text);
  if (small.length === 0) return;
  yield `\n${style.bold("written out")}\n`;
  for (const { name, tree } of small) yield `  ${name} = ${tree}\n`;
}

function* table(rows: readonly (readonly string[])[], right: readonly boolean[]): Generator<string> {
  for (const cells of alignColumns(rows, right)) yield `  ${cells.join("   ").trimEnd()}\n`;
}

function* comparison({ derivatives, omitted, agree }: ExprResult, style: Style): Generator<string> {
  yield `\n${style.bold("three ways to the same number")}\n`;
  const rows = derivatives.map(({ name, reverse, symbolic, numerical, numericalError, why, agree: same }) => [
    name,
    show(reverse),
    show(symbolic),
    numerical === null ? `- (${why})` : `${show(numerical)} ± ${numericalError!.toExponential(0)}`,
    same ? "" : "DISAGREE",
  ]);
  yield* table(
    [["", "reverse sweep", "expression", "difference quotient", ""], ...rows],
    [false, true, true, true, false],
  );
  if (omitted > 0) yield style.dim(`  ... ${count(omitted, "more input")} (--node NAME)\n`);
  yield agree ? style.good("  they agree\n") : style.bad("  they do not agree\n");
}

function* sizes({ output, outputSize, derivatives, together }: ExprResult, style: Style): Generator<string> {
  yield `\n${style.bold("size")}\n`;
  const row = (name: string, size: ExprSize): string[] => [
    name,
    size.shared.toLocaleString("en-US"),
    treeText(size),
  ];
  yield* table(
    [
      ["", "shared", "written out"],
      row(output, outputSize),
      ...derivatives.map((derivative) => row(derivative.name, derivative)),
      ...(derivatives.length > 1 ? [row("together", together)] : []),
    ],
    [false, true, true],
  );
}

/** Digits in groups, or a power of ten. */
function treeText({ expanded, expandedLog10 }: ExprSize): string {
  if (expanded !== null && expanded.length <= MOST_DIGITS) return BigInt(expanded).toLocaleString("en-US");
  const exponent = Math.floor(expandedLog10);
  if (exponent >= 1e6) return `10^${exponent.toLocaleString("en-US")}`;
  return `${(10 ** (expandedLog10 - exponent)).toFixed(2)} * 10^${exponent.toLocaleString("en-US")}`;
}
