/** Steps of the sweep by how they are run, whatever they are called: a function seeds a slot and calls them on the nodes of a list. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { isOne, loopsAround } from "../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { slotNamesOf } from "./slots.js";

/** `1`, `ones(n)`, `field.one`. */
const seeds = (value: Node): boolean => {
  const inner = bare(value);
  return isOne(inner) || (isMember(inner) && /^(?:one|ones|ONE|unit)$/.test(propertyName(inner) ?? ""));
};

/** Names of methods that a function calls on the elements of a list after it seeded a slot, with the slots. */
const steps = (facts: FileFacts): ReadonlyMap<string, ReadonlySet<string>> =>
  facts.once("driven steps", (file) => {
    const out = new Map<string, Set<string>>();
    const slots = slotNamesOf(file);
    const values = valuesOf(file);
    const seeding = new Map<Fn, Write[]>();
    for (const write of writesOf(file)) {
      if (write.form !== "assign" || write.object === null || write.element || !seeds(write.value)) continue;
      const home = file.home(write.node);
      if (home !== null && home.kind !== "constructor")
        seeding.set(home, [...(seeding.get(home) ?? []), write]);
    }
    if (seeding.size === 0) return out;
    for (const call of file.calls) {
      const home = file.home(call);
      const own = home === null ? undefined : seeding.get(home);
      const object = receiver(call);
      const name = calleeName(call);
      if (own === undefined || object === null || name === null || argumentsOf(call).length > 0) continue;
      if (loopsAround(file, call).length === 0 || !values.key(object).includes("[")) continue;
      for (const write of own)
        if (startOf(write.node) < startOf(call))
          out.set(name, (out.get(name) ?? new Set()).add(slots.canonical(write.name)));
    }
    return out;
  });

/** A method, of a class or a prototype, that a sweep over this slot runs on each node. */
export const isDriven = (facts: FileFacts, fn: Fn, slot: string): boolean =>
  (fn.kind === "method" || fn.storedOn !== null) &&
  fn.params.length === 0 &&
  steps(facts).get(fn.name)?.has(slotNamesOf(facts).canonical(slot)) === true;
