/** Which function of this file a call runs, where that is plain to see. */
import type { FileFacts } from "./facts.js";
import type { Fn } from "./functions.js";
import { callsNamed, callsThrough } from "./lookups.js";
import {
  argumentsOf,
  bare,
  child,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "./tree.js";

/** The function of this file that a plain call or a call of a method on `this` runs, null when it is not known. */
export function localFunction(facts: FileFacts, call: Node): Fn | null {
  const callee = child(call, "callee");
  if (callee === null) return null;
  const inner = bare(callee);
  if (inner.type === "Identifier") return functionNamed(facts, inner);
  if (!isMember(inner)) return null;
  const name = propertyName(inner);
  const methods = name === null ? [] : methodsNamed(facts, name);
  return methods.length === 1 ? methods[0] : null;
}

/** The function of this file that a name stands for. */
export function functionNamed(facts: FileFacts, name: Node): Fn | null {
  const binding = facts.scopes.resolve(name);
  if (binding === null) return null;
  if (isFunction(binding.declaration)) return facts.functionOf(binding.declaration);
  const stored = binding.definitions.filter(({ kind }) => kind !== "element");
  return stored.length === 1 && isFunction(bare(stored[0].expression))
    ? facts.functionOf(bare(stored[0].expression))
    : null;
}

export function methodsNamed(facts: FileFacts, name: string): readonly Fn[] {
  const table = facts.once("methods", (file) => {
    const map = new Map<string, Fn[]>();
    for (const fn of file.functions) {
      if (fn.kind !== "method" && fn.storedOn === null && fn.node.parent?.type !== "Property") continue;
      const list = map.get(fn.name);
      if (list === undefined) map.set(fn.name, [fn]);
      else list.push(fn);
    }
    return map;
  });
  return table.get(name) ?? [];
}

/** Calls that run a function of this file, as far as names tell. */
export function callsOf(facts: FileFacts, fn: Fn): readonly Node[] {
  const isMethod = fn.kind === "method" || fn.storedOn !== null || fn.node.parent?.type === "Property";
  return callsNamed(facts, fn.name).filter((call) =>
    receiver(call) === null
      ? localFunction(facts, call) === fn
      : isMethod && methodsNamed(facts, fn.name).includes(fn),
  );
}

/** A function handed to one of this file that calls it in its own run: `each(xs, (v) => g * v)`. */
export function calledAtOnce(facts: FileFacts, node: Node): boolean {
  const call = node.parent;
  if (call == null || !isCall(call)) return false;
  const fn = localFunction(facts, call);
  const param = fn?.params[argumentsOf(call).indexOf(node)];
  const binding = param === undefined ? null : facts.binding(param);
  return binding !== null && callsThrough(facts, binding).some((inner) => facts.home(inner) === fn);
}
