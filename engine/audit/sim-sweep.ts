/** A faulty sweep as a simulation: one loop in some order, with hooks where a fault may sit. */
import type { FaultClass } from "./fault-class.js";
import { forwards, type Order } from "./orders.js";
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
    slot: number,
  ) => number;
  readonly pay?: (g: number, local: number, tape: SimTape, from: number, slot: number) => number;
  readonly times?: (tape: SimTape, from: number, slot: number) => number;
  readonly locals?: (tape: SimTape, from: number) => readonly number[];
  readonly operands?: (tape: SimTape, from: number) => readonly number[];
  /** the node whose cotangent is passed on */
  readonly source?: (tape: SimTape, from: number) => number;
}

function sweepWith(tape: SimTape, hooks: Hooks): Float64Array {
  const g = new Float64Array(tape.n);
  const arrived = new Uint8Array(tape.n);
  g[tape.output] = tape.seed;
  arrived[tape.output] = 1;
  for (const v of hooks.order(tape)) {
    const locals = hooks.locals?.(tape, v) ?? tape.locals[v];
    const operands = hooks.operands?.(tape, v) ?? tape.operands[v];
    const source = hooks.source?.(tape, v) ?? v;
    operands.forEach((p, slot) => {
      for (let k = hooks.times?.(tape, v, slot) ?? 1; k > 0; k--) {
        const c = hooks.pay?.(g[source], locals[slot], tape, v, slot) ?? g[source] * locals[slot];
        g[p] = hooks.sum?.(g[p], c, arrived[p] === 1, p, v, tape, slot) ?? g[p] + c;
        arrived[p] = 1;
      }
    });
  }
  return g;
}

export const inScope = (scope: Scope, tape: SimTape, v: number): boolean =>
  scope === null || scope.has(tape.ops[v]);
export const isRepeat = (tape: SimTape, v: number, slot: number): boolean =>
  tape.operands[v].indexOf(tape.operands[v][slot]) < slot;
export const hasRepeat = (tape: SimTape, v: number, slot: number): boolean =>
  tape.operands[v].filter((p) => p === tape.operands[v][slot]).length > 1;

type Make = (order: Order) => Omit<Simulator, "predict"> & { hooks(scope: Scope): Omit<Hooks, "order"> };

export function over(orders: readonly Order[], make: Make): Simulator[] {
  return orders.map((order) => {
    const { hooks, ...words } = make(order);
    return { ...words, predict: (tape, scope) => sweepWith(tape, { order, ...hooks(scope) }) };
  });
}

/** Nodes visited before their uses, which shows without sharing too. */
export const postOrder = over(forwards, () => ({
  fault: "post-order",
  detail: "",
  scoped: false,
  hooks: () => ({}),
}));
