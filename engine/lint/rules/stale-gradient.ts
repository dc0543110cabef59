/**
 * A second sweep that adds to what the first one left. Leaves are meant to collect; an interior node that still holds
 * the cotangent of the last sweep hands it on once more.
 */
import type { FileFacts } from "../facts.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import { showsContributions } from "./shared/contributions.js";
import { oncePerPlace } from "./shared/once.js";
import { keptBetween } from "./stale-gradient/drivers.js";
import { fixedGraphs } from "./stale-gradient/fixed-graphs.js";
import { partlyCleared } from "./stale-gradient/partly-cleared.js";
import { repeatedSweeps } from "./stale-gradient/repeated.js";
import { partialResets } from "./stale-gradient/resets.js";

export const staleGradient: Rule = {
  name: "stale-gradient",
  summary: "a second sweep runs over interior gradients that were not set back to zero",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    if (!showsContributions(facts)) return;
    const known = [
      ...partialResets(facts),
      ...repeatedSweeps(facts),
      ...keptBetween(facts),
      ...fixedGraphs(facts),
    ];
    const found = [...oncePerPlace([...known, ...partlyCleared(facts, known)])];
    found.sort((a, b) => a.start - b.start);
    yield* found;
  },
};
