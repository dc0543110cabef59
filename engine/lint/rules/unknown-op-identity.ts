/**
 * A table of rules whose last resort hands the cotangent on as it is. An operation that somebody adds and whose rule
 * is forgotten then counts as the identity: no error, a wrong gradient.
 */
import type { FileFacts } from "../facts.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import { showsChain, showsContributions, showsRules } from "./shared/contributions.js";
import { chains, nested, switches } from "./unknown-op-identity/branches.js";
import { startsAsIdentity } from "./unknown-op-identity/initial.js";
import { afterTests, afterThrowing, factorsOfOne } from "./unknown-op-identity/last-resorts.js";
import { lookups } from "./unknown-op-identity/lookups.js";
import { notFound, withoutRule } from "./unknown-op-identity/missing.js";

export const unknownOpIdentity: Rule = {
  name: "unknown-op-identity",
  summary: "an operation without a rule hands its cotangent on as if it were the identity",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    if (!showsContributions(facts) && !showsRules(facts) && !showsChain(facts)) return;
    const found = [
      ...switches(facts),
      ...chains(facts),
      ...lookups(facts),
      ...withoutRule(facts),
      ...notFound(facts),
      ...nested(facts),
      ...startsAsIdentity(facts),
      ...afterTests(facts),
      ...afterThrowing(facts),
      ...factorsOfOne(facts),
    ];
    found.sort((a, b) => a.start - b.start);
    yield* found;
  },
};
