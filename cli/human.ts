/** What `run` prints for a person: the head, the output, the sums at every fan-out, the gradient right and wrong, remarks. */
import type { RunSuccess } from "../runner/messages.js";
import { nodeTitle, siteRange } from "../engine/trace/read.js";
import { NodeKind, type Trace } from "../engine/trace/trace.js";
import { Timeline } from "../engine/timeline/timeline.js";
import { groupByChild, type ChildGroup } from "./arrivals.js";
import { isArrayRow, showOutput, showRow } from "./array-text.js";
import { gradientTable } from "./gradient-table.js";
import { overwrites } from "./overwrites.js";
import { remarks } from "./remarks.js";
import { scheduleLines } from "./schedule-lines.js";
import { alignColumns, count, show, type Style } from "./style.js";

/** More than these are counted, not listed; `--json` has all. */
const MOST_NODES = 12;
const MOST_CHILDREN = 8;
const MOST_OUTPUTS = 8;
/** A sum of more terms is given by its value alone. */
const MOST_TERMS = 4;

/** `file`: the module's path as shown. `showPath` turns an absolute path into one to show. */
export function* humanReport(
  result: RunSuccess,
  file: string,
  style: Style,
  showPath: (path: string) => string,
): Generator<string> {
  const { trace, report } = result;
  const timeline = new Timeline(trace);
  yield* head(trace, timeline, report.graph, report.graphs, file, style);
  yield* outputs(trace, style);
  yield* fanOuts(trace, timeline, style);
  yield* gradientTable(result, style);
  yield* scheduleLines(report.checkpoint, style);
  yield* remarks(report.notes, style, showPath);
}

function* head(
  trace: Trace,
  timeline: Timeline,
  graph: string,
  graphs: readonly string[],
  file: string,
  style: Style,
): Generator<string> {
  const { options } = trace.header;
  let inputs = 0;
  for (let id = 0; id < trace.nodes.n; id++) if (trace.nodes.kind[id] === NodeKind.input) inputs++;
  const dtype =
    options.dtype === options.cotangentDtype
      ? options.dtype
      : `${options.dtype}, cotangents ${options.cotangentDtype}`;
  yield `${style.bold(graph)}  ${style.dim(file)}\n`;
  yield (
    `${count(trace.nodes.n, "node")} (${count(inputs, "input")}), ${count(timeline.steps, "step")}; ` +
    `${dtype}, ${options.accumulation}, ${options.order} order\n`
  );
  const others = graphs.filter((name) => name !== graph);
  if (others.length > 0)
    yield style.dim(
      `also exported: ${others.slice(0, 12).join(", ")}${others.length > 12 ? ", ..." : ""} (--graph NAME)\n`,
    );
}

function* outputs(trace: Trace, style: Style): Generator<string> {
  const all = trace.header.outputs;
  yield `\n${style.bold(all.length === 1 ? "Output" : "Outputs")}\n`;
  for (const { key, node, value, array } of all.slice(0, MOST_OUTPUTS)) {
    const name =
      key === null ? (node < 0 ? "L" : nodeTitle(trace, node)) : typeof key === "number" ? `L[${key}]` : key;
    yield `  ${style.accent(name)} = ${array === undefined ? show(value) : showOutput(array)}${node < 0 ? style.dim("  (plain: no gradient)") : ""}\n`;
  }
  if (all.length > MOST_OUTPUTS)
    yield style.dim(`  ... ${count(all.length - MOST_OUTPUTS, "more output")}\n`);
}

function* fanOuts(trace: Trace, timeline: Timeline, style: Style): Generator<string> {
  const nodes: number[] = [];
  for (let id = 0; id < trace.nodes.n; id++) if (timeline.slots(id) > 1) nodes.push(id);
  if (nodes.length === 0) {
    yield `\n${style.dim("No value is used more than once: every sum has one term.")}\n`;
    return;
  }
  yield `\n${style.bold("Used more than once")}\n`;
  const firsts = nodes.slice(0, MOST_NODES);
  for (const node of firsts) yield* fanOut(trace, timeline, node, style);
  if (nodes.length > firsts.length)
    yield style.dim(
      `  ... ${count(nodes.length - firsts.length, "more node")} with several uses (--json lists all)\n`,
    );
}

function* fanOut(trace: Trace, timeline: Timeline, node: number, style: Style): Generator<string> {
  const overwritten = overwrites(trace)(node);
  const groups = groupByChild(timeline, node, overwritten);
  const shown = groups.length > MOST_CHILDREN ? groups.slice(0, MOST_CHILDREN - 1) : groups;
  const kind = trace.nodes.kind[node] === NodeKind.input ? "input" : place(trace, node);
  const cotangent = timeline.cotangent(node);
  yield (
    `  ${style.accent(nodeTitle(trace, node))} = ${showRow(trace, trace.nodes.value[node])}  ${style.dim(kind)}  ` +
    `${count(groups.length, "child", "children")}, cotangent ${style.bold(cotangent === undefined ? "none" : showRow(trace, timeline.cotangentRow(node)))}\n`
  );
  if (isArrayRow(trace, trace.nodes.value[node])) {
    for (const { child, slots } of shown) {
      const parts = slots.map(({ edge }) => showRow(trace, timeline.contributionRow(edge))).join(" + ");
      yield `    from ${nodeTitle(trace, child)}   ${parts}\n`;
    }
    if (groups.length > shown.length)
      yield style.dim(`    ... ${count(groups.length - shown.length, "more child", "more children")}\n`);
    return;
  }
  const rows = contributionRows(trace, timeline, node, shown, overwritten);
  const titles = [
    "",
    "child's cotangent × local",
    "contribution",
    overwritten ? "what is kept" : "running sum",
  ];
  for (const [i, cells] of alignColumns([titles, ...rows], [false, true, true, false]).entries()) {
    const line = `    ${cells.join("   ")}`.trimEnd();
    yield `${i === 0 ? style.dim(line) : line}\n`;
  }
  if (groups.length > shown.length)
    yield style.dim(`    ... ${count(groups.length - shown.length, "more child", "more children")}\n`);
}

/** One row a child: where it comes from, how it is made, what it pays in its slots, and the sum until then. */
function contributionRows(
  trace: Trace,
  timeline: Timeline,
  node: number,
  groups: readonly ChildGroup[],
  overwritten: boolean,
): string[][] {
  const seed = timeline.seed(node);
  const terms: number[] = seed === undefined ? [] : [seed];
  const rows: string[][] = seed === undefined ? [] : [["seed", "", show(seed), show(seed)]];
  for (const { child, slots, sum, running } of groups) {
    const values = slots.map(({ value }) => value);
    const own = values.length === 1 ? show(values[0]) : `${joined(values)} = ${show(sum)}`;
    const bar = timeline.cotangent(child);
    // into an operation on arrays there is no single local derivative: its column has no number
    const array = Number.isNaN(slots[0].local) && !Number.isNaN(values[0]);
    const one = values.length === 1 && bar !== undefined && !array;
    const how = one ? `${show(bar)} × ${show(slots[0].local)}` : "";
    const before = terms.at(-1);
    terms.push(...values);
    const gone = overwritten ? [...(before === undefined ? [] : [before]), ...values.slice(0, -1)] : [];
    const lost =
      gone.length === 0 ? "" : `, ${gone.map(show).join(" and ")} ${gone.length === 1 ? "is" : "are"} lost`;
    const kept =
      terms.length > 1 && terms.length <= MOST_TERMS && !overwritten
        ? `${joined(terms)} = ${show(running)}`
        : show(running);
    rows.push([`from ${nodeTitle(trace, child)}`, how, own, `${kept}${lost}`]);
  }
  return rows;
}

function joined(values: readonly number[]): string {
  return values.map((value, i) => signed(value, i > 0)).join("");
}

/** `5`, and behind another term ` + 5` or ` - 5`. */
function signed(value: number, follows: boolean): string {
  if (!follows) return show(value);
  return value < 0 || Object.is(value, -0) ? ` - ${show(-value)}` : ` + ${show(value)}`;
}

function place(trace: Trace, node: number): string {
  const site = siteRange(trace, trace.nodes.site[node]);
  return site === null ? "no place" : `line ${site.line}`;
}
