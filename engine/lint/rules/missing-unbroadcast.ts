/**
 * An operand that is repeated along an axis (broadcast) is used once for each repetition, and its gradient is the sum
 * over them. A contribution in the shape of the output, put into the operand as it is, leaves that sum out.
 */
import type { FileFacts } from "../facts.js";
import { showsContributions, showsRules } from "./shared/contributions.js";
import { oncePerPlace } from "./shared/once.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import { elementLoops } from "./missing-unbroadcast/elements.js";
import { handedToAdders } from "./shared/adders.js";
import { pulledBack } from "./missing-unbroadcast/pulled.js";
import { biasRows } from "./missing-unbroadcast/rows.js";
import { wholeArrays } from "./missing-unbroadcast/whole.js";

export const missingUnbroadcast: Rule = {
  name: "missing-unbroadcast",
  summary: "the contribution of a broadcast operand is not summed back to the operand's shape",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    // operations alone, whose arrays and sweep are of other files, show nothing but that they hand cotangents over
    const alone = !facts.names.minified && handedToAdders(facts).length > 1;
    if (showsContributions(facts) || showsRules(facts))
      yield* oncePerPlace([...pulledBack(facts), ...biasRows(facts)]);
    if (showsContributions(facts)) yield* oncePerPlace([...elementLoops(facts), ...wholeArrays(facts)]);
    else if (alone) yield* oncePerPlace([...wholeArrays(facts)]);
  },
};
