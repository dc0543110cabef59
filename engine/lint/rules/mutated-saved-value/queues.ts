/**
 * A stash that the steps of a chain fill in the forward pass and empty in the reverse one, each being handed it: taken from the front,
 * the last step gets what the first one kept.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { callsNamed } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { argumentsOf, bare, calleeName, endOf, isCall, receiver, startOf, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { runsIn } from "../shared/nodes.js";
import { sweepLoops } from "./sweep-loops.js";

export function* queues(facts: FileFacts): Iterable<Finding> {
  const shifts = callsNamed(facts, "shift");
  if (shifts.length === 0 || callsNamed(facts, "unshift").length > 0) return;
  for (const shift of shifts) {
    const taking = runsIn(facts, shift);
    const at = taking === null ? -1 : paramAt(facts, taking, receiver(shift));
    if (taking === null || at < 0 || loopsAround(facts, shift).length > 0) continue;
    const forward = fillings(facts).find((push) => runsIn(facts, push) !== taking);
    // the step itself, or steps that hand the stash to a helper
    const steps = runBack(facts, taking) ? [taking] : callersOf(facts, taking, at);
    if (forward === undefined || !steps.some((step) => runBack(facts, step))) continue;
    yield {
      start: startOf(shift),
      end: endOf(shift),
      message:
        "`shift` takes the first value, and the sweep needs the last: the reverse sweep undoes the steps from the last to the first, and takes what they kept off the end with `pop`.",
      evidence: "structural",
      related: [place(forward, "kept here in the forward pass")],
      suggestions: [
        {
          title: "Take it off with `pop`",
          kind: "rewrite",
          edits: [
            { start: startOf(shift), end: endOf(shift), text: `${facts.source(receiver(shift)!)}.pop()` },
          ],
        },
      ],
    };
  }
}

/** Which parameter of the function a list is; -1 for none. */
const paramAt = (facts: FileFacts, fn: Fn, list: Node | null): number => {
  const binding = list === null ? null : facts.binding(list);
  return binding === null ? -1 : fn.params.findIndex((param) => facts.binding(bare(param)) === binding);
};

/** `stash.push(x)` of a step that is handed the stash, outside of loops. */
const fillings = (facts: FileFacts): readonly Node[] =>
  facts.once("stashes that steps fill", (file) =>
    callsNamed(file, "push").filter((push) => {
      const fn = runsIn(file, push);
      return (
        fn !== null &&
        !isBackward(file, fn) &&
        paramAt(file, fn, receiver(push)) >= 0 &&
        loopsAround(file, push).length === 0
      );
    }),
  );

/** Functions that hand a parameter of their own to the helper. */
const callersOf = (facts: FileFacts, helper: Fn, at: number): readonly Fn[] =>
  callsNamed(facts, helper.name).flatMap((call) => {
    const caller = runsIn(facts, call);
    const handed = argumentsOf(call)[at];
    return caller !== null &&
      handed !== undefined &&
      localFunction(facts, call) === helper &&
      paramAt(facts, caller, handed) >= 0
      ? [caller]
      : [];
  });

/** A loop of the reverse sweep calls a function of this name. */
const runBack = (facts: FileFacts, fn: Fn): boolean =>
  fn.name !== "" &&
  callsNamed(facts, fn.name).some(
    (call) =>
      loopsAround(facts, call).some(({ node, reverse }) => reverse && isSweep(facts, node, call)) &&
      !argumentsOf(call).some((one) => turnedRound(facts, one)),
  );

/** `kept.reverse()`: the first is what the last step kept. */
const turnedRound = (facts: FileFacts, list: Node): boolean =>
  isCall(bare(list)) ||
  callsNamed(facts, "reverse").some((call) => {
    const turned = receiver(call);
    return turned !== null && valuesOf(facts).key(turned) === valuesOf(facts).key(list);
  });

/** It pays, or puts what the call gives in the place of a cotangent. */
const isSweep = (facts: FileFacts, loop: Node, call: Node): boolean =>
  sweepLoops(facts).includes(loop) ||
  facts.names.backward(calleeName(call) ?? "") ||
  argumentsOf(call).some((one) => facts.names.gradient(String(bare(one).name ?? "")) > 0);
