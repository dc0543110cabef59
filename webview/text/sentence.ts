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
  paidText,
  plural,
  short,
  spoken,
  terms,
} from "../../engine/report/text/format.js";
import { lostValues } from "../../engine/report/text/sum.js";
import { storageWords } from "./storage.js";

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
  s.plain(
    header.complete ? `${count} to evaluate.` : `The run stopped; of it ${count} can be stepped through.`,
  );
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
    s.plain(`${nodeExpression(trace, node)} = `).add(spoken(primal(trace, node)), "number");
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
  const total = timeline.arrivals(facts.node).filter((arrival) => arrival.child === child).length;
  s.node(nodeTitle(trace, child));
  handed(part, quantities.contribution(timeline, edge), facts.overwrites, s);
  s.plain(" to ").node(facts.title);
  if (total > part.slots.length) s.plain(` (slot ${part.slots.length} of ${total})`);
  if (facts.overwrites) return overwriting(timeline, facts, position, truth, s);
  const right = rightValue(timeline, facts, position, truth);
  if (facts.parts.length > 1) addUp(facts, right === undefined ? "sum" : "wrong", s);
  s.plain(". ");
  payment(timeline, facts, position, s);
  if (right !== undefined) s.plain(" The sum sweep has ").add(spoken(right), "right").plain(" there.");
}

/** " hands 18", " hands 6 + 6 = 12", " hands back an array [4×3], norm 0.31," */
function handed(part: Part, flowed: Quantity | undefined, overwrites: boolean, s: Sentence): void {
  const values = part.slots.map((slot) => slot.value);
  const several = values.length > 1;
  if (flowed === undefined) s.plain(" hands nothing");
  else if (isArray(flowed)) {
    s.plain(" hands back ");
    if (!several) s.add(withArticle(flowed), "number");
    else {
      s.add(`${values.length} arrays ${shapeText(flowed)}, ${normsWords(values)}`, "number");
      if (!overwrites) s.plain(", together ").add(normWords(part.value), "number");
    }
    s.plain(",");
  } else {
    s.plain(" hands ");
    if (several) {
      s.add(terms(values), "number");
      if (!overwrites) s.plain(" = ").add(short(part.value), "number");
    } else s.add(short(flowed), "number");
  }
}

/** "18"; "an array [4×3], norm 0.31" */
function withArticle(quantity: Quantity | undefined): string {
  return isArray(quantity) ? `an ${spoken(quantity)}` : short(quantity);
}

/** ": 18 + 24 = 42"; of arrays ": norms 0.31 and 0.2 add up to norm 0.43" */
function addUp({ parts, cotangent }: NodeFacts, kind: "sum" | "wrong", s: Sentence): void {
  const values = parts.map((part) => part.value);
  if (!isArray(cotangent)) s.plain(`: ${terms(values)} = `).add(short(cotangent), kind);
  else if (isKnown(cotangent)) s.plain(`: ${normsWords(values)} add up to `).add(normWords(cotangent), kind);
  else s.plain(`: ${arraySumWords(values, cotangent)}`);
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

/** Who has paid, and whether that makes the node final. */
function payment(timeline: Timeline, facts: NodeFacts, position: number, s: Sentence): void {
  const final = timeline.isFinal(facts.node, position);
  if (!final) {
    const owing = facts.owing.slice(0, 3).map((child) => nodeTitle(timeline.trace, child));
    s.plain(`${paidText(facts.paid, facts.uses)}; waiting for `);
    owing.forEach((title, i) => s.plain(i === 0 ? "" : ", ").node(title));
    s.plain(facts.owing.length > owing.length ? ` and ${facts.owing.length - owing.length} more.` : ".");
    return;
  }
  if (facts.uses === 1) s.plain("Its only use has paid; ");
  else if (facts.uses === 2) s.plain("Both uses have paid; ");
  else s.plain(`All ${countWord(facts.uses)} uses have paid; `);
  s.node(facts.title).plain(" is final.");
}

function overwriting(
  timeline: Timeline,
  facts: NodeFacts,
  position: number,
  truth: Timeline | null,
  s: Sentence,
): void {
  const lost = lostValues(facts);
  if (lost.length > 0) {
    s.plain(", which overwrites ").add(lost.map(withArticle).join(" and "), "lost").plain(": lost. ");
  } else s.plain(". ");
  if (!timeline.isFinal(facts.node, position)) return payment(timeline, facts, position, s);
  s.node(facts.title).plain(" is final with ").add(spoken(facts.cotangent), "wrong");
  const right = rightValue(timeline, facts, position, truth);
  if (right !== undefined) s.plain("; the sum sweep has ").add(spoken(right), "right");
  s.plain(".");
}
