/**
 * A backward pass needs values of the forward pass as they were. Kept by reference they change with the array or field
 * they stand in; kept in one place for many uses the last one replaces the others.
 */
import type { FileFacts } from "../facts.js";
import { isBackward } from "../overwriting/entries.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import { afterClosure } from "./mutated-saved-value/after-closure.js";
import { arenas } from "./mutated-saved-value/arenas.js";
import { beforePull } from "./mutated-saved-value/before-pull.js";
import { beforeSweep } from "./mutated-saved-value/before-sweep.js";
import { captured } from "./mutated-saved-value/captured.js";
import { capturedPlaces } from "./mutated-saved-value/captured-places.js";
import { changedOperands } from "./mutated-saved-value/operands.js";
import { eachCall } from "./mutated-saved-value/each-call.js";
import { eachStep } from "./mutated-saved-value/each-step.js";
import { eachTurn } from "./mutated-saved-value/each-turn.js";
import { handedScratch } from "./mutated-saved-value/handed-scratch.js";
import { inPlaceOperations } from "./mutated-saved-value/in-place.js";
import { keptByLayers } from "./mutated-saved-value/kept-by-layers.js";
import { nextSample } from "./mutated-saved-value/next-sample.js";
import { onePerOperation } from "./mutated-saved-value/one-per-operation.js";
import { oneRecord } from "./mutated-saved-value/one-record.js";
import { oneSlot } from "./mutated-saved-value/one-slot.js";
import { neverTakenOff } from "./mutated-saved-value/pushed-again.js";
import { ownState } from "./mutated-saved-value/own-state.js";
import { pools } from "./mutated-saved-value/pools.js";
import { popOrder } from "./mutated-saved-value/pop-order.js";
import { queues } from "./mutated-saved-value/queues.js";
import { stacks } from "./mutated-saved-value/stacks.js";
import { steppedEarly } from "./mutated-saved-value/stepped-early.js";
import { sweepLoops } from "./mutated-saved-value/sweep-loops.js";
import { usedTwice } from "./mutated-saved-value/used-twice.js";
import { showsContributions, showsRules } from "./shared/contributions.js";
import { writtenBack, writtenBackByLayers } from "./mutated-saved-value/written-back.js";
import { oncePerPlace } from "./shared/once.js";

export const mutatedSavedValue: Rule = {
  name: "mutated-saved-value",
  summary: "a value that the backward pass reads is written after the forward pass read it",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    const shown = showsContributions(facts) || showsRules(facts);
    const { minified } = facts.names;
    const known = [
      ...(shown ? ofNodes(facts) : []),
      ...(minified ? [] : ofLayers(facts, shown)),
      // recurrences of numbers, without nodes
      ...(minified ? [] : ofLoops(facts, shown)),
      ...(minified || shown ? [] : stacks(facts, false)),
    ];
    if (!minified) known.push(...captured(facts, known), ...capturedPlaces(facts, known));
    yield* oncePerPlace(known);
  },
};

/** Operations that leave closures behind, and what these read of nodes. */
function* ofNodes(facts: FileFacts): Iterable<Finding> {
  yield* changedOperands(facts);
  yield* beforeSweep(facts);
  yield* inPlaceOperations(facts);
  yield* oneSlot(facts);
  yield* handedScratch(facts);
  yield* afterClosure(facts);
  yield* stacks(facts, true);
  yield* pools(facts);
  yield* nextSample(facts);
  yield* writtenBack(facts);
}

/** Steps and layers that keep what their backward pass needs; they may keep gradients of their own and pay nobody. */
function* ofLayers(facts: FileFacts, shown: boolean): Iterable<Finding> {
  const layers = shown || facts.functions.some((fn) => isBackward(facts, fn));
  if (!layers && sweepLoops(facts).length === 0) return;
  yield* eachStep(facts);
  yield* oneRecord(facts, shown);
  if (!layers) return;
  yield* eachCall(facts);
  yield* usedTwice(facts);
  yield* keptByLayers(facts);
  yield* writtenBackByLayers(facts);
  yield* ownState(facts);
  yield* steppedEarly(facts);
}

function* ofLoops(facts: FileFacts, shown: boolean): Iterable<Finding> {
  yield* eachTurn(facts);
  yield* neverTakenOff(facts);
  yield* beforePull(facts);
  yield* queues(facts);
  yield* popOrder(facts);
  yield* onePerOperation(facts);
  yield* arenas(facts, shown);
}
