/**
 * Recursions over an expression that put the cotangent into a record where they end: `if (e.tag === "var") out[e.name] = bar;`.
 * A variable that stands in two places is come to twice, and the record keeps the last.
 */
import { adds, slotOf } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsNamed } from "../lookups.js";
import { argumentsOf, receiver, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { rootOf } from "./exclusions.js";
import { guarded } from "./guards.js";
import { multiplies } from "./parts.js";

export function* leafStores(facts: FileFacts): Iterable<Write> {
  if (facts.names.minified) return;
  for (const write of writesOf(facts)) {
    if (!/^(?:assign|map-set|default)$/.test(write.form)) continue;
    const fn = runs(facts, write.node);
    const bar = fn === null || fn.name === "" ? -1 : placeOf(facts, fn, write.value);
    if (
      fn === null ||
      bar === -1 ||
      callsNamed(facts, fn.name).length < 2 ||
      fn.kind === "set" ||
      fn.kind === "constructor"
    )
      continue;
    const record = recordOf(facts, fn, write, bar);
    if (record === null || !speaks(facts, fn, write, bar)) continue;
    if (!branches(facts, fn, bar, record, write.container === "") || guarded(facts, write, fn)) continue;
    if (
      !adds(
        facts,
        write.value,
        slotOf(write, (name) => [name]),
      )
    )
      yield write;
  }
}

/** The function with a name that a node runs in, one that is called where it is written among them. */
const runs = (facts: FileFacts, node: Node): Fn | null => {
  const fn = facts.enclosing(node);
  return fn !== null && fn.name !== "" ? fn : facts.home(node);
};

/** Where the record stands that is written: a parameter that is handed on, or -1, older than the recursion; null: it is none. */
function recordOf(facts: FileFacts, fn: Fn, write: Write, bar: number): number | null {
  // `pull(bar) { this.d = bar; }` of the leaves
  if (write.container === "") return write.objectKey === "this" && fn.kind === "method" ? -1 : null;
  const root = rootOf(write.target);
  if (root === null || write.index === null) return null;
  const record = placeOf(facts, fn, root);
  if (record === bar || !isOfNode(facts, fn, write.index, bar, record)) return null;
  if (record !== -1) return record;
  const binding = facts.binding(root);
  return root.type === "ThisExpression" || (binding !== null && !facts.scopes.declaredIn(binding, fn.node))
    ? -1
    : null;
}

/** Which parameter of the function a node is; -1: none. */
function placeOf(facts: FileFacts, fn: Fn, node: Node): number {
  const binding = facts.binding(node);
  return binding?.kind !== "param" ? -1 : fn.params.findIndex((param) => facts.binding(param) === binding);
}

/** The name of the variable: a field of the object at hand, or of another parameter. */
function isOfNode(facts: FileFacts, fn: Fn, index: Node, bar: number, record: number): boolean {
  const root = rootOf(index);
  if (root?.type === "ThisExpression") return true;
  const at = root === null ? -1 : placeOf(facts, fn, root);
  return at !== -1 && at !== bar && at !== record;
}

/** One of its names says that it is about gradients. */
const speaks = (facts: FileFacts, fn: Fn, write: Write, bar: number): boolean =>
  facts.names.gradient(facts.binding(fn.params[bar])?.name ?? "") === 2 ||
  facts.names.gradient(write.name) === 2 ||
  [fn.name, fn.parent?.name ?? ""].some((name) => facts.names.derivative(name) || facts.names.backward(name));

/**
 * A function of that name goes on to two others, to one of them at least with a product of what it was handed; of nodes with a
 * value of the other one, as layers that have several heads do not.
 */
function branches(facts: FileFacts, fn: Fn, bar: number, record: number, ofNodes: boolean): boolean {
  const ways = new Map<Fn, Node[]>();
  for (const call of callsNamed(facts, fn.name)) {
    const home = runs(facts, call);
    if (home === null || home.name !== fn.name || home.params.length !== fn.params.length) continue;
    const args = argumentsOf(call);
    if (args[bar] === undefined || !reads(facts, args[bar], home, bar)) continue;
    if (record !== -1 && (args[record] === undefined || placeOf(facts, home, args[record]) !== record))
      continue;
    const list = ways.get(home);
    if (list === undefined) ways.set(home, [call]);
    else list.push(call);
  }
  return [...ways.values()].some(
    (list) =>
      list.length > 1 &&
      list.some((call) => {
        const share = argumentsOf(call)[bar];
        return multiplies(facts, share) && (!ofNodes || readsOther(facts, share, call, list));
      }),
  );
}

/** `this.a.pull(bar * this.b.v)` beside `this.b.pull(...)`. */
function readsOther(facts: FileFacts, share: Node, call: Node, all: readonly Node[]): boolean {
  const holders = all.flatMap((one) => (one === call ? [] : (receiver(one) ?? [])));
  const keys = new Set(holders.map((one) => valuesOf(facts).key(one)));
  return valuesOf(facts)
    .reads(share)
    .some((read) => read.kind === "field" && keys.has(read.object));
}

const reads = (facts: FileFacts, value: Node, fn: Fn, at: number): boolean =>
  valuesOf(facts)
    .reads(value)
    .some((read) => read.kind === "param" && read.binding === facts.binding(fn.params[at]));
