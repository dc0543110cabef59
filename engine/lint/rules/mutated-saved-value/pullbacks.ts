/**
 * Closures that an operation leaves for the sweep: those that pay its operands themselves, and those that give the parts of a cotangent
 * back, which the sweep then adds (`out.back = (g) => [g.map((v) => v * k)]`). Both read values of the forward pass late.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { operationOf } from "../../operations.js";
import { argumentsOf, calleeName, child, identifier, isCall, propertyName } from "../../tree.js";
import { backwardClosures } from "../shared/contributions.js";
import { newsIn, parameterNames } from "../shared/nodes.js";
import { isNamedPullback, SWEEP } from "./kept-closures.js";

/** Those that give something back; some pay besides. Does not look for contributions, which is dear. */
export const handedClosures = (facts: FileFacts): readonly Fn[] =>
  facts.once("closures handed to the sweep", (file) => {
    return file.functions.filter(
      (fn) =>
        !fn.inline &&
        fn.kind === "function" &&
        fn.returns.length > 0 &&
        file.outer(fn) !== null &&
        isHandedOver(file, fn) &&
        operationOf(file, fn)?.linked === true,
    );
  });

/** Those that give parts back and pay nobody. */
export const givingClosures = (facts: FileFacts): readonly Fn[] =>
  facts.once("closures that give parts back", (file) => {
    const paying = new Set(backwardClosures(file));
    return handedClosures(file).filter((fn) => !paying.has(fn));
  });

/** By what it is called or handed, where it is stored (`out.back = ...`), or the parameter that it is handed over as. */
function isHandedOver(facts: FileFacts, fn: Fn): boolean {
  if (isNamedPullback(facts, fn)) return true;
  const isOfSweep = (name: string): boolean => SWEEP.test(name) || facts.names.backward(name);
  if (fn.storedOn !== null) return isOfSweep(propertyName(fn.storedOn) ?? "");
  const call = fn.node.parent;
  if (call == null || !(isCall(call) || call.type === "NewExpression")) return false;
  return parameterNames(facts, call, argumentsOf(call).indexOf(fn.node)).some(isOfSweep);
}

/** Both kinds. */
export const sweepClosures = (facts: FileFacts): readonly Fn[] =>
  facts.once("closures of the sweep", (file) => [...backwardClosures(file), ...givingClosures(file)]);

/** `mul(o) { const out = new Val(...); ... }` of the class `Val`: a method of the nodes themselves, not of a layer. */
export function makesItsKind(facts: FileFacts, fn: Fn): boolean {
  const name = fn.owner === null ? null : identifier(child(fn.owner, "id"));
  return name !== null && newsIn(facts, fn).some((made) => calleeName(made) === name);
}
