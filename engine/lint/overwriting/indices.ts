/**
 * Indices as sums of products: `t * 4 * H + H + k`. Counters of the loops around stand in it by the place of their loop, so that
 * two loops that count the same give the same sum; what no turn of those loops changes stands in it by its key.
 */
import type { FileFacts } from "../facts.js";
import { updatesOf } from "../lookups.js";
import { loopsAround, type Loop } from "../reverse.js";
import type { Binding } from "../scopes.js";
import {
  bare,
  calleeName,
  child,
  children,
  isFunction,
  isMember,
  literal,
  propertyName,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { atom, constant, factorsOf, numberOf, plus, times, type Sum } from "./sums.js";

export interface CountedIndex {
  readonly sum: Sum;
  /** the loops that are counted in it, innermost first */
  readonly loops: readonly Counting[];
  /** `buffer[at++]`: each run gives another place */
  readonly cursor: Binding | null;
}

interface Counting {
  readonly loop: Loop;
  readonly name: string;
  /** how far one turn moves the counter: a number, or null when it is not one */
  readonly step: number | null;
  /** what the counter stays below, as a sum; null when it is not seen */
  readonly bound: Sum | null;
}

const DEEPEST = 8;

/** The index as a sum, null when it comes out of data or misses the counter of a loop between it and `made`. */
export function countedIndex(facts: FileFacts, index: Node, made: Node): CountedIndex | null {
  const between = loopsAround(facts, index).filter(({ node }) => !within(made, node));
  const cursor = cursorOf(facts, index);
  if (cursor !== null) return movesOn(facts, cursor, between) ? { sum: new Map(), loops: [], cursor } : null;
  const counters = new Map<Binding, string>();
  between.forEach((loop, at) => {
    const counter = counterOf(facts, loop);
    if (counter !== null) counters.set(counter, `#${at}`);
  });
  if (counters.size < between.length) return null;
  const sum = sumOf(facts, index, { counters, between }, 0);
  if (sum === null) return null;
  const loops = between.map((loop, at) => counting(facts, loop, `#${at}`, { counters, between }));
  const once = loops.every(
    ({ name }) => [...sum.keys()].filter((product) => product.split("*").includes(name)).length === 1,
  );
  const apart = [...sum.keys()].every((product) => product.split("*").filter(isCounter).length < 2);
  return once && apart && nested(sum, loops) ? { sum, loops, cursor: null } : null;
}

const isCounter = (factor: string): boolean => factor.startsWith("#");

/**
 * Two indices never give one place: they differ, and not by a whole number of turns (`dx[i]` and `dx[i + 1]` meet in the next
 * turn, `q[4 * i]` and `q[4 * i + 1]` do not).
 */
export function areApart(a: CountedIndex, b: CountedIndex): boolean {
  if (a.cursor !== null || b.cursor !== null) return a.cursor === b.cursor;
  const difference = new Map(a.sum);
  for (const [product, times] of b.sum) difference.set(product, (difference.get(product) ?? 0) - times);
  const left = [...difference].filter(([, times]) => times !== 0);
  // what moves apart meets somewhere: `k` and `2 * k`
  if (left.length === 0 || left.some(([product]) => product.split("*").some(isCounter))) return false;
  // one part behind several others: `W.length + b.length + k`
  if (left.length > 1)
    return left.every(([product, times]) => product !== "" && times > 0 === left[0][1] > 0);
  const [[product, distance]] = left;
  const loops = [...a.loops, ...b.loops];
  if (product !== "") return loops.every((loop) => staysWithin(a.sum, loop, factorsOf(product), distance));
  return loops.every(({ name, step }) => {
    const times = a.sum.get(name) ?? b.sum.get(name);
    return times === undefined || step === null || distance % (times * step) !== 0;
  });
}

/**
 * Beside an offset by a size: the counter reaches no further than the offset (`k` below `H` beside `H`), or moves by more than it
 * (`t * 4 * H` beside `3 * H`). A size under another name is taken to fit.
 */
function staysWithin(sum: Sum, loop: Counting, offset: readonly string[], distance: number): boolean {
  const own = moves(sum, loop.name);
  const holds = (some: readonly string[], all: readonly string[]): boolean =>
    some.every((factor) => all.includes(factor));
  if (holds(offset, own.factors))
    return own.factors.length > offset.length || Math.abs(own.times) > Math.abs(distance);
  if (loop.bound === null) return true;
  return [...loop.bound].every(([product, times]) => {
    const reach = [...factorsOf(product), ...own.factors];
    if (times <= 0 || (holds(reach, offset) && reach.length < offset.length)) return true;
    if (holds(offset, reach) && reach.length > offset.length) return false;
    return Math.abs(times * own.times) <= Math.abs(distance);
  });
}

/** What a counter is multiplied by. */
function moves(sum: Sum, name: string): { readonly factors: readonly string[]; readonly times: number } {
  const [product, times] = [...sum].find(([one]) => factorsOf(one).includes(name))!;
  return { factors: factorsOf(product).filter((factor) => factor !== name), times };
}

/** `k` below `H` beside `i * H`: of two counters one moves by at least as much as the other can reach. */
function nested(sum: Sum, loops: readonly Counting[]): boolean {
  const covers = (outer: Counting, inner: Counting): boolean => {
    // how long the lists are that a callback runs over is not seen
    if (inner.bound === null) return inner.loop.node.type !== "ForStatement";
    const own = moves(sum, outer.name);
    const step = moves(sum, inner.name);
    // `n - 1` is less than `n`; of `n + 1` nothing is known beside a row of `n`
    const reach = [...inner.bound].filter(([, times]) => times > 0);
    return (
      reach.length < 2 &&
      reach.every(([product, times]) => {
        const needed = [...factorsOf(product), ...step.factors];
        return (
          needed.every((factor) => own.factors.includes(factor)) &&
          Math.abs(times * step.times) <= Math.abs(own.times)
        );
      })
    );
  };
  return loops.every((one, at) => loops.slice(at + 1).every((two) => covers(one, two) || covers(two, one)));
}

interface Around {
  readonly counters: ReadonlyMap<Binding, string>;
  readonly between: readonly Loop[];
}

function sumOf(facts: FileFacts, node: Node, around: Around, depth: number): Sum | null {
  const inner = bare(node);
  const number = literal(inner);
  if (typeof number === "number") return Number.isInteger(number) ? constant(number) : null;
  if (depth > DEEPEST) return null;
  if (inner.type === "BinaryExpression") {
    const [left, right] = [child(inner, "left")!, child(inner, "right")!].map((side) =>
      sumOf(facts, side, around, depth + 1),
    );
    if (left === null || right === null) return null;
    switch (inner.operator) {
      case "+":
      case "|":
        return plus(left, right, 1);
      case "-":
        return plus(left, right, -1);
      case "*":
        return times(left, right);
      case "<<": {
        const by = numberOf(right);
        return by === null || by < 0 || by > 20 ? null : times(left, constant(2 ** by));
      }
    }
    return null;
  }
  if (inner.type === "Identifier") return ofName(facts, inner, around, depth);
  return isMember(inner) && isFixed(facts, inner, around.between) ? atom(valuesOf(facts).key(inner)) : null;
}

function ofName(facts: FileFacts, name: Node, around: Around, depth: number): Sum | null {
  const binding = facts.scopes.resolve(name);
  if (binding === null) return null;
  const counter = around.counters.get(binding);
  if (counter !== undefined) return atom(counter);
  const [made, ...more] = binding.definitions;
  const single =
    binding.kind === "variable" &&
    made !== undefined &&
    more.length === 0 &&
    updatesOf(facts, binding).length === 0;
  if (single && made.path.length === 0) {
    const sum = sumOf(facts, made.expression, around, depth + 1);
    if (sum !== null) return sum;
  }
  return isFixed(facts, name, around.between) ? atom(valuesOf(facts).key(name)) : null;
}

/** Nothing of it is of one turn: its root is older than the loops, and none of them changes it. */
function isFixed(facts: FileFacts, place: Node, between: readonly Loop[]): boolean {
  let at = place;
  while (isMember(at)) {
    if (propertyName(at) === null && literal(child(at, "property")!) === undefined) return false;
    at = bare(child(at, "object")!);
  }
  if (at.type === "ThisExpression") return true;
  const binding = at.type === "Identifier" ? facts.scopes.resolve(at) : null;
  if (binding === null) return false;
  const changes = [
    binding.declaration,
    ...updatesOf(facts, binding),
    ...binding.definitions.map((definition) => definition.at),
  ];
  return between.every(({ node }) => changes.every((change) => !within(change, node)));
}

/** What a loop counts: the variable of a counting loop, the index of a callback. */
function counterOf(facts: FileFacts, { node, counter }: Loop): Binding | null {
  if (isFunction(node)) {
    const index = children(node, "params")[1];
    return index == null || index.type !== "Identifier" ? null : facts.scopes.resolve(index);
  }
  if (node.type === "ForOfStatement") return placeInEntries(facts, node);
  if (counter === null || node.type !== "ForStatement") return null;
  const init = child(node, "init");
  const declared = init?.type === "VariableDeclaration" ? children(init, "declarations")[0] : null;
  const name = declared == null ? (init === null ? null : child(init, "left")) : child(declared, "id");
  const binding = name === null || name.type !== "Identifier" ? null : facts.scopes.resolve(name);
  // what the body moves, too, is no plain counter
  const moved =
    binding !== null && updatesOf(facts, binding).some((one) => within(one, child(node, "body")!));
  return moved ? null : binding;
}

/** `i` of `for (const [i, x] of xs.entries())`. */
function placeInEntries(facts: FileFacts, loop: Node): Binding | null {
  const left = child(loop, "left")!;
  const declared = left.type === "VariableDeclaration" ? children(left, "declarations")[0] : null;
  const pattern = declared == null ? null : child(declared, "id");
  if (calleeName(bare(child(loop, "right")!)) !== "entries" || pattern?.type !== "ArrayPattern") return null;
  const index = children(pattern, "elements")[0];
  return index == null || index.type !== "Identifier" ? null : facts.scopes.resolve(index);
}

function counting(facts: FileFacts, loop: Loop, name: string, around: Around): Counting {
  if (loop.node.type !== "ForStatement") return { loop, name, step: 1, bound: null };
  const update = child(loop.node, "update");
  const moved = update === null ? null : bare(update);
  const step =
    moved?.type === "UpdateExpression"
      ? 1
      : moved?.type === "AssignmentExpression" && /^[+-]=$/.test(String(moved.operator))
        ? literal(child(moved, "right")!)
        : null;
  return {
    loop,
    name,
    step: typeof step === "number" ? step : null,
    bound: boundOf(facts, loop, around),
  };
}

/** `i < n` and `i <= n - 1` stay below `n`, and so does what counts down from `n - 1`; null: not seen, or from below zero on. */
function boundOf(facts: FileFacts, loop: Loop, around: Around): Sum | null {
  const init = child(loop.node, "init");
  const declared = init?.type === "VariableDeclaration" ? children(init, "declarations")[0] : init;
  const start = declared == null ? null : (child(declared, "init") ?? child(declared, "right"));
  if (start === null) return null;
  const one = constant(1);
  if (loop.reverse) {
    const first = sumOf(facts, start, around, 0);
    return first === null ? null : plus(first, one, 1);
  }
  const from = literal(start);
  const test = child(loop.node, "test");
  const compared = test === null ? null : bare(test);
  if ((typeof from === "number" && from < 0) || compared?.type !== "BinaryExpression") return null;
  const limit = sumOf(facts, child(compared, "right")!, around, 0);
  if (limit === null || !/^(?:<=?|!==?)$/.test(String(compared.operator))) return null;
  return compared.operator === "<=" ? plus(limit, one, 1) : limit;
}

/** `at++` as an index. */
function cursorOf(facts: FileFacts, index: Node): Binding | null {
  const inner = bare(index);
  return inner.type === "UpdateExpression" && inner.operator === "++"
    ? facts.binding(child(inner, "argument")!)
    : null;
}

/** Declared before the loops and only ever counted up: no turn starts it over. */
const movesOn = (facts: FileFacts, cursor: Binding, between: readonly Loop[]): boolean =>
  cursor.definitions.every(
    ({ kind, at }) =>
      (kind === "initial" && between.every(({ node }) => !within(at, node))) ||
      (kind === "compound" && at.operator === "+="),
  ) && updatesOf(facts, cursor).every((update) => update.operator === "++");
