/**
 * A contribution assigned where a sum is due. At a node with fan-out k the cotangent is the sum of k contributions
 * (Griewank and Walther, Evaluating Derivatives, 2nd ed., section 3.2: incremental adjoint); an assignment keeps one.
 */
import type { FileFacts } from "../facts.js";
import { fixesFor } from "../overwriting/fixes.js";
import { bufferHelpers, helperWrites } from "../overwriting/helpers.js";
import { callFixes, fillingFix } from "../overwriting/call-fixes.js";
import { reachedBy } from "../overwriting/graphs.js";
import { judgedWrites, type Judged } from "../overwriting/judge.js";
import { siblingsOf } from "../overwriting/siblings.js";
import { mergeFindings } from "../overwriting/merges.js";
import { storedTwice, type Covering } from "../overwriting/twice.js";
import {
  helperMessage,
  lineOf,
  message,
  place,
  relatedDriver,
  relatedSiblings,
  relatedUses,
  usedTwice,
} from "../overwriting/words.js";
import { operationName } from "../operations.js";
import type { Finding, Rule } from "../report.js";
import { byteOrder, endOf, startOf, type Node } from "../tree.js";

export const overwritingAccumulation: Rule = {
  name: "overwriting-accumulation",
  summary:
    "a contribution is assigned where a sum is due, so that a value used twice keeps only the last one",
  severity: {
    "proven-siblings": "error",
    "proven-graph": "error",
    structural: "warning",
    "single-use": "info",
  },
  *check(facts: FileFacts): Iterable<Finding> {
    const all = judgedWrites(facts);
    const found: { node: Node; finding: Finding }[] = [];
    const taken = new Set<Node>();
    const add = (node: Node, finding: Finding): void => {
      if (taken.has(node)) return;
      taken.add(node);
      found.push({ node, finding });
    };
    for (const judged of all) {
      if (judged.verdict === "overwrites") add(judged.write.node, direct(facts, judged, all));
      if (judged.verdict === "single-use") add(judged.write.node, chain(facts, judged));
    }
    for (const helper of [...helperWrites(facts, all), ...bufferHelpers(facts)]) {
      const siblings = siblingsOf(facts, all, { ...helper.judged, weighed: helper.calls[0].weighed });
      const suggestions = fixesFor(facts, helper.judged.write, siblings);
      // where others add, the setter has its own right and the call is at fault
      const atCalls = helper.general ?? (siblings.length > 0 && !facts.names.backward(helper.fn.name));
      const nodes = atCalls ? helper.calls.map(({ node }) => node) : [helper.judged.write.node];
      for (const node of nodes)
        add(node, {
          start: startOf(node),
          end: endOf(node),
          message: helperMessage(facts, helper, siblings, atCalls),
          evidence: siblings.length > 0 ? "proven-siblings" : "structural",
          related: [
            ...relatedSiblings(facts, siblings),
            ...(atCalls
              ? [place(helper.judged.write.node, "the write that it does")]
              : helper.calls
                  .slice(0, 4)
                  .map(({ node: call }) => place(call, "a contribution is handed over here"))),
          ],
          suggestions: atCalls ? callFixes(facts, helper, node, siblings) : suggestions,
        });
    }
    for (const { node, finding } of mergeFindings(facts)) add(node, finding);
    for (const covering of storedTwice(facts)) add(covering.node, again(facts, covering));
    found.sort((a, b) => byteOrder(a.node, b.node));
    for (const { finding } of found) yield finding;
  },
};

function direct(facts: FileFacts, judged: Judged, all: readonly Judged[]): Finding {
  const { write, weighed } = judged;
  const siblings = siblingsOf(facts, all, judged);
  const reached = siblings.length > 0 || facts.names.assumeChain ? null : reachedBy(facts, judged, all);
  return {
    start: startOf(write.node),
    end: endOf(write.node),
    message: message(facts, judged, siblings) + (reached === null ? "" : usedTwice(facts, reached)),
    evidence:
      siblings.length > 0
        ? "proven-siblings"
        : facts.names.assumeChain
          ? "single-use"
          : reached !== null
            ? "proven-graph"
            : "structural",
    related: [
      ...relatedSiblings(facts, siblings),
      ...(reached === null ? [] : relatedUses(reached)),
      ...relatedDriver(weighed),
    ],
    suggestions: fixesFor(facts, write, siblings),
  };
}

function again(facts: FileFacts, { node, target, lost, write }: Covering): Finding {
  const buffer = facts.source(target);
  return {
    start: startOf(node),
    end: endOf(node),
    message: `\`${operationName(facts, node)}\` fills \`${buffer}\` a second time before anything has read it: the contribution of line ${lineOf(facts, lost)} is lost. Add to what is there.`,
    evidence: "structural",
    related: [place(lost, "what is lost")],
    suggestions: write === null ? fillingFix(facts, node, target) : fixesFor(facts, write, []),
  };
}

function chain(facts: FileFacts, judged: Judged): Finding {
  const { write } = judged;
  return {
    start: startOf(write.node),
    end: endOf(write.node),
    message: message(facts, judged, []),
    evidence: "single-use",
    suggestions: [],
  };
}
