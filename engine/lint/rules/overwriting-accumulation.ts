/**
 * A contribution assigned where a sum is due. At a node with fan-out k the cotangent is the sum of k contributions
 * (Griewank and Walther, Evaluating Derivatives, 2nd ed., section 3.2: incremental adjoint); an assignment keeps one.
 */
import type { FileFacts } from "../facts.js";
import { bufferHelpers } from "../overwriting/buffer-helpers.js";
import { callFixes } from "../overwriting/call-fixes.js";
import { calledEachTurn } from "../overwriting/called-each-turn.js";
import { capturedStores } from "../overwriting/captured.js";
import { deadStores } from "../overwriting/dead-stores.js";
import {
  again,
  chain,
  direct,
  keptInClosure,
  keptLast,
  keptOfCalls,
  keptOfRecords,
  storedOver,
} from "../overwriting/findings.js";
import { fixesFor } from "../overwriting/fixes.js";
import { putOver } from "../overwriting/given-records.js";
import { helperWrites } from "../overwriting/helpers.js";
import { helperName } from "../overwriting/handing.js";
import { judgedWrites } from "../overwriting/judge.js";
import { lastTurns } from "../overwriting/last-turns.js";
import { mergeFindings } from "../overwriting/merges.js";
import { siblingsOf } from "../overwriting/siblings.js";
import { storedTwice } from "../overwriting/twice.js";
import { unionFindings } from "../overwriting/unions.js";
import { helperMessage, place, relatedSiblings } from "../overwriting/words.js";
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
      const atCalls = helper.general ?? (siblings.length > 0 && !facts.names.backward(helperName(helper.fn)));
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
    for (const { node, finding } of unionFindings(facts)) add(node, finding);
    for (const covering of storedTwice(facts)) add(covering.node, again(facts, covering));
    for (const one of deadStores(facts)) add(one.node, storedOver(facts, one));
    for (const one of lastTurns(facts)) add(one.node, keptLast(facts, one));
    for (const one of capturedStores(facts)) add(one.node, keptInClosure(facts, one));
    for (const one of putOver(facts)) add(one.node, keptOfRecords(facts, one));
    for (const one of calledEachTurn(facts)) add(one.write.node, keptOfCalls(facts, one));
    found.sort((a, b) => byteOrder(a.node, b.node));
    for (const { finding } of found) yield finding;
  },
};
