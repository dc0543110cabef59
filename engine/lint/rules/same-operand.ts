/**
 * `x * x` has one operand that is used twice, and both uses pay. A Set of operands, a Map from operand to local
 * derivative, a search for an operand's place, or a test that the operands differ makes one use of the two.
 */
import type { FileFacts } from "../facts.js";
import { showsContributions } from "./shared/contributions.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import { byteOrder, type Node } from "../tree.js";
import { records } from "./same-operand/records.js";
import { byOperand } from "./same-operand/by-operand.js";
import { collections } from "./same-operand/collections.js";
import { identityChecks } from "./same-operand/identity.js";
import { oncePerPlace } from "./shared/once.js";

export const sameOperand: Rule = {
  name: "same-operand",
  summary: "operands are told apart by identity, so that of `x * x` one use is not paid",
  severity: everySeverity("error"),
  *check(facts: FileFacts): Iterable<Finding> {
    if (!showsContributions(facts)) return;
    const found: { node: Node; finding: Finding }[] = [
      ...collections(facts),
      ...byOperand(facts),
      ...records(facts),
      ...identityChecks(facts),
    ];
    found.sort((a, b) => byteOrder(a.node, b.node));
    yield* oncePerPlace(found.map(({ finding }) => finding));
  },
};
