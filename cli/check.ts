/** `backsweep check`: its words, and what it prints. */
import type { CheckNote, CheckResult, DifferenceCheck } from "../engine/check/result.js";
import { short } from "../engine/check/short.js";
import { fromNested } from "../engine/tape/ndarray.js";
import { showOutput } from "./array-text.js";
import type { AnalysisCommand, Page } from "./command.js";
import { severity as severityWord } from "./remarks.js";
import { alignColumns, count, show, type Style } from "./style.js";

/** More rows than these are counted, those that failed first; `--json` has all. */
const MOST_ROWS = 24;
const MOST_NOTES = 20;
const MOST_ELEMENTS = 6;

export const check: AnalysisCommand<"check"> = {
  name: "check",
  usage: "FILE",
  summary: "check the derivatives of every graph: JVP against VJP, finite differences, Taylor remainder",
  about: [
    "Without --graph every graph of the file is checked, for a file is what is saved and what CI names.",
    "The derivatives are those `run` computes, with the same options: --accumulate last-writer-wins fails.",
    "Difference quotients are taken in f64, their step chosen by a sweep over powers of two; above 50",
    "inputs along random directions. The rules of every `custom` primitive are checked on their own.",
    "At a kink, on the edge of a branch or at a stationary point nothing is proved: a point near by is",
    "checked instead, on the same branch where there is one, and it says so. On another branch, agreement",
    "proves nothing of the point that was asked for.",
  ],
  options: {},
  finding: "a check failed, or NaN or Inf",
  everyGraph: true,
  help: { graph: "the exported graph (default: every one)" },
  read: () => ({ kind: "check" }),
  human,
  json: ({ verdict, at, movedFrom, ...result }, page) => ({
    verdict,
    at,
    movedFrom,
    ...result,
    notes: result.notes.map((note) => ({ ...note, place: shownPlace(note.place, page) })),
    customRules: result.customRules.map((rule) => ({ ...rule, place: shownPlace(rule.place, page) })),
  }),
  isFinding: ({ verdict }) => verdict === "failed",
};

function shownPlace(place: CheckNote["place"], page: Page): CheckNote["place"] {
  return place === null ? null : { ...place, file: page.showPath(place.file) };
}

function* human(result: CheckResult, page: Page): Generator<string> {
  const { style } = page;
  yield `at ${pointText(result.at)}; ${count(result.evaluations, "evaluation")}\n`;
  yield* tests(result, style);
  yield* differences(result, style);
  yield* customRules(result, style);
  yield* notes(result.notes, page);
  yield `\n${verdictLine(result, style)}\n`;
}

/** `x = 2, w = [1, 2, 3]` */
function pointText(at: CheckResult["at"]): string {
  const parts = Object.entries(at).map(([name, value]) => `${name} = ${valueText(value)}`);
  const shown = parts.slice(0, MOST_ELEMENTS).join(", ");
  return parts.length > MOST_ELEMENTS
    ? `${shown}, ... (${count(parts.length, "input")})`
    : shown || "no input";
}

function valueText(value: unknown): string {
  if (typeof value === "number") return show(value);
  const list = Array.from(value as ArrayLike<unknown>);
  const { shape, data } = fromNested(list);
  // a large matrix is its shape and norm; a small one, and a list, are written out
  if (shape.length > 1 && data.length > MOST_ELEMENTS) return showOutput({ shape, data });
  const shown = list.slice(0, MOST_ELEMENTS).map(valueText).join(", ");
  return list.length > MOST_ELEMENTS ? `[${shown}, ... (${list.length})]` : `[${shown}]`;
}

function word(verdict: DifferenceCheck["verdict"], style: Style): string {
  switch (verdict) {
    case "ok":
      return style.good("ok");
    case "failed":
      return style.bad("FAILED");
    case "zero":
      return style.dim("0: proves nothing");
    case "kink":
      return style.warn("kink");
    case "unclear":
      return style.warn("unclear");
  }
}

function* tests({ dotProducts, taylor }: CheckResult, style: Style): Generator<string> {
  if (dotProducts.length === 0 && taylor.length === 0) return;
  const worst = Math.max(...dotProducts.map(({ difference }) => difference));
  const agree = dotProducts.every(({ ok }) => ok);
  yield "\n";
  if (dotProducts.length > 0)
    yield `${style.bold("JVP against VJP")}   ${count(dotProducts.length, "random direction")}, largest difference ${rough(worst)}   ${word(agree ? "ok" : "failed", style)}\n`;
  if (taylor.length === 0) return;
  const orders = taylor.map(({ order, linear }) =>
    order !== null ? `order ${order.toFixed(2)}` : linear ? "linear" : "below rounding",
  );
  const verdict = (["failed", "unclear", "ok"] as const).find((one) =>
    taylor.some((test) => test.verdict === one),
  )!;
  yield `${style.bold("Taylor remainder")}  ${orders.join(", ")}   ${word(verdict, style)}\n`;
}

function* differences({ differences: all, by }: CheckResult, style: Style): Generator<string> {
  if (all.length === 0) return;
  const what = by === "input" ? "by input" : `along ${count(all.length, "random direction")}`;
  yield `\n${style.bold("Derivatives against difference quotients")} ${style.dim(what)}\n`;
  const ordered = all.length <= MOST_ROWS ? all : [...all].sort((a, b) => rank(b) - rank(a));
  const rows = ordered.slice(0, MOST_ROWS);
  const titles = ["", "derivative", "central", "step", "off", "forward", "step"];
  const cells = rows.map(({ along, derivative, central, forward, off }) => [
    along,
    show(derivative),
    central === null ? "-" : short(central),
    central === null ? "" : power(central.step),
    off === null ? "" : rough(off),
    forward === null ? "-" : short(forward),
    forward === null ? "" : power(forward.step),
  ]);
  const right = [false, true, true, false, true, true, false];
  for (const [i, line] of alignColumns([titles, ...cells], right).entries()) {
    const text = `  ${line.join("   ")}`;
    yield i === 0
      ? `${style.dim(text.trimEnd())}\n`
      : `${text.padEnd(0)}   ${word(rows[i - 1].verdict, style)}\n`;
  }
  if (all.length > rows.length)
    yield style.dim(`  ... ${count(all.length - rows.length, "more row")} (--json lists all)\n`);
}

function rank({ verdict }: DifferenceCheck): number {
  return ["ok", "zero", "kink", "unclear", "failed"].indexOf(verdict);
}

/** Two digits: an error's size is all that is of interest. */
function rough(x: number): string {
  return x === 0 || !Number.isFinite(x) ? String(x) : String(Number(x.toPrecision(2)));
}

/** `2^-13`, or the number where it is no power of two */
export function power(step: number): string {
  const exponent = Math.log2(step);
  return Number.isInteger(exponent) ? `2^${exponent}` : show(step);
}

function* customRules({ customRules: all }: CheckResult, style: Style): Generator<string> {
  if (all.length === 0) return;
  yield `\n${style.bold("Custom primitives against their own forward")}\n`;
  const rows = all.map(({ name, place, nodes, vjp, quotient }) => [
    name,
    place === null ? "no place" : `line ${place.line}`,
    count(nodes, "node"),
    `vjp ${show(vjp)}`,
    quotient === null ? "no quotient" : `quotient ${short(quotient)}`,
  ]);
  const lines = alignColumns(rows, [false, false, true, true, true]);
  for (const [i, line] of lines.entries()) yield `  ${line.join("   ")}   ${word(all[i].verdict, style)}\n`;
}

function* notes(all: readonly CheckNote[], { style, showPath }: Page): Generator<string> {
  if (all.length === 0) return;
  yield `\n${style.bold("Remarks")}\n`;
  for (const { severity, message, place } of all.slice(0, MOST_NOTES)) {
    const at = place === null ? "" : `${showPath(place.file)}:${place.line}:${place.column}: `;
    yield `  ${severityWord(severity, style)}  ${at}${message}\n`;
  }
  if (all.length > MOST_NOTES) yield style.dim(`  ... ${count(all.length - MOST_NOTES, "more remark")}\n`);
}

function verdictLine(result: CheckResult, style: Style): string {
  const { verdict, movedFrom, sameBranch, differences: all } = result;
  const asked = movedFrom.length === 0 ? null : pointText(movedFrom[0].at);
  const beside = asked === null ? "" : ` beside ${asked}`;
  switch (verdict) {
    case "ok":
      return `${style.good("ok")}${beside}: the derivatives agree${asked === null ? "" : askedFor(result, asked)}`;
    case "failed":
      return `${style.bad("FAILED")}${beside}: see the findings above`;
    case "proves-nothing": {
      const word = style.warn("proves nothing");
      if (all.length === 0) return `${word}: there is nothing to compare`;
      if (sameBranch || !all.some((row) => row.verdict === "ok"))
        return `${word}${asked === null ? "" : ` at ${asked}`}: ${unproved(all)}${asked === null ? "" : ", nor beside it"}`;
      return (
        `${word} at ${asked}: the derivatives agree beside it, but on another branch; ` +
        `those that \`run\` shows for ${asked} were not checked`
      );
    }
  }
}

/** What agreement beside a point says of the point itself. */
function askedFor({ movedFrom: [{ code }] }: CheckResult, asked: string): string {
  switch (code) {
    case "kink":
      return ` there; at ${asked} there is none to compare with`;
    case "domain":
      return ` there; at ${asked} there is no difference quotient to compare with`;
    case "branch":
      return ` there, on the same branch`;
    case "stationary":
      return ` there, and all are 0 at ${asked}`;
  }
}

function unproved(rows: CheckResult["differences"]): string {
  if (rows.every((row) => row.verdict === "zero")) return "no derivative could be told from 0";
  if (!rows.some((row) => row.verdict === "ok")) return "no derivative could be told from a wrong one";
  const unclear = rows.filter((row) => row.verdict === "unclear").map(({ along }) => along);
  return `${unclear.join(", ")} could not be told from a wrong one`;
}
