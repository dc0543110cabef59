/** Which lines of a document have fan-out nodes, and what is said of them. Pure: no editor here. */
import { fanOutText } from "../../engine/report/hints.js";
import { isInput } from "../../engine/report/overwrites.js";
import { cotangent } from "../../engine/report/quantity.js";
import type { SiteIndex } from "../../engine/report/site-index.js";
import type { Timeline } from "../../engine/timeline/timeline.js";
import { nodeTitle } from "../../engine/trace/read.js";
import type { Trace } from "../../engine/trace/trace.js";
import type { Placed } from "./placed.js";
import { besideRight, type Looked } from "./wrong.js";

/** A sweep, as far as its fan-outs are concerned. */
interface Swept extends Looked {
  readonly trace: Trace;
  readonly index: SiteIndex;
}

/** lines that are marked in one editor, at most */
const LINES = 2_000;
/** A line with fan-out nodes, from 0, and what is said of each. */
export interface FanOutLine {
  readonly line: number;
  readonly texts: readonly string[];
}

/** what is said of a node does not change while its sweep is shown, and every keystroke asks again */
const told = new WeakMap<Timeline, Map<number, string | null>>();

function textOf(looked: Looked, node: number): string | null {
  const { timeline } = looked;
  let texts = told.get(timeline);
  if (texts === undefined) told.set(timeline, (texts = new Map()));
  let text = texts.get(node);
  if (text === undefined) texts.set(node, (text = madeText(looked, node)));
  return text;
}

/** "2 uses: 18 + 24 = 42", of a wrong sum "2 uses: last writer wins: 24, right: 18 + 24 = 42". */
function madeText(looked: Looked, node: number): string | null {
  const { timeline, right } = looked;
  const text = fanOutText(timeline, node);
  const wrong = text === null ? null : besideRight(looked, (of) => cotangent(of, node));
  if (text === null || wrong === null) return text;
  const sum = right === null ? null : fanOutText(right, node);
  const uses = text.slice(0, text.indexOf(":"));
  if (sum === null) return `${uses}: ${wrong}`;
  return `${uses}: ${wrong.slice(0, wrong.lastIndexOf(", right: "))}, right${sum.slice(sum.indexOf(":"))}`;
}

/** The fan-out nodes of a document by line; `lineOf`: line of an offset in the text as it is, from 0. */
export function linesOf(
  swept: Swept,
  placed: Placed,
  near: number,
  lineOf: (offset: number) => number,
): FanOutLine[] {
  const { trace, index } = swept;
  const lines = new Map<number, { readonly title: string; readonly text: string }[]>();
  const add = (node: number, offset: number): void => {
    const text = textOf(swept, node);
    if (text === null) return;
    const line = lineOf(offset);
    const texts = lines.get(line);
    const said = { title: nodeTitle(trace, node), text };
    if (texts === undefined) lines.set(line, [said]);
    else texts.push(said);
  };
  for (const { input, place } of placed.inputs) {
    const range = placed.range(place);
    // an array of numbers has a node for each, and no room for all
    if (range !== null && (input.count === 1 || input.shape.length === 0)) add(input.first, range.end);
  }
  for (const { site, end } of placed.within(0, Infinity)) {
    if (lines.size >= LINES) break;
    const node = index.node(site, index.choose(site, near));
    if (!isInput(trace, node)) add(node, end);
  }
  return Array.from(lines, ([line, said]) => ({
    line,
    // alone on its line it is clear whose uses these are
    texts: said.length === 1 ? [said[0].text] : said.map(({ title, text }) => `${title} ${text}`),
  })).sort((a, b) => a.line - b.line);
}
