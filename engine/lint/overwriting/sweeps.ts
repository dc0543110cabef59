/**
 * Sweeps by what they do, whatever they are called: a function seeds a slot, goes back over the nodes and calls something with
 * the slot of the node that it is at (`rules[node.kind](node, grads.get(node), grads)`, `node.step(rec[node.id], rec)`).
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf } from "../local.js";
import { isOne, loopsAround } from "../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { mapValues, slotNamesOf } from "./slots.js";

/** A call that a sweep hands cotangents to. */
export interface SweepCall {
  readonly call: Node;
  /** canonical names of the seeded slots that it is handed an entry or a field of */
  readonly slots: ReadonlySet<string>;
  /** keys of the maps, records and lists that it is handed an entry of */
  readonly containers: ReadonlySet<string>;
}

export const sweepCalls = (facts: FileFacts): readonly SweepCall[] =>
  facts.once("calls of sweeps", (file) => {
    const out: SweepCall[] = [];
    const slots = slotNamesOf(file);
    for (const call of file.calls) {
      if (argumentsOf(call).length === 0) continue;
      const own = seededAround(file, call);
      if (own.size === 0) {
        const named = handsNamed(file, call);
        if (named !== null) out.push(named);
        continue;
      }
      if (!loopsAround(file, call).some(({ reverse }) => reverse)) continue;
      const handed = slotsHanded(file, call).filter(({ name }) => own.has(slots.canonical(name)));
      if (handed.length === 0) continue;
      out.push({
        call,
        slots: new Set(handed.map(({ name }) => slots.canonical(name))),
        containers: new Set(handed.flatMap(({ container }) => (container === null ? [] : [container]))),
      });
    }
    return out;
  });

/** `rules[c.op](c, c.out.adjoint)` from the end of a list: a field that says gradient goes to a rule, whoever seeds it. */
function handsNamed(file: FileFacts, call: Node): SweepCall | null {
  const callee = bare(child(call, "callee")!);
  if (!isMember(callee) || callee.computed !== true || file.names.minified) return null;
  const names = argumentsOf(call)
    .map((argument) => bare(argument))
    .flatMap((one) => (isMember(one) ? (propertyName(one) ?? []) : []))
    .filter((name) => file.names.gradient(name) === 2);
  if (names.length === 0 || !loopsAround(file, call).some(({ reverse }) => reverse)) return null;
  const slots = slotNamesOf(file);
  return { call, slots: new Set(names.map((name) => slots.canonical(name))), containers: new Set() };
}

/** Slots by the functions that put a one into them, or make them with one in them. */
const seeds = (facts: FileFacts): ReadonlyMap<Fn, ReadonlySet<string>> => facts.once("seeded slots", seedsOf);

function seedsOf(file: FileFacts): ReadonlyMap<Fn, ReadonlySet<string>> {
  const slots = slotNamesOf(file);
  const out = new Map<Fn, Set<string>>();
  const note = (node: Node, name: string | null): void => {
    const home = file.home(node);
    if (name === null || name === "" || home === null || home.kind === "constructor") return;
    out.set(home, (out.get(home) ?? new Set()).add(slots.canonical(name)));
  };
  for (const write of writesOf(file))
    if (write.form !== "add" && write.form !== "scale" && isOne(bare(write.value)))
      note(write.node, write.name);
  for (const call of file.calls) {
    const [first, value] = argumentsOf(call);
    if (value === undefined) continue;
    const name = calleeName(call);
    const object = receiver(call);
    // of a map: two arguments, a one among them, are read as values and a place in a buffer elsewhere
    if (object !== null && name === "set" && isOne(value))
      note(call, isMember(object) ? propertyName(object) : identifier(object));
    // `order.reduceRight((rec, node) => ..., { [root.id]: 1 })`
    if ((name === "reduceRight" || name === "reduce") && holdsOne(bare(value)))
      note(call, identifier(file.functionOf(bare(first))?.params[0] ?? null));
  }
  for (const { call, write } of seedsByHelpers(file)) note(call, write.name);
  for (const declarator of file.declarators) {
    const init = child(declarator, "init");
    if (init !== null && holdsOne(bare(init))) note(declarator, identifier(child(declarator, "id")));
  }
  return out;
}

/** `{ [root.id]: 1 }`, `new Map([[root, 1]])`. */
export function holdsOne(init: Node): boolean {
  if (init.type === "ObjectExpression")
    return children(init, "properties").some(
      (one) => one?.type === "Property" && one.computed === true && isOne(child(one, "value")!),
    );
  return mapValues(init).some((value) => isOne(value));
}

/** Canonical names of the slots that the function around a node, or one around that, puts a one into. */
export function seededAround(facts: FileFacts, node: Node): ReadonlySet<string> {
  const out = new Set<string>();
  const seeded = seeds(facts);
  if (seeded.size > 0)
    for (let fn = facts.home(node); fn !== null; fn = facts.outer(fn))
      for (const name of seeded.get(fn) ?? []) out.add(name);
  return out;
}

interface HandedSlot {
  readonly name: string;
  /** key of the container that it is an entry of; null for a field */
  readonly container: string | null;
}

/** The slots that the arguments are entries or fields of. */
function slotsHanded(file: FileFacts, call: Node): readonly HandedSlot[] {
  const values = valuesOf(file);
  const out: HandedSlot[] = [];
  for (const argument of argumentsOf(call))
    for (const read of values.reads(argument)) {
      if (read.kind === "field") out.push({ name: read.name, container: null });
      const name = read.kind === "element" ? slotOfContainer(read.container) : null;
      if (read.kind === "element" && name !== null) out.push({ name, container: read.container });
    }
  return out;
}

/** `bars` of the key `this.bars` or `bars~3`. */
const slotOfContainer = (key: string): string | null => /([\w$#]+?)(?:~\d+)?$/.exec(key)?.[1] ?? null;

/** The write is what a call with a one does: `store.deposit(output, 1)` of `deposit(key, amount) { this.slots.set(key, amount); }`. */
export const isSeededByHelper = (facts: FileFacts, write: Write): boolean =>
  seedsByHelpers(facts).some((seed) => seed.write === write);

const seedsByHelpers = (facts: FileFacts): readonly { readonly call: Node; readonly write: Write }[] =>
  facts.once("seeds by helpers", (file) => {
    const out: { call: Node; write: Write }[] = [];
    for (const write of writesOf(file)) {
      if (write.form !== "map-set" && write.form !== "assign") continue;
      const fn = file.home(write.node);
      const carried = facts.binding(write.value);
      const at = carried?.kind === "param" ? fn?.params.findIndex((p) => facts.binding(p) === carried) : -1;
      if (fn === null || at === undefined || at === -1 || fn.kind === "constructor") continue;
      for (const call of callsOf(file, fn)) {
        const value = argumentsOf(call)[at];
        if (value !== undefined && isOne(value)) out.push({ call, write });
      }
    }
    return out;
  });
