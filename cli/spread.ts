/** `backsweep spread`. */
import type { SpreadResult } from "../engine/analysis/spread.js";
import type { FormatSpread, ModeSpread } from "../engine/graph/spread.js";
import type { OrdersTried } from "../engine/graph/spread-tried.js";
import type { Spread } from "../engine/sweep/spread.js";
import type { AnalysisCommand } from "./command.js";
import { remarkRows, remarks } from "./remarks.js";
import { alignColumns, count, show, type Style } from "./style.js";
import { UsageError } from "./usage-error.js";

const MOST_TERMS = 12;
const MOST_PAIRS = 6;

export const spread: AnalysisCommand<"spread"> = {
  name: "spread",
  usage: "FILE --node a",
  summary: "the sum at a fan-out over the orders of its contributions, by accumulation mode and format",
  about: [
    "All orders are tried for at most 8 contributions, else sorted ones and random ones of the graph's seed. Reachable",
    "orders are those some reverse topological order has: a child hands over all its slots at once, and a child that",
    "another child uses comes after it. ULPs count from the exact sum of the contributions, rounded once.",
  ],
  options: { node: { value: "a", help: "name of the node, or its id" } },
  finding: "a sum is NaN or Inf",
  read(values) {
    const node = values.text("node");
    if (node === undefined) throw new UsageError("spread: at which node? use --node NAME");
    return { kind: "spread", node };
  },
  *human(result, { style, showPath }) {
    yield* human(result, style);
    yield* remarks(result.notes, style, showPath);
  },
  json: ({ node, name, contributions, always, all, reachable, formats, notes }, { showPath }) => ({
    node,
    name,
    contributions,
    orders: { all, reachable, always: always ?? undefined },
    formats,
    notes: remarkRows(notes, showPath),
  }),
  isFinding: ({ contributions, formats }) =>
    !contributions.every(({ value }) => Number.isFinite(value)) ||
    formats.some(
      ({ dtype, modes }) => dtype === "f64" && modes.some(({ arrival }) => !Number.isFinite(arrival)),
    ),
};

function* human(
  { name, contributions, always, all, reachable, formats }: SpreadResult,
  style: Style,
): Generator<string> {
  const children = new Set(contributions.map(({ consumer }) => consumer).filter((v) => v >= 0)).size;
  yield `${style.accent(name)}: ${count(contributions.length, "contribution")} from ${count(children, "child", "children")}\n`;
  for (const { from, slot, value } of contributions.slice(0, MOST_TERMS)) {
    yield `  ${from === null ? "seed" : `from ${from}, slot ${slot}`}: ${value}\n`;
  }
  if (contributions.length > MOST_TERMS)
    yield style.dim(
      `  ... ${count(contributions.length - MOST_TERMS, "more contribution")} (--json has all)\n`,
    );
  if (formats.length === 0) {
    const why =
      contributions.length === 0
        ? "It is on no path to an output: there is no sum."
        : "One contribution: there is nothing to order, the sum is that number in every mode.";
    yield `\n${why}\n`;
    return;
  }
  yield `\n  any order: ${tried(all, contributions.length)}\n  reachable: ${tried(reachable, null)}\n`;
  if (always !== null && always.length > 0) {
    const shown = always.slice(0, MOST_PAIRS).map(([before, after]) => `${before} before ${after}`);
    const more = always.length > MOST_PAIRS ? ", ..." : "";
    yield style.dim(`  whatever the sweep's order: ${shown.join(", ")}${more}\n`);
  }
  for (const format of formats) yield* formatTable(format, style);
}

function tried({ tried: n, total, complete }: OrdersTried, terms: number | null): string {
  const all =
    terms === null
      ? ""
      : ` of ${terms}!${total === null || terms < 4 ? "" : ` = ${total.toLocaleString("en-US")}`}`;
  return complete
    ? `${count(n, "order")}, all tried`
    : `${count(n, "order")}${all} tried (${terms === null ? "random orders of the sweep" : "sorted ones, and random ones of the seed"})`;
}

function* formatTable({ dtype, exact, condition, modes }: FormatSpread, style: Style): Generator<string> {
  if (!Number.isFinite(exact)) {
    yield `\n${style.bold(dtype)}  ${style.bad(String(exact))}: a contribution or the sum is beyond the range of this format\n`;
    return;
  }
  if (modes.every(({ all, reachable }) => all.exact === all.orders && reachable.exact === reachable.orders)) {
    yield `\n${style.bold(dtype)}  ${style.accent(String(exact))} in every order tried and every mode: the exact sum, rounded once\n`;
    return;
  }
  const cancels =
    condition > 1 ? style.dim(`, Σ|term| / |Σ term| = ${show(Number(condition.toPrecision(3)))}`) : "";
  yield `\n${style.bold(dtype)}  exact sum ${style.accent(String(exact))}${cancels}\n`;
  const head = ["", "orders", "results", "min", "max", "worst ulps", "exact"];
  const rows = modes.flatMap(modeRows);
  const table = alignColumns([head, ...rows], [false, false, true, true, true, true, true]);
  for (const [i, cells] of table.entries()) {
    const line = `  ${cells.join("   ")}`.trimEnd();
    yield `${i === 0 ? style.dim(line) : line}\n`;
  }
}

function modeRows({ mode, all, reachable }: ModeSpread): string[][] {
  const row = (first: string, which: string, s: Spread): string[] => [
    first,
    which,
    String(s.distinct),
    String(s.min),
    String(s.max),
    show(s.worstUlps),
    `${Math.round((1000 * s.exact) / s.orders) / 10} %`,
  ];
  return [row(mode, "any", all), row("", "reachable", reachable)];
}
