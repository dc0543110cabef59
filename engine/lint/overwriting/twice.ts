/**
 * A gradient buffer that one backward pass fills, and fills again before anybody has read it: `dx.set(viaQueries);
 * dx.set(viaKeys);`. Whatever the names are, the first contribution is lost.
 */
import { adds } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { localFunction } from "../local.js";
import { callsFrom } from "../lookups.js";
import { loopsAround } from "../reverse.js";
import type { Binding } from "../scopes.js";
import {
  argumentsOf,
  bare,
  child,
  endOf,
  identifier,
  isMember,
  propertyName,
  startOf,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { isBackward } from "./entries.js";
import { branchOf, writesFrom } from "./guards.js";
import { countedIndex } from "./indices.js";
import { isBlank, paramName } from "./slots.js";

/** A store that covers what an earlier one put into the same buffer. */
export interface Covering {
  readonly node: Node;
  /** the buffer as it stands in the text */
  readonly target: Node;
  /** what is lost */
  readonly lost: Node;
  /** null where a helper of the file fills what it is handed */
  readonly write: Write | null;
}

interface Store {
  readonly node: Node;
  readonly target: Node;
  /** which places: the same text for the same ones */
  readonly places: string;
  /** takes the place of what was there */
  readonly covers: boolean;
  readonly write: Write | null;
}

export const storedTwice = (facts: FileFacts): readonly Covering[] =>
  facts.once("stored twice", (file) => {
    if (file.names.minified) return [];
    const out: Covering[] = [];
    for (const home of file.functions) {
      if (home.inline || !(isBackward(file, home) || file.names.derivative(home.name))) continue;
      for (const [buffer, stores] of storesIn(file, home)) {
        if (stores.length < 2) continue;
        stores.forEach((second, at) => {
          if (!second.covers) return;
          const first = stores
            .slice(0, at)
            .findLast(
              (one) => one.places === second.places || one.places === WHOLE || second.places === WHOLE,
            );
          if (first === undefined || !follows(first.node, second.node, home)) return;
          if (first.places !== second.places && second.places !== WHOLE) return;
          if (isReadBetween(file, buffer, first, second)) return;
          out.push({ node: second.node, target: second.target, lost: first.node, write: second.write });
        });
      }
    }
    return out;
  });

const WHOLE = "whole";

/** `dh`, `dhPrev`, `dgates` in a backward pass. */
const OF_SOMETHING = /^d(?!ata|est|im|ist|iff|ef|ec|el|one|raw|ummy|ate|ir|om|oc|ur|b$|t$)[a-z]\w{0,9}$/;

/** What goes into each local buffer of a function that is named for a gradient, in the order of the text. */
function storesIn(facts: FileFacts, home: Fn): ReadonlyMap<Binding, readonly Store[]> {
  const found = new Map<Binding, Store[]>();
  const note = (buffer: Binding | null, store: Store): void => {
    if (buffer?.kind !== "variable") return;
    if (facts.names.gradient(buffer.name) === 0 && !OF_SOMETHING.test(buffer.name)) return;
    if (!facts.scopes.declaredIn(buffer, home.node)) return;
    found.set(buffer, [...(found.get(buffer) ?? []), store]);
  };
  for (const write of writesFrom(facts, home)) {
    if (write.object !== null || !write.element || isBlank(facts, write.value)) continue;
    if (!/^(?:assign|add|buffer-set|buffer-fill)$/.test(write.form)) continue;
    const target = rootOf(write.target);
    const buffer = target === null ? null : facts.binding(target);
    const places = buffer === null ? null : placesOf(facts, write, buffer);
    if (target === null || places === null) continue;
    const covers =
      write.form !== "add" &&
      !adds(facts, write.value, {
        keys: new Set([write.container, `${write.container}[${write.indexKey}]`]),
      });
    note(buffer, { node: write.node, target, places, covers, write });
  }
  for (const call of filling(facts).size === 0 ? [] : callsFrom(facts, home)) {
    for (const at of filledBy(facts, call)) {
      const target = argumentsOf(call)[at];
      if (identifier(bare(target)) !== null)
        note(facts.binding(target), { node: call, target, places: WHOLE, covers: true, write: null });
    }
  }
  for (const [buffer, stores] of found) {
    // `const dh = dout.map(...)`: it begins with a contribution
    const [made] = buffer.definitions.filter(({ kind }) => kind === "initial");
    if (made !== undefined && made.path.length === 0 && comesFromGradient(facts, made.expression, home))
      stores.unshift({ node: made.at, target: buffer.declaration, places: WHOLE, covers: true, write: null });
    stores.sort((a, b) => startOf(a.node) - startOf(b.node));
  }
  return found;
}

function comesFromGradient(facts: FileFacts, made: Node, home: Fn): boolean {
  return (
    !isBlank(facts, made) &&
    facts.isCall(bare(made)) &&
    valuesOf(facts)
      .reads(made)
      .some(
        (read) =>
          read.kind === "param" &&
          facts.names.gradient(read.binding.name) > 0 &&
          facts.scopes.declaredIn(read.binding, home.node),
      )
  );
}

/** The whole buffer, or its places by counters and how far they run; null when they come out of data. */
function placesOf(facts: FileFacts, write: Write, buffer: Binding): string | null {
  if (write.form === "buffer-set") return argumentsOf(write.node).length === 1 ? WHOLE : null;
  if (write.form === "buffer-fill") return argumentsOf(write.node).length === 1 ? WHOLE : null;
  const [made] = buffer.definitions;
  if (write.index === null || made === undefined || write.target.type !== "MemberExpression") return null;
  // `dx[i][j]` has two of them
  if (isMember(bare(child(write.target, "object")!))) return null;
  const index = countedIndex(facts, write.index, made.at);
  if (index === null || index.cursor !== null) return null;
  const ends = index.loops.map(({ loop }) => {
    const [init, test] = [child(loop.node, "init"), child(loop.node, "test")];
    return [init, test].map((part) => (part === null ? "" : facts.source(part))).join(";");
  });
  return JSON.stringify([[...index.sum].sort(), ends]);
}

/** Positions at which a call hands a buffer to a function of the file that fills it and adds nothing. */
function filledBy(facts: FileFacts, call: Node): readonly number[] {
  const fn = localFunction(facts, call);
  return fn === null || fn.kind !== "function" ? [] : (filling(facts).get(fn) ?? []);
}

/** Functions that store into every place of a parameter, and read it nowhere. */
const filling = (facts: FileFacts): ReadonlyMap<Fn, readonly number[]> =>
  facts.once("functions that fill", (file) => {
    const out = new Map<Fn, number[]>();
    for (const write of writesOf(file)) {
      const fn = file.home(write.node);
      if (fn === null || write.form !== "assign" || write.object !== null || !write.element) continue;
      if (branchOf(write.node, fn.node).length > 0 || loopsAround(file, write.node).length === 0) continue;
      const root = rootOf(write.target);
      const binding = root === null ? null : file.binding(root);
      const at = fn.params.findIndex((param) => {
        const name = paramName(param);
        return name !== null && file.binding(name) === binding && binding !== null;
      });
      if (at === -1 || isMember(bare(child(write.target, "object") ?? write.target))) continue;
      const index = write.index === null ? null : countedIndex(file, write.index, fn.node);
      if (index === null) continue;
      if (occurrences(file, binding!).some((node) => within(node, fn.node) && node !== root && !isForm(node)))
        continue;
      out.set(fn, [...(out.get(fn) ?? []), at]);
    }
    return out;
  });

/** `out.length`, and the name among the parameters, tell nothing of the content. */
function isForm(node: Node): boolean {
  const parent = node.parent;
  if (parent == null) return false;
  if (isMember(parent) && child(parent, "object") === node) return propertyName(parent) === "length";
  return (
    !/Expression$|Statement$|Declarator$|^SpreadElement$/.test(parent.type) ||
    parent.type === "ArrowFunctionExpression" ||
    parent.type === "FunctionExpression"
  );
}

/** The second is reached whenever the first was, and in the same turn of every loop that both stand in. */
function follows(first: Node, second: Node, home: Fn): boolean {
  if (startOf(second) < endOf(first)) return false;
  return (
    branchOf(second, home.node).every(({ branch }) => within(first, branch)) &&
    branchOf(first, home.node).every(({ branch }) => within(second, branch))
  );
}

function isReadBetween(facts: FileFacts, buffer: Binding, first: Store, second: Store): boolean {
  return occurrences(facts, buffer).some(
    (node) =>
      startOf(node) > endOf(first.node) &&
      startOf(node) < endOf(second.node) &&
      node !== second.target &&
      !isForm(node) &&
      !isOnlyWritten(node),
  );
}

/** `dx` of `dx[i] += c`, which is lost with the rest. */
function isOnlyWritten(node: Node): boolean {
  const place = node.parent;
  if (place == null || !isMember(place) || child(place, "object") !== node) return false;
  const store = place.parent;
  return (
    store?.type === "AssignmentExpression" &&
    child(store, "left") === place &&
    store.parent?.type === "ExpressionStatement"
  );
}

const occurrences = (facts: FileFacts, binding: Binding): readonly Node[] =>
  facts
    .once("names by binding", (file) => {
      const out = new Map<Binding, Node[]>();
      for (const node of file.byType.get("Identifier") ?? []) {
        const parent = node.parent;
        if (
          parent != null &&
          isMember(parent) &&
          child(parent, "property") === node &&
          parent.computed !== true
        )
          continue;
        const one = file.scopes.resolve(node);
        if (one === null) continue;
        const list = out.get(one);
        if (list === undefined) out.set(one, [node]);
        else list.push(node);
      }
      return out;
    })
    .get(binding) ?? [];

function rootOf(target: Node): Node | null {
  let at = bare(target);
  while (isMember(at)) at = bare(child(at, "object")!);
  return at.type === "Identifier" ? at : null;
}
