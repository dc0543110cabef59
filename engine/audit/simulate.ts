/** Faulty sweeps, one fault each: what an engine with that fault would give for the inputs of a graph. */
import type { FaultClass } from "./fault-class.js";
import {
  activeOrder,
  forwards,
  repeatedOrders,
  rightOrders,
  tapeOrder,
  unordered,
  type Order,
} from "./orders.js";
import type { SimTape } from "./sim-tape.js";

/** Operations that have the fault; null: all. */
export type Scope = ReadonlySet<number> | null;

export interface Simulator {
  readonly fault: FaultClass;
  /** what exactly, beside the class's own sentence; "" where that says all */
  readonly detail: string;
  /** the fault may sit in single operations */
  readonly scoped: boolean;
  predict(tape: SimTape, scope: Scope): Float64Array;
}

interface Hooks {
  readonly order: Order;
  /** the new sum, from the old, the contribution, whether something had arrived, and where it goes */
  readonly sum?: (
    old: number,
    c: number,
    arrived: boolean,
    to: number,
    from: number,
    tape: SimTape,
  ) => number;
  readonly pay?: (g: number, local: number, tape: SimTape, from: number) => number;
  readonly times?: (tape: SimTape, from: number, slot: number) => number;
  readonly locals?: (tape: SimTape, from: number) => readonly number[];
  readonly operands?: (tape: SimTape, from: number) => readonly number[];
}

function sweepWith(tape: SimTape, hooks: Hooks): Float64Array {
  const g = new Float64Array(tape.n);
  const arrived = new Uint8Array(tape.n);
  g[tape.output] = tape.seed;
  arrived[tape.output] = 1;
  for (const v of hooks.order(tape)) {
    const locals = hooks.locals?.(tape, v) ?? tape.locals[v];
    const operands = hooks.operands?.(tape, v) ?? tape.operands[v];
    operands.forEach((p, slot) => {
      for (let k = hooks.times?.(tape, v, slot) ?? 1; k > 0; k--) {
        const c = hooks.pay?.(g[v], locals[slot], tape, v) ?? g[v] * locals[slot];
        g[p] = hooks.sum?.(g[p], c, arrived[p] === 1, p, v, tape) ?? g[p] + c;
        arrived[p] = 1;
      }
    });
  }
  return g;
}

const inScope = (scope: Scope, tape: SimTape, v: number): boolean => scope === null || scope.has(tape.ops[v]);
const isRepeat = (tape: SimTape, v: number, slot: number): boolean =>
  tape.operands[v].indexOf(tape.operands[v][slot]) < slot;
const hasRepeat = (tape: SimTape, v: number, slot: number): boolean =>
  tape.operands[v].filter((p) => p === tape.operands[v][slot]).length > 1;

type Make = (order: Order) => Omit<Simulator, "predict"> & { hooks(scope: Scope): Omit<Hooks, "order"> };

function over(orders: readonly Order[], make: Make): Simulator[] {
  return orders.map((order) => {
    const { hooks, ...words } = make(order);
    return { ...words, predict: (tape, scope) => sweepWith(tape, { order, ...hooks(scope) }) };
  });
}

type Which = "all" | "interior" | "input";
const hits = (which: Which, tape: SimTape, to: number): boolean =>
  which === "all" || (which === "input") === to < tape.inputs;

const overwriting = (which: Which): Simulator[] =>
  over(rightOrders, () => ({
    fault: "overwrite",
    detail: which === "all" ? "" : which === "input" ? "at inputs only" : "at intermediate nodes only",
    scoped: which === "all",
    hooks: (scope) => ({
      sum: (old, c, _arrived, to, from, tape) =>
        hits(which, tape, to) && inScope(scope, tape, from) ? c : old + c,
    }),
  }));

const firstStays = over([...rightOrders, ...unordered], () => ({
  fault: "dropped second branch",
  detail: "only the first contribution into a node counts",
  scoped: false,
  hooks: () => ({ sum: (old, c, arrived) => (arrived ? old : c) }),
}));

const repeats: Simulator[] = [
  ...over([activeOrder], () => ({
    fault: "dropped second branch",
    detail: "a repeated operand is paid once",
    scoped: true,
    hooks: (scope) => ({
      times: (tape, v, slot) => (inScope(scope, tape, v) && isRepeat(tape, v, slot) ? 0 : 1),
    }),
  })),
  ...over([activeOrder], () => ({
    fault: "dropped second branch",
    detail: "a repeated operand is paid once",
    scoped: true,
    hooks: (scope) => ({
      times: (tape, v, slot) =>
        inScope(scope, tape, v) && tape.operands[v].lastIndexOf(tape.operands[v][slot]) > slot ? 0 : 1,
    }),
  })),
  ...over([activeOrder], () => ({
    fault: "double counting",
    detail: "a repeated operand is paid twice a slot",
    scoped: true,
    hooks: (scope) => ({
      times: (tape, v, slot) => (inScope(scope, tape, v) && hasRepeat(tape, v, slot) ? 2 : 1),
    }),
  })),
  ...over(repeatedOrders, () => ({
    fault: "double counting",
    detail: "a node stands in the list of visits once a path",
    scoped: false,
    hooks: () => ({}),
  })),
];

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
      if (!seen.has(p)) visit(p);
    }
  };
  visit(tape.output);
  return g;
}

const withoutOrder: Simulator[] = [
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

const pushedTotals: Simulator[] = (["each", "all", "queue", "stack"] as const).flatMap((way) =>
  [false, true].map((backwards): Simulator => ({
    fault: "total pushed on each arrival",
    detail: "",
    scoped: false,
    predict: (tape) => totals(tape, way, backwards),
  })),
);

type Sharing = "consumer" | "consumer, always" | "siblings" | "first slot";

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
      const shares = local === 1 && inScope(scope, tape, v) && (sharing !== "first slot" || k === 0);
      const handed = sharing === "siblings" ? fresh : boxOf(v);
      if (shares && (sharing === "consumer, always" || !boxes.has(p))) boxes.set(p, handed);
      else boxOf(p).g += boxOf(v).g * local;
    });
  }
  return Float64Array.from({ length: tape.n }, (_, v) => boxes.get(v)?.g ?? 0);
}

const aliasing: Simulator[] = (["consumer", "siblings", "consumer, always", "first slot"] as const).flatMap(
  (sharing) =>
    rightOrders.map((order): Simulator => ({
      fault: "aliasing",
      detail: "",
      scoped: true,
      predict: (tape, scope) => aliased(tape, order, sharing, scope),
    })),
);

const postOrder = over(forwards, () => ({
  fault: "post-order",
  detail: "",
  scoped: false,
  hooks: () => ({}),
}));

/** Faults that show where values are shared, the likelier first. */
export const sharingSimulators: readonly Simulator[] = [
  ...overwriting("all"),
  ...overwriting("interior"),
  ...overwriting("input"),
  ...repeats,
  ...withoutOrder,
  ...pushedTotals,
  ...firstStays,
  ...aliasing,
  ...postOrder,
];

const lastOf = (tape: SimTape, v: number, sameOp: boolean): number => {
  for (let w = tape.n - 1; w > v; w--)
    if (tape.operands[w].length > 0 && (!sameOp || tape.ops[w] === tape.ops[v])) return w;
  return v;
};

const slots = (sameOp: boolean, operandsToo: boolean): Simulator[] =>
  over([tapeOrder], () => ({
    fault: "one slot per loop",
    detail: sameOp ? "one slot for all calls of an operation" : "one slot for all operations",
    scoped: sameOp,
    hooks: (scope) => ({
      locals: (tape, v) =>
        inScope(scope, tape, v) ? tape.localsAt(v, lastOf(tape, v, sameOp)) : tape.locals[v],
      ...(operandsToo
        ? {
            operands: (tape: SimTape, v: number) =>
              inScope(scope, tape, v) ? tape.operands[lastOf(tape, v, sameOp)] : tape.operands[v],
          }
        : {}),
    }),
  }));

/** The slot holds the derivatives themselves: one list, one an operation, or one place for all operands. */
const stored = (which: "list" | "by operation" | "single"): Simulator[] =>
  over([tapeOrder], () => ({
    fault: "one slot per loop",
    detail:
      which === "by operation" ? "one slot for all calls of an operation" : "one slot for all operations",
    scoped: false,
    hooks: () => ({
      locals: (tape, v) =>
        tape.locals[v].map((own, k) => {
          for (let w = tape.n - 1; w > v; w--) {
            const there = tape.locals[w];
            if (
              which === "single"
                ? there.length > 0
                : there.length > k && (which === "list" || tape.ops[w] === tape.ops[v])
            )
              return which === "single" ? there[there.length - 1] : there[k];
          }
          return which === "single" ? tape.locals[v][tape.locals[v].length - 1] : own;
        }),
    }),
  }));

/** Faults that show where nothing is shared, in graphs of more than one operation. */
export const treeSimulators: readonly Simulator[] = [
  ...postOrder,
  ...over([activeOrder], () => ({
    fault: "wrong local derivative",
    detail: "the local derivative is stored without the cotangent of the node above",
    scoped: true,
    hooks: (scope) => ({
      pay: (g, local, tape, from) => (inScope(scope, tape, from) ? local : g * local),
    }),
  })),
  ...slots(true, false),
  ...slots(false, false),
  ...slots(true, true),
  ...slots(false, true),
  ...stored("by operation"),
  ...stored("list"),
  ...stored("single"),
];
