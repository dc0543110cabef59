/**
 * A gradient buffer that one backward pass fills, and fills again before anybody has read it: `dx.set(viaQueries);
 * dx.set(viaKeys);`. Whatever the names are, the first contribution is lost.
 */
import { adds } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { localFunction } from "../local.js";
import { callsFrom, namesOf } from "../lookups.js";
import { loopsAround } from "../reverse.js";
import type { Binding } from "../scopes.js";
import {
  argumentsOf,
  bare,
  child,
  children,
  endOf,
  identifier,
  isMember,
  literal,
  propertyName,
  startOf,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { OF_SOMETHING } from "./cotangents.js";
import { isBackward } from "./entries.js";
import { branchOf, writesFrom } from "./guards.js";
import { sumOfCounters, type Counting } from "./counters.js";
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
  const places: unknown[] = [];
  // `dx[i][j]` has two of them
  for (let at: Node = write.target; isMember(at); at = bare(child(at, "object")!)) {
    const dim = propertyName(at) === null ? child(at, "property") : null;
    const place =
      dim === null ? null : placeOf(facts, dim, made.at, isMember(bare(child(write.target, "object")!)));
    if (place === null) return null;
    places.push(place);
  }
  return JSON.stringify(places);
}

/** One index by its counters and how far they run; of several each is a counter. */
function placeOf(facts: FileFacts, dim: Node, made: Node, several: boolean): unknown {
  const index = several
    ? sumOfCounters(
        facts,
        dim,
        loopsAround(facts, dim).filter(({ node }) => !within(made, node)),
      )
    : countedIndex(facts, dim, made);
  if (index === null || (several && index.sum.size !== 1) || ("cursor" in index && index.cursor !== null))
    return null;
  const loops = index.loops.filter(({ name }) =>
    [...index.sum.keys()].some((one) => one.split("*").includes(name)),
  );
  if (several && loops.length !== 1) return null;
  return [[...index.sum].sort(), loops.map((one) => rangeOf(facts, one))];
}

/** What a counter runs over: from where to what it stays below, whichever way; else the head of the loop as it stands. */
function rangeOf(facts: FileFacts, { loop, bound }: Counting): unknown {
  const [init, test] = [child(loop.node, "init"), child(loop.node, "test")];
  const declared = init?.type === "VariableDeclaration" ? children(init, "declarations")[0] : init;
  const start = declared == null ? null : (child(declared, "init") ?? child(declared, "right"));
  const last = test === null ? null : child(bare(test), "right");
  const first = loop.reverse
    ? last === null || bare(test!).operator !== ">="
      ? undefined
      : literal(last)
    : start === null
      ? undefined
      : literal(start);
  if (bound !== null && typeof first === "number") return [first, [...bound].sort()];
  return [init, test].map((part) => (part === null ? "" : facts.source(part))).join(";");
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
      if (at === -1 || !fillsAll(file, write, fn)) continue;
      if (namesOf(file, binding!).some((node) => within(node, fn.node) && node !== root && !isForm(node)))
        continue;
      out.set(fn, [...(out.get(fn) ?? []), at]);
    }
    return out;
  });

/** Each place once: `out[i]` by what counts, `out[i][j]` by a counter for each. */
function fillsAll(facts: FileFacts, write: Write, fn: Fn): boolean {
  const dims: Node[] = [];
  for (let at = bare(write.target); isMember(at); at = bare(child(at, "object")!)) {
    if (propertyName(at) !== null) return false;
    dims.push(child(at, "property")!);
  }
  if (dims.length === 1) return countedIndex(facts, dims[0], fn.node) !== null;
  const counters = loopsAround(facts, write.node).map(({ counter }) => counter);
  const keys = dims.map((dim) => valuesOf(facts).key(dim));
  return new Set(keys).size === keys.length && keys.every((key) => counters.includes(key));
}

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
  return namesOf(facts, buffer).some(
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

function rootOf(target: Node): Node | null {
  let at = bare(target);
  while (isMember(at)) at = bare(child(at, "object")!);
  return at.type === "Identifier" ? at : null;
}
