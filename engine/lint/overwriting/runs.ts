/**
 * A layer whose backward pass runs several times before anybody takes its gradients: an encoder that two branches share, a
 * cell at each step of time. What it assigns to the gradients of its own parameters is that of the last run.
 */
import { adds, slotOf } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsFrom, callsNamed } from "../lookups.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isMember,
  propertyName,
  receiver,
  startOf,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { isBackward } from "./entries.js";
import { branchOf } from "./guards.js";
import { isBlank, slotNamesOf } from "./slots.js";

/** The write assigns a gradient of its own object in a backward pass that is run again over what it wrote. */
export function storedEachRun(facts: FileFacts, write: Write): boolean {
  if (write.objectKey !== "this" || !/^(?:assign|buffer-set)$/.test(write.form)) return false;
  if (facts.names.gradient(write.name) === 0 || isBlank(facts, write.value)) return false;
  const fn = facts.home(write.node);
  if (fn === null || fn.kind !== "method" || !isBackward(facts, fn) || argumentsIn(fn) === 0) return false;
  if (
    adds(
      facts,
      write.value,
      slotOf(write, (name) => slotNamesOf(facts).same(name)),
    )
  )
    return false;
  // the buffer is cleared or made anew by the same run: a scratch, or a fault of the clearing
  const renewed = writesOf(facts).some(
    (other) =>
      other !== write &&
      facts.home(other.node) === fn &&
      other.objectKey === "this" &&
      other.name === write.name,
  );
  return !renewed && runsAgain(facts, fn, write.name);
}

const argumentsIn = (fn: Fn): number => fn.params.length;

function runsAgain(facts: FileFacts, fn: Fn, field: string): boolean {
  const values = valuesOf(facts);
  const calls = callsNamed(facts, fn.name).filter(
    (call) => receiver(call) !== null && argumentsOf(call).length > 0,
  );
  return calls.some((call) => {
    const object = receiver(call)!;
    const key = values.key(object);
    const home = facts.home(call);
    if (home === null || home === fn || /[[?]/.test(key)) return false;
    const same = (other: Node): boolean => {
      const holder = receiver(other);
      return holder !== null && values.key(holder) === key;
    };
    const own = callsFrom(facts, home).filter(same);
    const taken = (from: number, to: number): boolean =>
      own.some(
        (other) =>
          other !== call && calleeName(other) !== fn.name && startOf(other) > from && startOf(other) < to,
      ) || readsField(facts, key, field, from, to);
    const again = own.find(
      (other) =>
        calleeName(other) === fn.name &&
        startOf(other) > endOf(call) &&
        branchOf(other, home.node).every(({ branch }) => within(call, branch)) &&
        branchOf(call, home.node).every(({ branch }) => within(other, branch)),
    );
    if (again !== undefined && !taken(endOf(call), startOf(again))) return true;
    const loop = facts.loops.findLast((one) => within(call, one) && facts.home(one) === home);
    return loop !== undefined && !madeIn(facts, object, loop) && !taken(startOf(loop), endOf(loop));
  });
}

/** `layer.dW` is looked at between two places. */
const readsField = (facts: FileFacts, key: string, field: string, from: number, to: number): boolean =>
  (facts.byType.get("MemberExpression") ?? []).some(
    (node) =>
      startOf(node) > from &&
      startOf(node) < to &&
      propertyName(node) === field &&
      valuesOf(facts).key(child(node, "object")!) === key,
  );

function madeIn(facts: FileFacts, object: Node, loop: Node): boolean {
  let root = bare(object);
  while (isMember(root)) root = bare(child(root, "object")!);
  const binding = facts.binding(root);
  return (
    binding !== null &&
    (within(binding.declaration, loop) || binding.definitions.some(({ at }) => within(at, loop)))
  );
}
