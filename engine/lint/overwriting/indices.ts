/**
 * Indices as sums of products: `t * 4 * H + H + k`. Counters of the loops around stand in it by the place of their loop, so that
 * two loops that count the same give the same sum; what no turn of those loops changes stands in it by its key.
 */
import type { FileFacts } from "../facts.js";
import { updatesOf } from "../lookups.js";
import { loopsAround, type Loop } from "../reverse.js";
import type { Binding } from "../scopes.js";
import { bare, child, within, type Node } from "../tree.js";
import { sumOfCounters, type Counting } from "./counters.js";
import { factorsOf, type Sum } from "./sums.js";

export interface CountedIndex {
  readonly sum: Sum;
  /** the loops that are counted in it, innermost first */
  readonly loops: readonly Counting[];
  /** `buffer[at++]`: each run gives another place */
  readonly cursor: Binding | null;
}

/** The index as a sum, null when it comes out of data or misses the counter of a loop between it and `made`. */
export function countedIndex(facts: FileFacts, index: Node, made: Node): CountedIndex | null {
  const between = loopsAround(facts, index).filter(({ node }) => !within(made, node));
  const cursor = cursorOf(facts, index);
  if (cursor !== null) return movesOn(facts, cursor, between) ? { sum: new Map(), loops: [], cursor } : null;
  const counted = sumOfCounters(facts, index, between);
  if (counted === null || counted.loops.length < between.length) return null;
  const { sum, loops } = counted;
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
export function moves(
  sum: Sum,
  name: string,
): { readonly factors: readonly string[]; readonly times: number } {
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
