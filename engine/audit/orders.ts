/**
 * The orders in which sweeps visit nodes: right ones, in the styles engines use, and wrong ones. The graphs here have some
 * tens of nodes, so depth first may recurse.
 */
import type { SimTape } from "./sim-tape.js";

export type Order = (tape: SimTape) => number[];

const steps = (tape: SimTape, list: readonly number[]): number[] =>
  list.filter((v) => tape.operands[v].length > 0);

/** Recording order backwards, dead nodes too: their zero contributions overwrite. */
export const tapeOrder: Order = (tape) =>
  steps(
    tape,
    Array.from({ length: tape.n }, (_, i) => tape.n - 1 - i),
  );
/** Recording order backwards from the output, without what it does not depend on. */
export const activeOrder: Order = (tape) => tapeOrder(tape).filter((v) => tape.active[v]);

/** @param keyOf what is put into the visited set: the node, unless the fault is that it is something else */
function depthFirst(
  tape: SimTape,
  backwards: boolean,
  when: "before" | "after",
  keyOf: (v: number) => number = (v) => v,
): number[] {
  const seen = new Set<number>();
  const out: number[] = [];
  const visit = (v: number): void => {
    if (seen.has(keyOf(v))) return;
    seen.add(keyOf(v));
    if (when === "before") out.push(v);
    const list = backwards ? [...tape.operands[v]].reverse() : tape.operands[v];
    for (const p of list) visit(p);
    if (when === "after") out.push(v);
  };
  visit(tape.output);
  return steps(tape, out);
}

const topological =
  (backwards: boolean): Order =>
  (tape) =>
    depthFirst(tape, backwards, "after").reverse();

/** Nodes when their last use has paid; first in first out, or last in first out. */
function pendingOf(tape: SimTape, stack: boolean, deadToo: boolean): number[] {
  const uses = new Int32Array(tape.n);
  for (let v = 0; v < tape.n; v++) if (deadToo || tape.active[v]) for (const p of tape.operands[v]) uses[p]++;
  const open = [tape.output];
  const out: number[] = [];
  while (open.length > 0) {
    const v = stack ? open.pop()! : open.shift()!;
    out.push(v);
    for (const p of tape.operands[v]) if (--uses[p] === 0) open.push(p);
  }
  return steps(tape, out);
}

const pending =
  (stack: boolean): Order =>
  (tape) =>
    pendingOf(tape, stack, false);

/** The longest way to an input decides, first met first. */
const byDepth: Order = (tape) => {
  const depth = new Int32Array(tape.n);
  for (let v = 0; v < tape.n; v++)
    for (const p of tape.operands[v]) depth[v] = Math.max(depth[v], depth[p] + 1);
  return depthFirst(tape, false, "before").sort((v, w) => depth[w] - depth[v]);
};

/** Right orders. They differ in which contribution comes last, which a sweep that overwrites shows. */
export const rightOrders: readonly Order[] = [
  tapeOrder,
  activeOrder,
  topological(false),
  topological(true),
  pending(false),
  pending(true),
  byDepth,
];

/** From a list of open nodes, each node once: whether it counts as seen when it is put in or when it is taken out. */
const search =
  (stack: boolean, seenWhenPut: boolean, backwards: boolean): Order =>
  (tape) => {
    const seen = new Set<number>(seenWhenPut ? [tape.output] : []);
    const open = [tape.output];
    const out: number[] = [];
    while (open.length > 0) {
      const v = stack ? open.pop()! : open.shift()!;
      if (!seenWhenPut) {
        if (seen.has(v)) continue;
        seen.add(v);
      }
      out.push(v);
      const list = backwards ? [...tape.operands[v]].reverse() : tape.operands[v];
      for (const p of list) {
        if (seenWhenPut) {
          if (seen.has(p)) continue;
          seen.add(p);
        }
        open.push(p);
      }
    }
    return steps(tape, out);
  };

const both = [false, true];

/** A visited set and no order: each node is passed on when it is first met. */
export const unordered: readonly Order[] = [
  ...both.map(
    (backwards): Order =>
      (tape) =>
        depthFirst(tape, backwards, "before"),
  ),
  ...both.flatMap((stack) => both.flatMap((put) => both.map((backwards) => search(stack, put, backwards)))),
];

/** A topological list whose visited set holds values: of two nodes that have the same value the second is left out. */
export const visitedByValue: readonly Order[] = both.map(
  (backwards): Order =>
    (tape) =>
      depthFirst(tape, backwards, "after", (v) => tape.values[v]).reverse(),
);

/** A topological list that was not turned round, and recording order forwards. */
export const forwards: readonly Order[] = [
  ...both.map(
    (backwards): Order =>
      (tape) =>
        depthFirst(tape, backwards, "after"),
  ),
  (tape) => tapeOrder(tape).reverse(),
  (tape) => activeOrder(tape).reverse(),
];

/** Nodes when their last use has paid, uses counted that the output does not depend on: these never pay. */
export const waiting: Order = (tape) => pendingOf(tape, false, true);

/**
 * A topological list without a visited set: a node stands in it once a path. Turned round, it is the order in which a
 * recursion that pays at each arrival meets nodes when it takes the last operand first; the other direction is left to that.
 */
export const repeatedOrder: Order = (tape) => {
  const out: number[] = [];
  const visit = (v: number): void => {
    if (out.length > 5_000) return;
    for (const p of tape.operands[v]) visit(p);
    if (tape.operands[v].length > 0) out.push(v);
  };
  visit(tape.output);
  return out.reverse();
};
