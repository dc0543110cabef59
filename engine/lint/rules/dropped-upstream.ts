/**
 * A local derivative that goes into an operand's slot as it is. By the chain rule a contribution is the local
 * derivative times the cotangent of the output; without the factor it is right only where that is one.
 */
import type { FileFacts } from "../facts.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import { inClosures, showsClosures } from "./dropped-upstream/closures.js";
import { handedOver } from "./dropped-upstream/handed.js";
import { inMethods } from "./dropped-upstream/methods.js";
import { oneOfSeveral } from "./dropped-upstream/one-of-several.js";
import { inReturned } from "./dropped-upstream/returned.js";
import { inRules } from "./dropped-upstream/rules.js";
import { inSweeps } from "./dropped-upstream/swept.js";
import { handedToAdders } from "./shared/adders.js";
import { showsContributions, showsRules } from "./shared/contributions.js";
import { oncePerPlace } from "./shared/once.js";

export const droppedUpstream: Rule = {
  name: "dropped-upstream",
  summary: "a local derivative is stored without the cotangent of the output as a factor",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    const alone = !facts.names.minified && handedToAdders(facts).length > 1;
    const shown = showsContributions(facts) || showsClosures(facts) || showsRules(facts);
    const found = facts.names.minified ? [] : [...inSweeps(facts)];
    if (shown)
      found.push(
        ...inClosures(facts),
        ...inMethods(facts),
        ...inReturned(facts),
        ...oneOfSeveral(facts),
        ...inRules(facts),
      );
    if (shown || alone) found.push(...handedOver(facts));
    found.sort((a, b) => a.start - b.start);
    yield* oncePerPlace(found);
  },
};
