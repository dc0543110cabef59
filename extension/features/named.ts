/** Which node a person means who points at a place of the text: one the word there names, else the operation around it. */
import type { SiteIndex } from "../../engine/report/site-index.js";
import type { Placed } from "./placed.js";

export interface Pointed {
  readonly node: number;
  /** which of the nodes made there, from 1, and how many there are */
  readonly instance: number;
  readonly of: number;
  /** offsets of what was pointed at */
  readonly start: number;
  readonly end: number;
}

export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** `near`: the selected node, whose iteration is preferred; -1 for none. Null: there is nothing of the sweep here. */
export function pointedAt(
  index: SiteIndex,
  placed: Placed,
  offset: number,
  word: Word | null,
  near: number,
): Pointed | null {
  const around = placed.siteAt(offset);
  if (word !== null) {
    const site = namedSite(index, placed, word, around);
    if (site >= 0) return chosen(index, site, near, word);
    const input = placed.inputs.find(({ input: { name } }) => name === word.text);
    if (input !== undefined && placed.inCall(offset))
      return { node: input.input.first, instance: 1, of: 1, start: word.start, end: word.end };
  }
  if (around < 0) return null;
  const range = placed.rangeOfSite(around);
  return range && chosen(index, around, near, range);
}

function chosen(
  index: SiteIndex,
  site: number,
  near: number,
  { start, end }: { readonly start: number; readonly end: number },
): Pointed {
  const i = index.choose(site, near);
  return { node: index.node(site, i), instance: i + 1, of: index.count(site), start, end };
}

/**
 * The site that gave the word its latest value before the place: in the graph function any site of it, in a helper only
 * one of the same function, and only where the word stands in a recorded operation or is assigned one on its line.
 */
function namedSite(index: SiteIndex, placed: Placed, word: Word, around: number): number {
  const { sites, nodes, strings } = index.trace;
  const inside = placed.inCall(word.start);
  let best = -1;
  let bestEnd = -1;
  for (const { site, start, end } of placed.within(0, word.start + LINE)) {
    // the inputs, which are made there, stand at their names
    if (site === placed.call) continue;
    const name = nodes.name[index.node(site, 0)];
    if (name < 0 || baseOf(strings[name]) !== word.text) continue;
    // `const a = x * y`: the name stands before the operation that is called so
    const assigned = start >= word.end && placed.sameLine(word.end, start);
    if (!assigned && end > word.start && !(start <= word.start && end >= word.end)) continue;
    if (inside ? !placed.inCall(start) : !assigned && (around < 0 || sites.func[around] !== sites.func[site]))
      continue;
    if (assigned) return site;
    if (end > bestEnd) {
      best = site;
      bestEnd = end;
    }
  }
  return best;
}

/** how far behind a name the operation may begin that it is the name of */
const LINE = 400;

/** "h" of "h[2]" and "s@": what is written in the source. */
function baseOf(name: string): string {
  return /^[^[@]*/.exec(name)![0];
}
