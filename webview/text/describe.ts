/** A node in one line of text, for the node list and everybody who does not see the drawing. */
import { nodeTitle } from "../../engine/trace/read.js";
import type { Trace } from "../../engine/trace/trace.js";
import type { NodeFacts } from "../../engine/report/facts.js";
import { paidText, spoken } from "../../engine/report/text/format.js";
import { sumText } from "../../engine/report/text/sum.js";

/** "a = x * y, value 6, cotangent 42, 2 of 2 uses have paid: 18 + 24 = 42, final"; arrays in words */
export function describeNode(trace: Trace, facts: NodeFacts): string {
  const says: string[] = [];
  if (facts.isInput) says.push(`${facts.title}, input`);
  else says.push(facts.name === null ? facts.expression : `${facts.name} = ${facts.expression}`);
  says.push(facts.evaluated ? `value ${spoken(facts.value)}` : "not evaluated yet");
  if (facts.status === "unreached") says.push("no derivative flows here");
  else if (facts.status === "unswept") says.push("not swept: the run stopped before its sweep");
  else if (facts.status === "waiting") says.push("cotangent waiting");
  else if (facts.cotangent !== undefined) {
    says.push(`cotangent ${spoken(facts.cotangent)}${facts.status === "final" ? "" : " so far"}`);
  }
  const unseen = facts.parts.length > 0 && facts.parts.every(({ unknown }) => unknown);
  if (trace.seen?.threw !== undefined && facts.status === "final") {
    says.push("cotangent not known: the engine threw");
    return says.join(", ");
  }
  if (unseen)
    says.push(facts.uses === 1 ? "what its use pays was not seen" : "what its uses pay was not seen");
  else if (facts.uses > 0 && facts.evaluated) {
    const sum = sumText(facts);
    says.push(`${paidText(facts.paid, facts.uses)}${sum === "" ? "" : `: ${sum}`}`);
  } else if (facts.status === "final") says.push("seeded as an output");
  if (facts.owing.length > 0 && facts.parts.length > 0) {
    says.push(`still to pay: ${facts.owing.map((child) => nodeTitle(trace, child)).join(", ")}`);
  }
  if (facts.status === "final") says.push("final");
  return says.join(", ");
}
