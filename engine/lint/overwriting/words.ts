/** What the reports say: node, slot and evidence. */
import type { FileFacts } from "../facts.js";
import { operationName } from "../operations.js";
import type { Related } from "../report.js";
import { endOf, startOf, type Node } from "../tree.js";
import type { Write } from "../writes.js";
import type { Weighed } from "./evidence.js";
import type { Reached } from "./graphs.js";
import { helperName } from "./handing.js";
import type { HelperWrite } from "./helpers.js";
import type { Judged } from "./judge.js";

const SHOWN = 3;

type At = { readonly start: number; readonly end: number; readonly message: Related["message"] };

export const place = (node: Node, text: string): At => ({
  start: startOf(node),
  end: endOf(node),
  message: text,
});

/** The slot as a person reads it: `this.grad`, `adj[e.a]`, the entry `p` of `bar`. */
export function slotText(facts: FileFacts, write: Write): string {
  const short = (node: Node): string => {
    const text = facts.source(node).replace(/\s+/g, " ");
    return text.length > 40 ? `${text.slice(0, 37)}...` : text;
  };
  switch (write.form) {
    case "map-set":
      return `the entry \`${write.index === null ? "" : short(write.index)}\` of \`${short(write.target)}\``;
    case "object-assign":
    case "spread":
      return write.container === ""
        ? `\`${short(write.target)}.${write.name}\``
        : `an entry of \`${short(write.target)}\``;
    default:
      return `\`${short(write.target)}\``;
  }
}

export function lineOf(facts: FileFacts, node: Node): number {
  const lines = facts.once("line starts", (file) => {
    const starts = [0];
    for (let at = file.text.indexOf("\n"); at !== -1; at = file.text.indexOf("\n", at + 1))
      starts.push(at + 1);
    return starts;
  });
  const offset = startOf(node);
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lines[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

const list = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/**
 * "`add` and `mul` accumulate into it (lines 12, 21)": those that add into a slot written the same way, if any; else all of
 * them, into the field by its name.
 */
function othersAdd(facts: FileFacts, siblings: readonly Judged[], own: string, slot: Write): string {
  const text = facts.source(slot.target);
  const same = siblings.filter(
    ({ write }) => facts.source(write.target) === text && operationName(facts, write.node) !== own,
  );
  const into = same.length > 0 || slot.object === null ? "it" : `\`${slot.name}\``;
  const byName = new Map<string, number>();
  for (const { write } of same.length > 0 ? same : siblings) {
    const name = operationName(facts, write.node);
    if (!byName.has(name)) byName.set(name, lineOf(facts, write.node));
  }
  const names = [...byName.keys()];
  const others = names.filter((name) => name !== own);
  const shown = (others.length > 0 ? others : names).slice(0, SHOWN);
  const lines = shown.map((name) => byName.get(name));
  const more = (others.length > 0 ? others : names).length - shown.length;
  const subject =
    others.length === 0
      ? "other writes"
      : list([...shown.map((name) => `\`${name}\``), ...(more > 0 ? [`${more} more`] : [])]);
  const verb = others.length === 1 && more === 0 ? "accumulates" : "accumulate";
  return `${subject} ${verb} into ${into} (line${lines.length === 1 ? "" : "s"} ${lines.join(", ")})`;
}

const VERBS: Partial<Record<Write["form"], string>> = {
  default: "keeps only the first contribution in",
  "buffer-set": "replaces the content of",
  "buffer-fill": "replaces the content of",
};

export function message(facts: FileFacts, judged: Judged, siblings: readonly Judged[]): string {
  const { write, weighed } = judged;
  const name = operationName(facts, write.node);
  const slot = slotText(facts, write);
  const verb = VERBS[write.form] ?? "assigns";
  const kept = write.form === "default" ? "first" : "last";
  const lost = `A value used twice keeps only the ${kept} contribution.`;
  if (judged.verdict === "single-use")
    return `\`${name}\` assigns ${slot}, which it made afresh: right in a chain, where every value has one use.`;
  if (siblings.length > 0)
    return `\`${name}\` ${verb} ${slot}; ${othersAdd(facts, siblings, name, write)}. ${lost}`;
  const from =
    weighed?.upstream === null ||
    weighed?.upstream === undefined ||
    weighed.upstream.node.type === "Identifier"
      ? "what flows back is one contribution of several"
      : `\`${facts.source(weighed.upstream.node).replace(/\s+/g, " ").slice(0, 40)}\` flows back into an operand here, one contribution of several`;
  return `\`${name}\` ${verb} ${slot}; ${from}. ${lost}`;
}

export function helperMessage(
  facts: FileFacts,
  helper: HelperWrite,
  siblings: readonly Judged[],
  atCall: boolean,
): string {
  const slot = slotText(facts, helper.judged.write);
  const lost = "A value used twice keeps only the last contribution.";
  if (atCall && siblings.length === 0)
    return `\`${helperName(helper.fn)}\` writes over what is handed to it, and here that is a gradient, paid one contribution of several. ${lost}`;
  if (atCall)
    return `\`${helperName(helper.fn)}\` assigns ${slot}; ${othersAdd(facts, siblings, helperName(helper.fn), helper.judged.write)}. ${lost}`;
  const lines = [...new Set(helper.calls.map(({ node }) => lineOf(facts, node)))].slice(0, 4);
  return `\`${helperName(helper.fn)}\` assigns ${slot}, and is handed contributions (line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}). ${lost}`;
}

export const relatedSiblings = (facts: FileFacts, siblings: readonly Judged[]): At[] =>
  siblings
    .slice(0, 6)
    .map(({ write }) => place(write.node, `\`${operationName(facts, write.node)}\` accumulates here`));

/** " `y` is used twice here (lines 12 and 14)." */
export function usedTwice(facts: FileFacts, { value, faulty, other }: Reached): string {
  const lines = [...new Set([faulty, other].map((node) => lineOf(facts, node)))].sort((a, b) => a - b);
  return ` \`${value.name}\` is such a value (line${lines.length === 1 ? "" : "s"} ${list(lines.map(String))}).`;
}

export const relatedUses = ({ value, faulty, other }: Reached): At[] =>
  faulty === other
    ? [place(faulty, `uses \`${value.name}\` twice`)]
    : [
        place(faulty, `uses \`${value.name}\`, and its contribution replaces the other`),
        place(other, `uses \`${value.name}\`, too`),
      ];

export const relatedDriver = (weighed: Weighed | null): At[] =>
  weighed?.loop === null || weighed?.loop === undefined
    ? []
    : [
        {
          start: startOf(weighed.loop.node),
          end: startOf(weighed.loop.node) + 3,
          message: "the sweep runs here",
        },
      ];
