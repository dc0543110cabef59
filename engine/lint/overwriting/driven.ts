/** Steps of the sweep by how they are run, whatever they are called: a function seeds a slot and calls them on the nodes of a list. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { isOne, loopsAround } from "../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import { localFunction } from "../local.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { slotNamesOf } from "./slots.js";
import { calledFunctions } from "./tables.js";

/** `1`, `ones(n)`, `field.one`. */
const seeds = (value: Node): boolean => {
  const inner = bare(value);
  return isOne(inner) || (isMember(inner) && /^(?:one|ones|ONE|unit)$/.test(propertyName(inner) ?? ""));
};

interface Steps {
  /** names of methods that a function calls on the elements of a list after it seeded a slot, with the slots */
  readonly methods: ReadonlyMap<string, ReadonlySet<string>>;
  /** functions that it hands such an element to */
  readonly functions: ReadonlyMap<Fn, ReadonlySet<string>>;
}

const steps = (facts: FileFacts): Steps =>
  facts.once("driven steps", (file) => {
    const methods = new Map<string, Set<string>>();
    const functions = new Map<Fn, Set<string>>();
    const slots = slotNamesOf(file);
    const seeding = seedingFunctions(file);
    if (seeding.size === 0) return { methods, functions };
    const note = <K>(map: Map<K, Set<string>>, key: K, call: Node, own: readonly Write[]): void => {
      for (const write of own)
        if (startOf(write.node) < startOf(call))
          map.set(key, (map.get(key) ?? new Set()).add(slots.canonical(write.name)));
    };
    for (const call of file.calls) {
      const home = file.home(call);
      const own = home === null ? undefined : seeding.get(home);
      if (own === undefined || loopsAround(file, call).length === 0) continue;
      const object = receiver(call);
      const name = calleeName(call);
      const args = argumentsOf(call);
      if (object !== null && name !== null && args.length === 0 && isElement(file, object))
        note(methods, name, call, own);
      const [node] = args;
      if (node === undefined || !isElement(file, node)) continue;
      for (const fn of runs(file, call)) if (fn !== home) note(functions, fn, call, own);
    }
    return { methods, functions };
  });

/** The function that a call runs, or those of the table that it takes one out of. */
function runs(facts: FileFacts, call: Node): readonly Fn[] {
  const callee = bare(child(call, "callee")!);
  if (isMember(callee) && callee.computed === true) return calledFunctions(facts, callee);
  const fn = localFunction(facts, call);
  return fn === null ? [] : [fn];
}

/** One of a list. */
const isElement = (facts: FileFacts, node: Node): boolean => valuesOf(facts).key(node).endsWith("]");

/** Functions that store a one into a field, with the stores. */
function seedingFunctions(file: FileFacts): ReadonlyMap<Fn, readonly Write[]> {
  const seeding = new Map<Fn, Write[]>();
  for (const write of writesOf(file)) {
    if (write.form !== "assign" || write.object === null || write.element || !seeds(write.value)) continue;
    const home = file.home(write.node);
    if (home !== null && home.kind !== "constructor")
      seeding.set(home, [...(seeding.get(home) ?? []), write]);
  }
  return seeding;
}

/** A method, of a class or a prototype, that a sweep over this slot runs on each node; a function that it hands each node to. */
export const isDriven = (facts: FileFacts, fn: Fn, slot: string): boolean =>
  ((fn.kind === "method" || fn.storedOn !== null) &&
    fn.params.length === 0 &&
    steps(facts).methods.get(fn.name)?.has(slotNamesOf(facts).canonical(slot)) === true) ||
  (fn.params.length > 0 && steps(facts).functions.get(fn)?.has(slotNamesOf(facts).canonical(slot)) === true);
