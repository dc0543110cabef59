/** Everything about one node at the end of its sweep, as data: the editor's hover and the tree print it. */
import type { UseIndex } from "../sweep/paths.js";
import type { Timeline } from "../timeline/timeline.js";
import { nodeTitle } from "../trace/read.js";
import { cancellation } from "./cancellation.js";
import { contributionRows, type ContributionRow } from "./contributions.js";
import { factsOf, type NodeFacts } from "./facts.js";
import { countText, productsText, summarisePaths, type PathSummary } from "./paths.js";
import { factor, full, roomy, short } from "./text/format.js";

export interface NodeStory {
  readonly facts: NodeFacts;
  readonly rows: readonly ContributionRow[];
  /** |sum| / sum of |parts|; null where fewer than two parts meet or it has no meaning */
  readonly cancellation: number | null;
  /** null: no path leads to an output, or the recording stopped before its sweep, or they were not counted */
  readonly paths: PathSummary | null;
  /** the graph is too large to count paths while somebody waits */
  readonly uncounted: boolean;
}

/** Edges of a graph whose paths are counted: a count can have as many digits as the graph has nodes. */
const COUNTED_EDGES = 10_000;

export function storyOf(timeline: Timeline, node: number, uses: UseIndex): NodeStory {
  const facts = factsOf(timeline, node, timeline.steps);
  const ratio = facts.parts.length > 1 && !facts.overwrites ? cancellation(facts) : NaN;
  const counts = timeline.trace.header.complete && facts.status !== "unreached";
  const uncounted = counts && timeline.trace.edges.n > COUNTED_EDGES;
  const paths = counts && !uncounted ? summarisePaths(timeline.trace, node, uses) : null;
  return {
    facts,
    rows: contributionRows(timeline, facts),
    cancellation: Number.isFinite(ratio) ? ratio : null,
    paths: paths?.real === true ? paths : null,
    uncounted,
  };
}

/** rows of a table that are printed; what is left out is counted */
const ROWS = 24;
const PATH_NODES = 6;

/** Markdown of the hover; `remarks` are sentences that stand first ("iteration 3 of 6", "older than the text"). */
export function storyMarkdown(timeline: Timeline, story: NodeStory, remarks: readonly string[]): string {
  const { facts } = story;
  const blocks = [`**${code(heading(facts))}**`];
  if (remarks.length > 0) blocks.push(remarks.map((text) => `_${escape(text)}_`).join("  \n"));
  blocks.push(figures(facts));
  if (story.rows.length > 0) blocks.push(table(story));
  if (story.cancellation !== null)
    blocks.push(
      `cancellation ratio |sum| / sum of |parts| = ${short(Number(story.cancellation.toPrecision(3)))}`,
    );
  if (story.uncounted)
    blocks.push(
      `Paths are not counted here: the graph has more than ${COUNTED_EDGES.toLocaleString("en")} edges.`,
    );
  if (story.paths !== null) blocks.push(pathsMarkdown(timeline, story.paths));
  return blocks.join("\n\n");
}

function heading({ isInput, name, title, expression }: NodeFacts): string {
  if (isInput) return `${title} (input)`;
  return name === null ? expression : `${name} = ${expression}`;
}

function figures(facts: NodeFacts): string {
  const value = `value ${code(precise(facts.value))}`;
  if (facts.status === "unreached") return `${value}, no derivative flows here`;
  if (facts.status === "unswept") return `${value}, not swept: the run stopped before its sweep`;
  return `${value}, cotangent ${code(precise(facts.cotangent))}`;
}

/** All digits of a number; an array as the inspector writes it. */
function precise(quantity: Parameters<typeof full>[0]): string {
  return typeof quantity === "number" ? full(quantity) : roomy(quantity);
}

function table({ facts, rows }: NodeStory): string {
  const lines = [
    "| from | cotangent × local derivative | contribution | share | running sum |",
    "| :-- | --: | --: | --: | --: |",
  ];
  const slots = new Map<number, number>();
  for (const { child } of rows) slots.set(child, (slots.get(child) ?? 0) + 1);
  // where some are left out the last, which makes the sum, is still there
  const shown = rows.length <= ROWS ? rows : [...rows.slice(0, ROWS - 1), rows[rows.length - 1]];
  for (const row of shown) {
    const slot = slots.get(row.child)! > 1 ? `, operand ${row.slot + 1}` : "";
    const value = row.lost ? `~~${cell(short(row.value))}~~ lost` : cell(short(row.value));
    const share = Number.isFinite(row.share) ? `${Math.round(row.share * 100)} %` : "";
    const running = facts.overwrites && row.lost ? "" : cell(short(row.running));
    lines.push(`| ${cell(row.from)}${slot} | ${cell(row.product)} | ${value} | ${share} | ${running} |`);
  }
  if (shown.length < rows.length)
    lines.splice(lines.length - 1, 0, `| and ${rows.length - shown.length} more | | | | |`);
  return lines.join("\n");
}

function pathsMarkdown({ trace }: Timeline, paths: PathSummary): string {
  const count = `${countText(paths.count)} ${paths.count === 1n ? "path" : "paths"} to the output`;
  const lines = paths.strongest.map(({ nodes, locals, product }) => {
    const names = nodes.map((node) => cell(nodeTitle(trace, node, 16)));
    const route =
      names.length <= PATH_NODES
        ? names
        : [...names.slice(0, 3), `… ${names.length - 5} …`, ...names.slice(-2)];
    const factors = locals.length <= 4 ? locals.map(factor).join(" × ") : `${locals.length} factors`;
    return `| ${route.join(" → ")} | ${factors} | ${short(product)} |`;
  });
  const words = productsText(paths);
  const which = paths.count > BigInt(lines.length) && lines.length > 0 ? ", the strongest" : "";
  const out = [`${count}${which}:`, ""];
  if (lines.length === 0) out[0] = `${count}.`;
  else out.push("| path | local derivatives | product |", "| :-- | --: | --: |", ...lines);
  if (words !== "") out.push("", words);
  return out.join("\n");
}

/** Inline code; a name or expression of the user's cannot end it. */
function code(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  const longest = Math.max(0, ...Array.from(flat.matchAll(/`+/g), (run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${flat}${fence}` : `${fence} ${flat} ${fence}`;
}

function escape(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]()#+\-.!|<>~&]/g, "\\$&");
}

/** Text inside a table, where a bar would end the cell. */
function cell(text: string): string {
  return escape(text);
}
