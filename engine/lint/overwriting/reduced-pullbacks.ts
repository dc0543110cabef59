/** Reducers over what pullbacks gave for one cotangent: `terms.flatMap((t) => t(bar)).reduce((grads, [name, c]) => ..., {})`. */
import { adds } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { partOf } from "../lookups.js";
import { isOne } from "../reverse.js";
import { argumentsOf, bare, calleeName, child, children, isCall, receiver, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import type { Write } from "../writes.js";
import { rootOf } from "./exclusions.js";
import { guarded } from "./guards.js";
import { isBlank, mapValues } from "./slots.js";

/** The node is a parameter of the function, named for a cotangent. */
export function isCotangentParam(facts: FileFacts, node: Node, home: Fn): boolean {
  const binding = facts.binding(node);
  return (
    binding?.kind === "param" &&
    facts.scopes.declaredIn(binding, home.node) &&
    facts.names.gradient(binding.name) === 2
  );
}

/** The write stands in a reducer over a list that calls gave which were handed the cotangent of the function around. */
export function reducesPullbacks(facts: FileFacts, write: Write): boolean {
  const list = listOf(reducerOf(facts, write));
  const home = facts.home(write.node);
  if (list === null || home === null) return false;
  const [made, ...more] = facts.binding(list)?.definitions ?? [];
  return partOf(facts.calls, made !== undefined && more.length === 0 ? made.expression : list).some((call) =>
    argumentsOf(call).some((one) => isCotangentParam(facts, one, home)),
  );
}

const reducerOf = (facts: FileFacts, write: Write): Fn | null => {
  const fn = facts.enclosing(write.node);
  return fn?.inline === true ? fn : null;
};

/** The list that a reducer is called for. */
function listOf(fn: Fn | null): Node | null {
  const call = fn?.node.parent;
  return call != null && isCall(call) && /^reduce(?:Right)?$/.test(calleeName(call) ?? "")
    ? receiver(call)
    : null;
}

/** `grads[name] = c`, `grads.set(name, c)` into the record that such a reducer hands on. */
export function storedByReducer(facts: FileFacts, write: Write): boolean {
  if (!/^(?:assign|map-set)$/.test(write.form) || write.index === null) return false;
  const fn = reducerOf(facts, write);
  const root = fn === null || listOf(fn) === null ? null : rootOf(write.target);
  const record = root === null ? null : facts.binding(root);
  if (fn === null || record === null || facts.binding(fn.params[0] ?? fn.node) !== record) return false;
  if (facts.names.gradient(record.name) !== 2 || isBlank(facts, write.value)) return false;
  const home = facts.home(write.node);
  const old = { keys: new Set([`${write.container}[${write.indexKey}]`]) };
  return (
    home !== null &&
    reducesPullbacks(facts, write) &&
    !adds(facts, write.value, old) &&
    !guarded(facts, write, home)
  );
}

/**
 * `edges.reduceRight((m, { from, to, w }) => m.set(from, w * m.get(to)), new Map([[out, 1]]))`: an entry made of another one of
 * what the reducer hands on, which starts with the seed.
 */
export function paidByReducer(facts: FileFacts, write: Write): boolean {
  if (!/^(?:assign|map-set)$/.test(write.form) || write.index === null || write.object !== null) return false;
  const fn = reducerOf(facts, write);
  const call = fn?.node.parent;
  if (fn === null || call == null || calleeName(call) !== "reduceRight") return false;
  const root = rootOf(write.target);
  const record = root === null ? null : facts.binding(root);
  const start = argumentsOf(call)[1];
  if (record === null || facts.binding(fn.params[0]) !== record || start === undefined) return false;
  if (!holdsSeed(bare(start)) || isBlank(facts, write.value)) return false;
  const home = facts.home(write.node);
  const old = { keys: new Set([`${write.container}[${write.indexKey}]`]), container: write.container };
  const paid = valuesOf(facts)
    .reads(write.value)
    .some(
      (read) =>
        read.kind === "element" && read.container === write.container && read.index !== write.indexKey,
    );
  return paid && home !== null && !adds(facts, write.value, old) && !guarded(facts, write, home);
}

/** `{ [out]: 1 }`, `new Map([[out, 1]])`. */
const holdsSeed = (start: Node): boolean =>
  mapValues(start).some((value) => isOne(value)) ||
  children(start, "properties").some(
    (one) => one?.type === "Property" && one.computed === true && isOne(child(one, "value")!),
  );
