/** What a view says of an audited engine's sweep, and which of it is false. */
import { contributionRows } from "../../../engine/report/contributions.js";
import { factsOf } from "../../../engine/report/facts.js";
import { isArray } from "../../../engine/report/quantity.js";
import { short } from "../../../engine/report/text/format.js";
import { sumText } from "../../../engine/report/text/sum.js";
import { Event } from "../../../engine/trace/events.js";
import type { Timeline } from "../../../engine/timeline/timeline.js";
import { describeNode } from "../../../webview/text/describe.js";
import { sentenceAt, sentenceText } from "../../../webview/text/sentence.js";

/** Everything that is said at every step of a sweep, by place. */
export function statements(timeline: Timeline, truth: Timeline): string[] {
  const { trace } = timeline;
  const out: string[] = [];
  for (let step = 1; step <= timeline.steps; step++) {
    out.push(sentenceText(sentenceAt(timeline, step, truth)));
    for (let node = 0; node < trace.nodes.n; node++) {
      const facts = factsOf(timeline, node, step);
      out.push(describeNode(trace, facts), sumText(facts));
    }
  }
  return out;
}

const NUMBER = String.raw`-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Infinity|NaN)`;
const EQUATION = new RegExp(String.raw`(${NUMBER}(?: [+-] ${NUMBER})+) = (${NUMBER})`, "g");

/** Half a unit of the fourth digit, which is the last that is written. */
const rounding = (x: number): number => Math.abs(x) * 6e-4;

function valueOf(terms: string): { readonly sum: number; readonly off: number } {
  let sum = 0;
  let off = 0;
  for (const [, sign, text] of terms.matchAll(new RegExp(String.raw`(^|[+-] )(${NUMBER})`, "g"))) {
    const term = sign.startsWith("-") ? -Number(text) : Number(text);
    sum += term;
    off += rounding(term);
  }
  return { sum, off };
}

/** The equations of a text that do not hold, up to the digits that are written. */
export function falseEquations(text: string): string[] {
  const out: string[] = [];
  for (const [all, terms, right] of text.matchAll(EQUATION)) {
    const { sum, off } = valueOf(terms);
    if (!(Math.abs(sum - Number(right)) <= off + rounding(Number(right)) + 1e-12)) out.push(all);
  }
  return out;
}

/** All that is false in what is said of a sweep beside the one that adds up. */
export function falseStatements(timeline: Timeline, truth: Timeline): string[] {
  const out: string[] = [];
  for (const text of statements(timeline, truth))
    for (const equation of falseEquations(text)) out.push(`${equation} in: ${text}`);
  const { trace } = timeline;
  for (let node = 0; node < trace.nodes.n; node++) {
    const facts = factsOf(timeline, node, timeline.steps);
    for (const { product, value, from } of contributionRows(timeline, facts)) {
      const factors = /^(\S+) × (\S+)$/.exec(product);
      if (factors === null || isArray(value)) continue;
      const [a, b] = factors.slice(1).map((text) => Number(text.replace(/[()]/g, "")));
      if (value === undefined || !(Math.abs(a * b - value) <= 2 * rounding(a * b) + 1e-12))
        out.push(`${product} from ${from}, which paid ${short(value)}`);
    }
    // a cotangent that is wrong is told as wrong, with the right one
    const at = timeline.finalStep(node);
    if (at < 1 || timeline.kindAt(at) !== Event.contribute) continue;
    const right = factsOf(truth, node, truth.steps).cotangent;
    const text = sentenceText(sentenceAt(timeline, at, truth));
    if (Object.is(right, facts.cotangent) || timeline.cotangentRow(node) < 0) continue;
    if (isArray(right) || isArray(facts.cotangent)) continue;
    if (
      !text.includes(`the sum sweep has ${short(right)}`) &&
      !text.includes(`The sum sweep has ${short(right)}`)
    )
      out.push(`nothing of the right ${short(right)} in: ${text}`);
    if (!text.includes(`with ${short(facts.cotangent)}`) && !text.includes(`= ${short(facts.cotangent)}`))
      out.push(`nothing of ${short(facts.cotangent)} in: ${text}`);
  }
  return out;
}
