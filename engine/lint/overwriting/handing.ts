/** What calls of a helper hand to it; a helper may take it in two steps: `const into = (c) => (amount) => { c.grad = amount; };`. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf } from "../local.js";
import { argumentsOf, bare, child, isCall, type Node } from "../tree.js";

/** The function that gives this one back, when nothing else is done with it. */
const giverOf = (fn: Fn): Fn | null =>
  fn.name === "" &&
  fn.parent !== null &&
  fn.parent.name !== "" &&
  fn.parent.returns.some((value) => bare(value) === fn.node)
    ? fn.parent
    : null;

/** The name that a helper is known by; "": none. */
export const helperName = (fn: Fn): string => giverOf(fn)?.name ?? fn.name;

export const handedParams = (fn: Fn): readonly Node[] => [...(giverOf(fn)?.params ?? []), ...fn.params];

export function handedArguments(call: Node): readonly Node[] {
  const callee = bare(child(call, "callee")!);
  return isCall(callee) ? [...argumentsOf(callee), ...argumentsOf(call)] : argumentsOf(call);
}

/** Calls that run the helper: of `into(c)(amount)` the outer one. */
export function callsOfHelper(facts: FileFacts, fn: Fn): readonly Node[] {
  const giver = giverOf(fn);
  if (giver === null) return callsOf(facts, fn);
  return callsOf(facts, giver).flatMap((call) => {
    const outer = call.parent;
    return outer != null && isCall(outer) && bare(child(outer, "callee")!) === call ? [outer] : [];
  });
}
