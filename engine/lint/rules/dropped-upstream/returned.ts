/** Rules that return a local derivative and never use the cotangent that they are handed, among rules that do. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { functionNamed } from "../../local.js";
import { isBlank, paramName } from "../../overwriting/slots.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { operationName } from "../../operations.js";
import { callsFrom } from "../../lookups.js";
import {
  argumentsOf,
  bare,
  calleeName,
  children,
  endOf,
  identifier,
  isCall,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { keptAs, mentionsNode } from "../shared/nodes.js";
import { LOSS } from "./stored.js";

/** Rules of one kind: kept under one name, methods of one name in several classes, or entries of one table. */
interface Family {
  readonly fns: readonly Fn[];
  /** a table or a method is not told from others by its name alone: the parameter has to be the same */
  readonly strict: boolean;
}

/** `(g) => [b.value, a.value]` among `(g) => [g * b.value, ...]`. */
export function* inReturned(facts: FileFacts): Iterable<Finding> {
  const taken = new Set<Fn>();
  for (const { fns, strict } of families(facts)) {
    const using = fns.filter((fn) => usesParam(facts, fn, 0) && handed(facts, fn, strict));
    if (using.length === 0 || (strict && using.length < 2 && !using.every((fn) => scalesParam(facts, fn))))
      continue;
    const shown = using.find((fn) => scalesParam(facts, fn)) ?? using[0];
    for (const fn of fns) {
      // in a table the cotangent goes by one name, however many values a rule needs beside it
      const more = !strict && fn.params.length > Math.max(...using.map(({ params }) => params.length));
      if (taken.has(fn) || more) continue;
      if (strict ? usesParam(facts, fn, 0) || !sameName(fn, using) : usesAny(facts, fn)) continue;
      // one that takes nothing may read what has arrived at its output
      if (fn.params.length === 0 && readsSlot(facts, fn)) continue;
      const value = [...fn.returns, ...handedOn(facts, fn)].find(
        (one) => !isBlank(facts, one) && !constantList(facts, one) && !namesFunction(facts, one),
      );
      if (value === undefined || isLoss(facts, fn)) continue;
      taken.add(fn);
      const lost =
        fn.params.length === 0
          ? "takes no cotangent; the others multiply by the one that they are handed"
          : `never uses \`${facts.source(fn.params[0])}\`, the cotangent that it is handed; the others multiply by it`;
      yield {
        start: startOf(value),
        end: endOf(value),
        message: `this rule gives a local derivative and ${lost} (line ${lineOf(facts, shown.node)}).`,
        evidence: "proven-siblings",
        related: using.slice(0, 3).map((other) => place(other.node, "uses what it is handed")),
      };
    }
  }
}

function* families(facts: FileFacts): Iterable<Family> {
  const named = new Map<string, Fn[]>();
  const tables = new Map<unknown, Fn[]>();
  const methods = new Map<string, Fn[]>();
  const note = <K>(map: Map<K, Fn[]>, key: K, fn: Fn): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [fn]);
    else list.push(fn);
  };
  for (const fn of facts.functions) {
    if (fn.inline) continue;
    if (fn.returns.length === 0 && handedOn(facts, fn).length === 0) continue;
    // a rule that takes nothing is known by the place it is kept in alone
    if (fn.params.length === 0 && fn.kind !== "function") continue;
    if (fn.kind === "method") {
      if (facts.names.backward(fn.name) || facts.names.derivative(fn.name)) note(methods, fn.name, fn);
      continue;
    }
    if (fn.kind !== "function") continue;
    // what a minifier leaves of a program keeps no such names
    if (!facts.names.minified)
      for (const name of keptAs(facts, fn))
        // `(d, b) => ...` may get a constructor: one that takes nothing is no rule for what it is called by others alone
        if (fn.params.length > 0 || (facts.names.backward(name) && fn.node.type !== "FunctionDeclaration"))
          note(named, name, fn);
    const table = fn.params.length === 0 ? null : tableOf(facts, fn);
    if (table !== null) note(tables, table, fn);
  }
  for (const [name, fns] of named)
    if (facts.names.backward(name) || facts.names.derivative(name) || /^(?:rule|pull)$/.test(name))
      yield { fns, strict: false };
  for (const fns of tables.values()) yield { fns, strict: true };
  for (const fns of methods.values()) yield { fns, strict: true };
}

/** The record, the list of entries or the registering function that a rule is kept in with others of its kind. */
function tableOf(facts: FileFacts, fn: Fn): unknown {
  const at = fn.node.parent;
  if (at == null) return null;
  // `{ mul: (g, a, b) => ..., sin: ... }`
  if (at.type === "Property") return at.parent ?? null;
  // `["mul", (g, a, b) => ...]` of a list
  if (at.type === "ArrayExpression") return at.parent?.type === "ArrayExpression" ? at.parent : null;
  // `define("mul", (g, a, b) => ...)`, `rules.set("mul", ...)`
  if (isCall(at) && argumentsOf(at).length > 1 && argumentsOf(at).at(-1) === fn.node)
    return `${calleeName(at) ?? ""} ${facts.source(bare(at.callee as Node))}`;
  return null;
}

const isLoss = (facts: FileFacts, fn: Fn): boolean =>
  LOSS.test(operationName(facts, fn.node)) ||
  (fn.owner !== null && LOSS.test(String((fn.owner.id as Node | null)?.name ?? "")));

const usesAny = (facts: FileFacts, fn: Fn): boolean => fn.params.some((_, i) => usesParam(facts, fn, i));

const readsSlot = (facts: FileFacts, fn: Fn): boolean =>
  mentionsNode(
    fn.node,
    (node) =>
      (isMember(node) && facts.names.gradient(propertyName(node) ?? "") > 0) ||
      (node.type === "Identifier" && facts.names.gradient(identifier(node) ?? "") > 0),
  );

function usesParam(facts: FileFacts, fn: Fn, at: number): boolean {
  if (at >= fn.params.length) return false;
  const id = paramName(fn.params[at]);
  if (id === null) return true;
  const binding = facts.scopes.resolve(id);
  return mentionsNode(
    fn.node,
    (node) => node !== id && node.type === "Identifier" && facts.scopes.resolve(node) === binding,
  );
}

/** What it is handed is a cotangent by its name; in a table the name has to say so. */
function handed(facts: FileFacts, fn: Fn, strict: boolean): boolean {
  const name = String(paramName(fn.params[0])?.name ?? "");
  if (facts.names.gradient(name) > 0) return true;
  return (
    strict ? /^(?:u|up|upstream|seed|dy|y_?bar|og|ct)$/i : /^(?:u|up|z|s|seed|t|w|out|dy|y_?bar)/i
  ).test(name);
}

function sameName(fn: Fn, using: readonly Fn[]): boolean {
  const plain = (one: Fn): string => String(paramName(one.params[0])?.name ?? "").replace(/^_+/, "");
  return using.some((other) => plain(other) === plain(fn));
}

/** `[]`, `[0, 0]`, `[null]`: no gradient flows. */
function constantList(facts: FileFacts, value: Node): boolean {
  const inner = bare(value);
  return (
    inner.type === "ArrayExpression" &&
    children(inner, "elements").every((e) => e !== null && isBlank(facts, e))
  );
}

/** `easeInBack: () => easeInBack` of a bundle: the export of a module, and no rule. */
const namesFunction = (facts: FileFacts, value: Node): boolean =>
  bare(value).type === "Identifier" && functionNamed(facts, bare(value)) !== null;

/** What a rule hands on to rules of its own kind: `this.x.backward(Math.cos(this.x.value))`. */
function handedOn(facts: FileFacts, fn: Fn): readonly Node[] {
  if (fn.name === "" || !(facts.names.backward(fn.name) || facts.names.derivative(fn.name))) return [];
  return callsFrom(facts, fn)
    .filter((call) => calleeName(call) === fn.name && receiver(call) !== null)
    .map((call) => argumentsOf(call)[0])
    .filter((value) => value !== undefined && bare(value).type !== "Identifier");
}

/** The rule multiplies what it is handed: `u * b`. */
const scalesParam = (facts: FileFacts, fn: Fn): boolean => {
  const id = paramName(fn.params[0]);
  const binding = id === null ? null : facts.scopes.resolve(id);
  return mentionsNode(
    fn.node,
    (node) =>
      node.type === "BinaryExpression" &&
      node.operator === "*" &&
      mentionsNode(node, (part) => part.type === "Identifier" && facts.scopes.resolve(part) === binding),
  );
};
