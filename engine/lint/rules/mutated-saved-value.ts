/**
 * A backward pass needs values of the forward pass as they were. Kept by reference they change with the array or field
 * they stand in; kept in one place for many uses the last one replaces the others.
 */
import type { FileFacts } from "../facts.js";
import { isBackward } from "../overwriting/entries.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import { afterClosure } from "./mutated-saved-value/after-closure.js";
import { captured } from "./mutated-saved-value/captured.js";
import { capturedPlaces } from "./mutated-saved-value/captured-places.js";
import { changedOperands } from "./mutated-saved-value/operands.js";
import { eachCall } from "./mutated-saved-value/each-call.js";
import { eachStep } from "./mutated-saved-value/each-step.js";
import { eachTurn } from "./mutated-saved-value/each-turn.js";
import { handedScratch } from "./mutated-saved-value/handed-scratch.js";
import { inPlaceOperations } from "./mutated-saved-value/in-place.js";
import { oneSlot } from "./mutated-saved-value/one-slot.js";
import { neverTakenOff } from "./mutated-saved-value/pushed-again.js";
import { stacks } from "./mutated-saved-value/stacks.js";
import { showsContributions, showsRules } from "./shared/contributions.js";
import { oncePerPlace } from "./shared/once.js";

export const mutatedSavedValue: Rule = {
  name: "mutated-saved-value",
  summary: "a value that the backward pass reads is written after the forward pass read it",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    const shown = showsContributions(facts) || showsRules(facts);
    // recurrences of numbers, without nodes
    const loops = facts.names.minified ? [] : [...eachTurn(facts), ...neverTakenOff(facts)];
    const kept = (known: readonly Finding[]): Iterable<Finding> =>
      facts.names.minified ? [] : [...captured(facts, known), ...capturedPlaces(facts, known)];
    if (!shown) {
      // layers that keep gradients of their own and pay nobody
      const layers = facts.functions.some((fn) => isBackward(facts, fn));
      const known = [...(layers ? [...eachStep(facts), ...eachCall(facts)] : []), ...loops];
      yield* oncePerPlace([...known, ...kept(known)]);
      return;
    }
    const known = [
      ...changedOperands(facts),
      ...inPlaceOperations(facts),
      ...eachStep(facts),
      ...eachCall(facts),
      ...oneSlot(facts),
      ...handedScratch(facts),
      ...afterClosure(facts),
      ...stacks(facts),
      ...loops,
    ];
    yield* oncePerPlace([...known, ...kept(known)]);
  },
};
