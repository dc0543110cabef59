/**
 * Rules by what they are handed, whatever they are called: a sweep hands the slot of each node to a function out of a table
 * (`rules[node.kind](node, grads.get(node), grads)`) or to one that the node keeps (`node.step(rec[node.id], rec)`). What such
 * a function gives back in pairs is paid by the sweep itself.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { argumentsOf, bare, child, children, isMember } from "../tree.js";
import { valuesOf } from "../values.js";
import type { Write } from "../writes.js";
import { slotNamesOf } from "./slots.js";
import { giverOf } from "./upstream.js";
import { calledFunctions } from "./tables.js";
import { sweepCalls, type SweepCall } from "./sweeps.js";

/** The function is handed an entry or a field of this slot by a sweep. */
export const isHanded = (facts: FileFacts, fn: Fn, slot: string): boolean =>
  fn.params.length > 0 && handed(facts).get(fn)?.has(slotNamesOf(facts).canonical(slot)) === true;

const handed = (facts: FileFacts): ReadonlyMap<Fn, ReadonlySet<string>> =>
  facts.once("functions handed cotangents", (file) => {
    const out = new Map<Fn, Set<string>>();
    for (const [fn, calls] of rulesCalled(file))
      if (calls.some(({ call }) => argumentsOf(call).length > 1))
        out.set(fn, new Set(calls.flatMap(({ slots }) => [...slots])));
    return out;
  });

/** Functions out of tables, or kept by nodes, with the calls that sweeps do of them. */
const rulesCalled = (facts: FileFacts): ReadonlyMap<Fn, readonly SweepCall[]> =>
  facts.once("rules called by sweeps", (file) => {
    const out = new Map<Fn, SweepCall[]>();
    for (const one of sweepCalls(file)) {
      const callee = bare(child(one.call, "callee")!);
      if (!isMember(callee)) continue;
      for (const fn of calledFunctions(file, callee)) out.set(fn, [...(out.get(fn) ?? []), one]);
    }
    return out;
  });

/**
 * The record that is written is one that a sweep reads cotangents from: `rec` of `step: (g, rec) => ({ ...rec, [a.id]: g * k })`
 * where the sweep runs `node.step(rec[node.id], rec)`.
 */
const isHandedRecord = (facts: FileFacts, write: Pick<Write, "container">): boolean =>
  write.container !== "" && handedRecords(facts).has(write.container);

/** Keys of parameters that are such records, and of records made of them: `const r1 = { ...rec, [a.id]: sum }`. */
const handedRecords = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("records handed to rules", (file) => {
    const values = valuesOf(file);
    const out = new Set<string>();
    for (const [fn, calls] of rulesCalled(file))
      for (const { call, containers } of calls)
        argumentsOf(call).forEach((argument, at) => {
          const param = fn.params[at];
          if (param !== undefined && containers.has(values.key(argument))) out.add(values.key(param));
        });
    if (out.size > 0)
      for (const declarator of file.declarators) {
        const made = child(declarator, "init");
        const [first] = made === null ? [] : children(bare(made), "properties");
        if (first?.type === "SpreadElement" && out.has(values.key(child(first, "argument")!)))
          out.add(values.key(child(declarator, "id")!));
      }
    return out;
  });

/** Into a record of cotangents, by what a sweep does with it. */
export const isSwept = (facts: FileFacts, write: Pick<Write, "container" | "index" | "value">): boolean =>
  isHandedRecord(facts, write) || isPaidOfRule(facts, write);

/**
 * The write pays one part of what a rule gave for the slot that the sweep handed to it:
 * `for (const [k, share] of rules[op](acc[out])) acc[k] = share`, `const [da, db] = rule(acc[s.out]); acc[s.a] = da`.
 */
function isPaidOfRule(facts: FileFacts, write: Pick<Write, "container" | "index" | "value">): boolean {
  if (write.container === "" || write.index === null) return false;
  const calls = sweepCalls(facts).filter(({ containers }) => containers.has(write.container));
  const giver = calls.length === 0 ? null : giverOf(facts, write.value);
  return giver !== null && calls.some(({ call }) => call === giver);
}
