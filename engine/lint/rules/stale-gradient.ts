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
import { keptAround } from "./stale-gradient/kept-around.js";
import { machines } from "./stale-gradient/machines.js";
import { ownBuffers } from "./stale-gradient/own-buffers.js";
import { partlyCleared } from "./stale-gradient/partly-cleared.js";
import { repeatedSweeps } from "./stale-gradient/repeated.js";
import { partialResets } from "./stale-gradient/resets.js";

export const staleGradient: Rule = {
  name: "stale-gradient",
  summary: "a second sweep runs over interior gradients that were not set back to zero",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    if (facts.names.minified) return;
    // rules that are handed their arrays show no slot by its name
    const programs = [...machines(facts)];
    if (!showsContributions(facts)) {
      yield* programs;
      return;
    }
    const known = [
      ...programs,
      ...repeatedSweeps(facts),
      ...keptBetween(facts),
      ...fixedGraphs(facts),
      ...ownBuffers(facts),
      ...keptAround(facts),
    ];
    const partly = [...partlyCleared(facts, known)];
    // a reset of leaves is told of where it is not seen what sweeps again
    const resets = partialResets(facts).filter(
      ({ write }) => !partly.some(({ cleared }) => cleared.includes(write)),
    );
    const found = [...oncePerPlace([...known, ...[...partly, ...resets].map(({ finding }) => finding)])];
    found.sort((a, b) => a.start - b.start);
    yield* found;
  },
};
