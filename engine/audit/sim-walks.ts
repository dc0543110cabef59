/** Faulty sweeps that are no list of visits: walks that pay as they go, and buffers that are handed on. */
import { rightOrders, unordered, type Order } from "./orders.js";
import { inScope, over, type Scope, type Simulator } from "./sim-sweep.js";
import type { SimTape } from "./sim-tape.js";

/** Depth first with a visited set, going down after each single contribution. */
function interleaved(tape: SimTape, backwards: boolean): Float64Array {
  const g = new Float64Array(tape.n);
  const seen = new Set<number>();
  g[tape.output] = tape.seed;
  const visit = (v: number): void => {
    seen.add(v);
    const slots = tape.operands[v].map((_, k) => k);
    for (const k of backwards ? slots.reverse() : slots) {
      const p = tape.operands[v][k];
      g[p] += g[v] * tape.locals[v][k];
      // backsweep-disable-next-line not-reverse-topological -- the fault that is simulated here
      if (!seen.has(p)) visit(p);
    }
  };
  visit(tape.output);
  return g;
}

export const withoutOrder: Simulator[] = [
  ...over(unordered, () => ({
    fault: "recursion without order",
    detail: "",
    scoped: false,
    hooks: () => ({}),
  })),
  ...[false, true].map((backwards): Simulator => ({
    fault: "recursion without order",
    detail: "",
    scoped: false,
    predict: (tape) => interleaved(tape, backwards),
  })),
];

/** Visits of one simulated sweep; an exponential one is not worth more. */
const MOST_VISITS = 20_000;

/** The total is passed on at each arrival: recursively (one edge at a time, or all edges first), or by a list. */
function totals(tape: SimTape, way: "each" | "all" | "queue" | "stack", backwards: boolean): Float64Array {
  const g = new Float64Array(tape.n);
  let visits = 0;
  g[tape.output] = tape.seed;
  const slotsOf = (v: number): number[] => {
    const slots = tape.operands[v].map((_, k) => k);
    return backwards ? slots.reverse() : slots;
  };
  const pay = (v: number, k: number): void => {
    g[tape.operands[v][k]] += g[v] * tape.locals[v][k];
  };
  const visit = (v: number): void => {
    if (++visits > MOST_VISITS) return;
    for (const k of slotsOf(v)) {
      pay(v, k);
      if (way === "each") visit(tape.operands[v][k]);
    }
    if (way === "all") for (const k of slotsOf(v)) visit(tape.operands[v][k]);
  };
  if (way === "each" || way === "all") {
    visit(tape.output);
    return g;
  }
  const open = [tape.output];
  while (open.length > 0 && ++visits <= MOST_VISITS) {
    const v = way === "stack" ? open.pop()! : open.shift()!;
    for (const k of slotsOf(v)) {
      pay(v, k);
      open.push(tape.operands[v][k]);
    }
  }
  return g;
}

export const pushedTotals: Simulator[] = (["each", "all", "queue", "stack"] as const).flatMap((way) =>
  // all operands paid and then visited, last one first, is a list without a visited set
  (way === "all" ? [false] : [false, true]).map((backwards): Simulator => ({
    fault: "total pushed on each arrival",
    detail: "",
    scoped: false,
    predict: (tape) => totals(tape, way, backwards),
  })),
);

type Sharing = "consumer" | "consumer, always" | "siblings" | "first slot" | "first slot, always";

/** Buffers handed on instead of copied, wherever a local derivative is 1. */
function aliased(tape: SimTape, order: Order, sharing: Sharing, scope: Scope): Float64Array {
  const boxes = new Map<number, { g: number }>();
  const boxOf = (v: number): { g: number } => {
    let box = boxes.get(v);
    if (box === undefined) boxes.set(v, (box = { g: 0 }));
    return box;
  };
  boxOf(tape.output).g = tape.seed;
  for (const v of order(tape)) {
    const fresh = { g: boxOf(v).g };
    tape.operands[v].forEach((p, k) => {
      const local = tape.locals[v][k];
      const shares = local === 1 && inScope(scope, tape, v) && (!sharing.startsWith("first slot") || k === 0);
      const handed = sharing === "siblings" ? fresh : boxOf(v);
      if (shares && (sharing.endsWith("always") || !boxes.has(p))) boxes.set(p, handed);
      else boxOf(p).g += boxOf(v).g * local;
    });
  }
  return Float64Array.from({ length: tape.n }, (_, v) => boxes.get(v)?.g ?? 0);
}

/** A result that takes the place of an operand's gradient when it is made: what stands there is replaced by what is passed on. */
function inPlace(tape: SimTape, order: Order, which: number, scope: Scope): Float64Array {
  const boxes: { g: number }[] = [];
  const shares = (v: number): boolean => inScope(scope, tape, v) && tape.operands[v].length > which;
  for (let v = 0; v < tape.n; v++) boxes.push(shares(v) ? boxes[tape.operands[v][which]] : { g: 0 });
  boxes[tape.output].g = tape.seed;
  for (const v of order(tape)) {
    const { g } = boxes[v];
    if (shares(v)) boxes[v].g = g * tape.locals[v][which];
    tape.operands[v].forEach((p, k) => {
      if (k !== which || !shares(v)) boxes[p].g += g * tape.locals[v][k];
    });
  }
  return Float64Array.from(boxes, ({ g }) => g);
}

export const aliasing: Simulator[] = [
  ...(["consumer", "siblings", "consumer, always", "first slot", "first slot, always"] as const).flatMap(
    (sharing) =>
      rightOrders.map((order): Simulator => ({
        fault: "aliasing",
        detail: "",
        scoped: true,
        predict: (tape, scope) => aliased(tape, order, sharing, scope),
      })),
  ),
  ...[0, 1].flatMap((which) =>
    rightOrders.map((order): Simulator => ({
      fault: "aliasing",
      detail: `the result is made with the gradient of its ${which === 0 ? "first" : "second"} operand`,
      scoped: true,
      predict: (tape, scope) => inPlace(tape, order, which, scope),
    })),
  ),
];
