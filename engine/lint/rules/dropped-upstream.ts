/**
 * A local derivative that goes into an operand's slot as it is. By the chain rule a contribution is the local
 * derivative times the cotangent of the output; without the factor it is right only where that is one.
 */
import type { FileFacts } from "../facts.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import { inClosures, showsClosures } from "./dropped-upstream/closures.js";
import { handedOver } from "./dropped-upstream/handed.js";
import { inMethods } from "./dropped-upstream/methods.js";
import { inReturned } from "./dropped-upstream/returned.js";
import { handedToAdders } from "./shared/adders.js";
import { showsContributions, showsRules } from "./shared/contributions.js";

export const droppedUpstream: Rule = {
  name: "dropped-upstream",
  summary: "a local derivative is stored without the cotangent of the output as a factor",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    const alone = !facts.names.minified && handedToAdders(facts).length > 1;
    const shown = showsContributions(facts) || showsClosures(facts) || showsRules(facts);
    if (!shown && !alone) return;
    const found = shown ? [...inClosures(facts), ...inMethods(facts), ...inReturned(facts)] : [];
    found.push(...handedOver(facts));
    found.sort((a, b) => a.start - b.start);
    yield* found;
  },
};
