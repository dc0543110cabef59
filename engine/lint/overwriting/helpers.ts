/** Writes that a setter or helper does for its callers, one call away: `receive(g) { this.grad = g }`. */
import { adds, slotOf } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isMember,
  receiver,
  within,
  type Node,
} from "../tree.js";
import { replaceRoot } from "../value-forms.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { isEntry } from "./entries.js";
import { ENOUGH, weigh, type Weighed } from "./evidence.js";
import { isLocal } from "./exclusions.js";
import { guarded, keepsFirst } from "./guards.js";
import { callsOfHelper, handedArguments, handedParams, helperName } from "./handing.js";
import { messages } from "./handed-nodes.js";
import { type Judged } from "./judge.js";
import { isRunAgain } from "./run-again.js";
import { isBlank, paramName, slotNamesOf, startsOf } from "./slots.js";
import { isSeededByHelper } from "./sweeps.js";

export interface HelperWrite {
  readonly judged: Judged;
  readonly fn: Fn;
  /** index of the parameter that carries the contribution */
  readonly carries: number;
  /** calls that hand a contribution over, with what speaks for it */
  readonly calls: readonly { readonly node: Node; readonly weighed: Weighed }[];
  /** others call it with what is no gradient: the calls are at fault, not the helper */
  readonly general?: boolean;
}

/** Assigning helpers of the file that are handed contributions. */
export function helperWrites(facts: FileFacts, judgements: readonly Judged[]): readonly HelperWrite[] {
  const out: HelperWrite[] = [];
  for (const judged of judgements) {
    const { write } = judged;
    if (
      !mayPay(facts, judged) ||
      !["assign", "default", "map-set", "buffer-set", "object-assign"].includes(write.form)
    )
      continue;
    const fn = facts.home(write.node);
    if (
      fn === null ||
      fn.kind === "constructor" ||
      fn.kind === "get" ||
      fn.kind === "set" ||
      helperName(fn) === ""
    )
      continue;
    if (facts.names.copying(fn.name) && fn.params.length === 1 && readsField(facts, write)) continue;
    if (isLayer(facts, write, fn)) continue;
    if (isLocal(facts, write, fn)) continue;
    // the node that a sweep is at, in its own loop
    if (judged.weighed !== null && judged.weighed.own && judged.weighed.loop?.reverse === true) continue;
    const carries = carrier(facts, write, fn);
    if (carries === -1 || isBlank(facts, write.value)) continue;
    const all = callsOfHelper(facts, fn);
    const calls = all
      .map((node) => ({ node, weighed: weighCall(facts, node, write, fn, carries) }))
      .filter(
        (call): call is { node: Node; weighed: Weighed } =>
          call.weighed !== null &&
          call.weighed.score + messages(facts, fn, write, call.node, call.weighed) >= ENOUGH &&
          (facts.names.gradient(write.name) > 0 || !judged.open) &&
          // recursion hands on to other nodes, whatever the loop looks like
          (!call.weighed.own || facts.home(call.node) === fn) &&
          // who hands the sum over uses the setter for what it is
          !handsSum(facts, call.node, write, carries) &&
          !seedsRunAgain(facts, call.node, write) &&
          !setsOwn(facts, call.node, write),
      );
    if (calls.length === 0) continue;
    const sums = all.some((call) => handsSum(facts, call, write, carries));
    out.push({ judged, fn, carries, calls, ...(sums ? { general: true } : {}) });
  }
  return out;
}

/** Not judged yet for lack of evidence, or in a slot without a telling name that a sweep seeds by the very helper. */
function mayPay(facts: FileFacts, { open, weighed, write }: Judged): boolean {
  if (open || facts.names.minified) return open;
  if (
    weighed !== null ||
    !(write.container === "" ? isCleared(facts, write) : isSeededByHelper(facts, write))
  )
    return false;
  const home = facts.home(write.node);
  if (home === null) return false;
  const old = slotOf(write, (name) => [name]);
  return !adds(facts, write.value, old) && !guarded(facts, write, home) && !keepsFirst(facts, write, old);
}

/** A field that starts at nothing and is seeded with one, whatever it is called. */
function isCleared(facts: FileFacts, { name, objectKey }: Write): boolean {
  const slot = slotNamesOf(facts).canonical(name);
  const { blank, one } = startsOf(facts);
  return objectKey !== "" && blank.has(slot) && one.has(slot);
}

/** `a.put(a.grad + g)`, `put(bars, k, bars[k] + g)`: the old value is in what is handed over. */
function handsSum(facts: FileFacts, call: Node, write: Write, carries: number): boolean {
  const value = handedArguments(call)[carries];
  const fn = facts.home(write.node);
  if (value === undefined || fn === null) return false;
  const there = (key: string): string => placeAt(facts, call, key, fn);
  // the entry of the same key, that of another node is none
  const keys =
    write.container !== "" && write.index !== null
      ? [`${there(write.container)}[${there(write.indexKey)}]`]
      : write.object === null
        ? []
        : [`${there(write.objectKey)}.${write.name}`];
  const slot = { keys: new Set(keys) };
  return (
    keys.length > 0 &&
    adds(facts, value, write.container === "" ? slot : { ...slot, container: there(write.container) })
  );
}

/** `sweep(body(again), y.grad)`: the store is the seed of a sweep over what the caller has just run again. */
function seedsRunAgain(facts: FileFacts, call: Node, write: Write): boolean {
  const fn = facts.home(write.node);
  const node = write.object === null || isEntry(write) ? null : facts.binding(write.object);
  if (node === null || fn === null) return false;
  const at = handedParams(fn).findIndex((param) => facts.binding(paramName(param) ?? param) === node);
  const handed = handedArguments(call)[at];
  return handed !== undefined && isRunAgain(facts, handed);
}

/** What a call hands over as the key of the entry that is written; null where it is no entry under a parameter. */
function entryHanded(facts: FileFacts, call: Node, write: Write): Node | null {
  const key =
    write.index === null || !(write.element || write.form === "map-set") ? null : facts.binding(write.index);
  const fn = facts.home(write.node);
  if (key?.kind !== "param" || fn === null) return null;
  const at = handedParams(fn).findIndex((param) => facts.binding(param) === key);
  return handedArguments(call)[at] ?? null;
}

/** `this.w.put(g)` of a layer that has made `w` for itself. */
function setsOwn(facts: FileFacts, call: Node, write: Write): boolean {
  const holder = receiver(call);
  const home = facts.home(call);
  if (holder === null || home?.owner == null || write.objectKey !== "this") return false;
  const field = /^this\.([\w$#]+)$/.exec(valuesOf(facts).key(holder))?.[1];
  const stores = writesOf(facts).filter(
    (one) =>
      one.objectKey === "this" &&
      one.name === field &&
      !one.element &&
      facts.home(one.node)?.owner === home.owner,
  );
  return stores.length > 0 && stores.every((one) => madeAfresh(facts, one));
}

/** `this.w = new Parameter(zeros(n))` in a constructor, and not `new Constant(x)` of what it was handed. */
function madeAfresh(facts: FileFacts, { node, value }: Write): boolean {
  const made = bare(value);
  return (
    facts.home(node)?.kind === "constructor" &&
    facts.isCall(made) &&
    /^[A-Z]/.test(calleeName(made) ?? "") &&
    argumentsOf(made).every((argument) => facts.binding(argument)?.kind !== "param")
  );
}

/** A backward pass that keeps what is its own and returns what flows on: a layer of a chain. */
const isLayer = (facts: FileFacts, write: Write, fn: Fn): boolean =>
  facts.names.backward(fn.name) && write.objectKey === "this" && fn.returns.length > 0;

/** `this.grad = other.grad`: a copy, not a hand-over. */
function readsField(facts: FileFacts, write: Write): boolean {
  return valuesOf(facts)
    .reads(write.value)
    .some((read) => read.kind === "field" && read.name === write.name);
}

/** The parameter that arrives in the slot and is not what the slot hangs on; -1: none. */
export function carrier(facts: FileFacts, write: Write, fn: Fn): number {
  const reads = valuesOf(facts).reads(write.value);
  return handedParams(fn).findIndex((param) => {
    const name = paramName(param);
    const binding = name === null ? null : facts.binding(name);
    if (binding === null) return false;
    const key = `${binding.name}~${binding.id}`;
    if (write.objectKey.startsWith(key) || write.indexKey.startsWith(key) || write.container.startsWith(key))
      return false;
    return reads.some((read) => read.kind === "param" && read.binding === binding);
  });
}

/** The write as if it stood at the call. */
function weighCall(facts: FileFacts, call: Node, write: Write, fn: Fn, carries: number): Weighed | null {
  const args = handedArguments(call);
  const value = args[carries];
  if (value === undefined || value.type === "SpreadElement" || isBlank(facts, value)) return null;
  const place = (node: Node | null): Node | null => {
    if (node === null) return null;
    const inner = bare(node);
    if (inner.type === "ThisExpression") return receiver(call);
    if (inner.type === "Identifier") {
      const at = handedParams(fn).findIndex((param) => identifier(paramName(param)) === inner.name);
      if (at !== -1) return args[at] ?? null;
      // `const self = { grad: 0, pull(g) { self.grad = g; } }`: what the method is called on
      if (holdsMethod(facts, inner, fn)) return receiver(call);
    }
    if (isMember(inner)) return place(child(inner, "object"));
    return inner;
  };
  const values = valuesOf(facts);
  const object = place(write.object);
  const index = place(write.index);
  return weigh(facts, {
    node: call,
    value,
    // an entry under a key that is handed over, however the list is kept
    form: entryHanded(facts, call, write) !== null ? "map-set" : write.form,
    name: write.name,
    element: write.element,
    container: placeAt(facts, call, write.container, fn),
    object,
    objectKey: object === null ? "" : values.key(object),
    index,
    indexKey: index === null ? "" : values.key(index),
  });
}

/** A place in a helper, as it is called where the helper is called: the object of the call for `this`, arguments for parameters. */
function placeAt(facts: FileFacts, call: Node, container: string, fn: Fn): string {
  const values = valuesOf(facts);
  const holder = receiver(call);
  const args = handedArguments(call);
  let key = holder === null ? container : replaceRoot(container, "this", values.key(holder));
  handedParams(fn).forEach((param, i) => {
    if (param.type === "Identifier" && args[i] !== undefined)
      key = replaceRoot(key, values.key(param), values.key(args[i]));
  });
  return key;
}

/** The name is given the record that the function is written in, or has the function stored in a field. */
function holdsMethod(facts: FileFacts, name: Node, fn: Fn): boolean {
  const binding = facts.binding(name);
  if (binding?.kind !== "variable") return false;
  if (fn.storedOn !== null && facts.binding(child(fn.storedOn, "object")!) === binding) return true;
  return binding.definitions.some(
    ({ kind, expression }) =>
      kind === "initial" && bare(expression).type === "ObjectExpression" && within(fn.node, expression),
  );
}
