/** The step in plain words. The same words go to the screen and to the live region. */
import { Event } from "../../engine/trace/events.js";
import { nodeExpression, nodeName, nodeTitle } from "../../engine/trace/read.js";
import type { Timeline } from "../../engine/timeline/timeline.js";
import { factsOf, type NodeFacts, type Part } from "../../engine/report/facts.js";
import * as quantities from "../../engine/report/quantity.js";
import { isArray, isKnown, primal, same, type Quantity } from "../../engine/report/quantity.js";
import { arraySumWords, normsWords, normWords } from "../../engine/report/text/array-sum.js";
import { shapeText } from "../../engine/report/text/array-text.js";
import {
  barName,
  countWord,
  ellipsis,
  paidText,
  plural,
  short,
  spoken,
  terms,
} from "../../engine/report/text/format.js";
import { lostValues, paidWords } from "../../engine/report/text/sum.js";
import { storageWords } from "./storage.js";

/** Characters of an expression that are written out: it may be as long as a program. */
const EXPRESSION = 120;

/** A stretch of the sentence: plain, a node's name, a number that flows or is computed, a sum, a lost or wrong number. */
export interface Words {
  readonly text: string;
  readonly kind: "plain" | "node" | "number" | "sum" | "lost" | "wrong" | "right";
}

export function sentenceText(words: readonly Words[]): string {
  return words.map((word) => word.text).join("");
}

class Sentence {
  readonly words: Words[] = [];
  plain(text: string): this {
    return this.add(text, "plain");
  }
  node(text: string): this {
    return this.add(text, "node");
  }
  add(text: string, kind: Words["kind"]): this {
    if (text !== "") this.words.push({ text, kind });
    return this;
  }
}

/** What happened in the step that led to this position. `truth` is the sweep that adds up, where it is another one. */
export function sentenceAt(timeline: Timeline, position: number, truth: Timeline | null): Words[] {
  const s = new Sentence();
  if (position <= 0 || timeline.steps === 0) return beginning(timeline, s);
  const kind = timeline.kindAt(position);
  const node = timeline.nodeAt(position);
  if (kind === Event.eval) {
    evaluation(timeline, position, node, s);
  } else if (kind === Event.contribute && timeline.trace.seen?.threw !== undefined) {
    s.plain("The engine\u2019s sweep came to nothing: ").add(timeline.trace.seen.threw, "wrong").plain(".");
  } else if (kind === Event.contribute) {
    contribution(timeline, position, truth, s);
  } else {
    for (const { text, kind: word } of storageWords(timeline, position)) s.add(text, word);
  }
  return s.words;
}

function beginning(timeline: Timeline, s: Sentence): Words[] {
  const { header } = timeline.trace;
  const given = header.inputs.filter((input) => input.count === 1).slice(0, 4);
  s.plain("Before the first step. ");
  if (given.length > 0) s.plain("Given: ");
  given.forEach((input, i) => {
    s.plain(i === 0 ? "" : ", ")
      .node(input.name)
      .plain(" = ");
    s.add(spoken(primal(timeline.trace, input.first)), "number");
  });
  if (given.length > 0) s.plain(header.inputs.length > given.length ? ", …. " : ". ");
  const count = plural(timeline.forwardSteps, "operation");
  const stopped =
    timeline.forwardSteps === 0
      ? "The run stopped before its first operation."
      : `The run stopped; of it ${count} can be stepped through.`;
  s.plain(header.complete ? `${count} to evaluate.` : stopped);
  return s.words;
}

function evaluation(timeline: Timeline, position: number, node: number, s: Sentence): void {
  const { trace } = timeline;
  const seeds = position === timeline.forwardSteps ? seeded(timeline) : [];
  const name = nodeName(trace, node);
  if (seeds.length === 1 && seeds[0] === node) {
    s.node(nodeTitle(trace, node))
      .plain(" = ")
      .add(spoken(primal(trace, node)), "number");
  } else {
    if (name !== null) s.node(name).plain(" = ");
    s.plain(`${ellipsis(nodeExpression(trace, node), EXPRESSION)} = `).add(
      spoken(primal(trace, node)),
      "number",
    );
  }
  s.plain(".");
  const { header, nodes } = trace;
  if (!header.complete && position === timeline.steps)
    s.plain(header.recorded > nodes.n ? " The run went on; its record ends here." : " The run stopped here.");
  if (seeds.length === 0) return;
  s.plain(" The sweep starts: ");
  seeds.slice(0, 3).forEach((output, i) => {
    s.plain(`${i === 0 ? "" : ", "}${barName(nodeTitle(trace, output))} = `);
    s.add(spoken(quantities.seed(timeline, output)), "sum");
  });
  s.plain(seeds.length > 3 ? ` and ${seeds.length - 3} more.` : ".");
}

function seeded(timeline: Timeline): number[] {
  const nodes = timeline.trace.header.outputs.map((output) => output.node);
  return Array.from(new Set(nodes)).filter((node) => node >= 0 && timeline.seed(node) !== undefined);
}

function contribution(timeline: Timeline, position: number, truth: Timeline | null, s: Sentence): void {
  const { trace } = timeline;
  const edge = timeline.edgeAt(position);
  const child = trace.edges.to[edge];
  const facts = factsOf(timeline, trace.edges.from[edge], position);
  const part = facts.parts.find((p) => p.child === child)!;
  const now = part.slots.find((slot) => slot.edge === edge)!;
  const title = nodeTitle(trace, child);
  if (now.unknown) s.plain("What ").node(title).plain(" hands to ").node(facts.title).plain(" was not seen");
  else {
    s.node(title);
    if (now.value === undefined && part.slots.length > 1) s.plain(" hands nothing more");
    else handed(part, quantities.contribution(timeline, edge), s);
    s.plain(" to ").node(facts.title);
  }
  const total =
    timeline.slots(facts.node) < MANY ? slotsOwed(timeline, facts.node, child) : part.slots.length;
  if (total > part.slots.length) s.plain(` (slot ${part.slots.length} of ${total})`);
  else if (total > 1 && now.unknown) s.plain(` in slot ${now.slot + 1}`);
  if (now.payments.length > 1) s.plain(`, in ${now.payments.length} payments`);
  const right = rightValue(timeline, facts, position, truth);
  if (facts.overwrites) overwriting(timeline, facts, s);
  else {
    if (facts.parts.length > 1 && facts.cotangent !== undefined && !now.unknown)
      addUp(facts, right === undefined ? "sum" : "wrong", s);
    s.plain(". ");
  }
  if (timeline.isFinal(facts.node, position)) finished(facts, right, s, timeline.trace.seen !== undefined);
  else owed(timeline, facts, s);
}

/** Slots of a node up to which those of one child are counted in every step. */
const MANY = 1000;

function slotsOwed(timeline: Timeline, node: number, child: number): number {
  return timeline.arrivals(node).filter((arrival) => arrival.child === child).length;
}

/** " hands 18", " hands 6 + 6 = 12", " hands back an array [4×3], norm 0.31,"; without a sum where not all of it stays */
function handed(part: Part, flowed: Quantity | undefined, s: Sentence): void {
  const values = part.slots.map((slot) => slot.value);
  const several = values.length > 1;
  const sums = part.slots.every((slot) => !slot.lost && slot.value !== undefined);
  if (flowed === undefined) s.plain(" hands nothing");
  else if (isArray(flowed)) {
    s.plain(" hands back ");
    if (!several) s.add(withArticle(flowed), "number");
    else {
      s.add(`${values.length} arrays ${shapeText(flowed)}, ${normsWords(values)}`, "number");
      if (sums) s.plain(", together ").add(normWords(part.value), "number");
    }
    s.plain(",");
  } else {
    s.plain(" hands ");
    if (several) {
      s.add(terms(values), "number");
      if (sums) s.plain(" = ").add(short(part.value), "number");
    } else s.add(short(flowed), "number");
  }
}

/** "18"; "an array [4×3], norm 0.31" */
function withArticle(quantity: Quantity | undefined): string {
  return isArray(quantity) ? `an ${spoken(quantity)}` : short(quantity);
}

/** ": 18 + 24 = 42"; of arrays ": norms 0.31 and 0.2 add up to norm 0.43"; where they do not add up, what was paid alone */
function addUp(facts: NodeFacts, kind: "sum" | "wrong", s: Sentence): void {
  const { parts, cotangent } = facts;
  const values = parts.map((part) => part.value);
  if (!facts.addsUp) s.plain(`: ${paidWords(facts)}`);
  else if (!isArray(cotangent)) s.plain(`: ${terms(values)} = `).add(short(cotangent), kind);
  else if (isKnown(cotangent)) s.plain(`: ${normsWords(values)} add up to `).add(normWords(cotangent), kind);
  else s.plain(`: ${arraySumWords(values, cotangent)}`);
  const before = parts.find((part) => part.child < 0 && part.title !== "seed");
  if (before !== undefined) s.plain(` (${withArticle(before.value)} stood there before)`);
}

/** The cotangent the sum sweep has, where this sweep's final one differs from it. */
function rightValue(
  timeline: Timeline,
  facts: NodeFacts,
  position: number,
  truth: Timeline | null,
): Quantity | undefined {
  if (truth === null || !timeline.isFinal(facts.node, position)) return undefined;
  const right = quantities.cotangent(truth, facts.node);
  return same(right, facts.cotangent) ? undefined : right;
}

/** Who has paid, and who still owes. */
function owed({ trace }: Timeline, facts: NodeFacts, s: Sentence): void {
  const owing = facts.owing.slice(0, 3);
  s.plain(`${paidText(facts.paid, facts.uses)}; waiting for `);
  owing.forEach((child, i) => {
    s.plain(i === 0 ? "" : ", ").node(nodeTitle(trace, child));
    const begun = facts.parts.find((part) => part.child === child);
    if (begun !== undefined) s.plain(` (slot ${begun.slots.length + 1})`);
  });
  s.plain(facts.owing.length > owing.length ? ` and ${facts.owing.length - owing.length} more.` : ".");
}

/** That the node is final; with what, where no sum has said it or it is wrong. */
function finished(facts: NodeFacts, right: Quantity | undefined, s: Sentence, watched: boolean): void {
  const { cotangent, overwrites, addsUp } = facts;
  const paid = facts.parts.every((part) => part.slots.every((slot) => slot.value !== undefined));
  if (!overwrites && (paid || !watched)) {
    if (facts.uses === 1) s.plain("Its only use has paid; ");
    else if (facts.uses === 2) s.plain("Both uses have paid; ");
    else s.plain(`All ${countWord(facts.uses)} uses have paid; `);
  }
  s.node(facts.title).plain(" is final");
  const said = !overwrites && addsUp && facts.parts.length > 1;
  if (cotangent === undefined) s.plain(watched ? "; the engine does not tell with what" : "");
  else if (!said && (overwrites || !addsUp || right !== undefined))
    s.plain(" with ").add(spoken(cotangent), right === undefined ? "sum" : "wrong");
  if (right !== undefined && said)
    s.plain(". The sum sweep has ").add(spoken(right), "right").plain(" there");
  else if (right !== undefined) s.plain("; the sum sweep has ").add(spoken(right), "right");
  s.plain(".");
}

/** ", which overwrites 18: lost. "; an engine that is watched may have done so in another order: ". It overwrites 18: lost. " */
function overwriting(timeline: Timeline, facts: NodeFacts, s: Sentence): void {
  const lost = lostValues(facts);
  if (lost.length === 0) return void s.plain(". ");
  const words = lost.slice(0, LOST).map(withArticle).join(" and ");
  const more = lost.length > LOST ? ` and ${(lost.length - LOST).toLocaleString("en")} more` : "";
  s.plain(timeline.trace.seen === undefined ? ", which overwrites " : ". The engine overwrites ");
  s.add(words + more, "lost").plain(": lost. ");
}

/** Lost contributions that are written out. */
const LOST = 3;
