/** Faulty sweeps, one fault each: what an engine with that fault gives where values are shared, and where none is. */
import {
  activeOrder,
  repeatedOrder,
  rightOrders,
  tapeOrder,
  unordered,
  visitedByValue,
  waiting,
} from "./orders.js";
import { hasRepeat, inScope, isRepeat, over, postOrder, type Simulator } from "./sim-sweep.js";
import type { SimTape } from "./sim-tape.js";
import { aliasing, pushedTotals, withoutOrder } from "./sim-walks.js";

export type { Scope, Simulator } from "./sim-sweep.js";

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

const overwritingOperand = (which: number): Simulator[] =>
  over(rightOrders, () => ({
    fault: "overwrite",
    detail: which === 0 ? "at the first operand only" : "at the second operand only",
    scoped: true,
    hooks: (scope) => ({
      sum: (old, c, _arrived, _to, from, tape, slot) =>
        slot === which && inScope(scope, tape, from) ? c : old + c,
    }),
  }));

export const firstStays: readonly Simulator[] = over([...rightOrders, ...unordered], () => ({
  fault: "dropped second branch",
  detail: "only the first contribution into a node counts",
  scoped: false,
  hooks: () => ({ sum: (old, c, arrived) => (arrived ? old : c) }),
}));

/** Said of a list of visits without a visited set. */
export const ONCE_A_PATH = "a node stands in the list of visits once a path";
export const REPEATED_ONCE = "a repeated operand is paid once";

const repeats: Simulator[] = [
  ...over([activeOrder], () => ({
    fault: "dropped second branch",
    detail: REPEATED_ONCE,
    scoped: true,
    hooks: (scope) => ({
      times: (tape, v, slot) => (inScope(scope, tape, v) && isRepeat(tape, v, slot) ? 0 : 1),
    }),
  })),
  ...over([activeOrder], () => ({
    fault: "dropped second branch",
    detail: REPEATED_ONCE,
    scoped: true,
    hooks: (scope) => ({
      times: (tape, v, slot) =>
        inScope(scope, tape, v) && tape.operands[v].lastIndexOf(tape.operands[v][slot]) > slot ? 0 : 1,
    }),
  })),
  ...over([activeOrder], () => ({
    fault: "double counting",
    detail: "each place of a repeated operand is paid twice",
    scoped: true,
    hooks: (scope) => ({
      times: (tape, v, slot) => (inScope(scope, tape, v) && hasRepeat(tape, v, slot) ? 2 : 1),
    }),
  })),
  ...over([repeatedOrder], () => ({
    fault: "double counting",
    detail: ONCE_A_PATH,
    scoped: false,
    hooks: () => ({}),
  })),
];

const neverDone = over([waiting], () => ({
  fault: "dropped second branch",
  detail: "a node waits for uses that the output does not depend on, and passes nothing on",
  scoped: false,
  hooks: () => ({}),
}));

const leftOut = over(visitedByValue, () => ({
  fault: "dropped second branch",
  detail: "of two nodes that have the same value the second is never visited",
  scoped: false,
  hooks: () => ({}),
}));

/** Faults that show where values are shared, the likelier first. */
export const sharingSimulators: readonly Simulator[] = [
  ...overwriting("all"),
  ...overwriting("interior"),
  ...overwriting("input"),
  ...overwritingOperand(0),
  ...overwritingOperand(1),
  ...repeats,
  ...withoutOrder,
  ...pushedTotals,
  ...firstStays,
  ...neverDone,
  ...leftOut,
  ...aliasing,
  ...postOrder,
];

const lastOf = (tape: SimTape, v: number, sameOp: boolean): number => {
  for (let w = tape.n - 1; w > v; w--)
    if (tape.operands[w].length > 0 && (!sameOp || tape.ops[w] === tape.ops[v])) return w;
  return v;
};

/** What is kept once: values; operands too; or the output's place as well, whose cotangent is then passed on. */
const slots = (sameOp: boolean, kept: "values" | "operands" | "all"): Simulator[] =>
  over([tapeOrder], () => ({
    fault: "one slot per loop",
    detail: sameOp ? "one slot for all calls of an operation" : "one slot for all operations",
    scoped: sameOp,
    hooks: (scope) => ({
      locals: (tape, v) =>
        inScope(scope, tape, v) ? tape.localsAt(v, lastOf(tape, v, sameOp)) : tape.locals[v],
      ...(kept === "all"
        ? {
            source: (tape: SimTape, v: number) => (inScope(scope, tape, v) ? lastOf(tape, v, sameOp) : v),
          }
        : {}),
      ...(kept !== "values"
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

/** At all operands, or at one of them alone. */
const withoutCotangent: Simulator[] = [null, 0, 1, 2].flatMap((which) =>
  over([activeOrder], () => ({
    fault: "wrong local derivative",
    detail: `the local derivative is stored without the cotangent of the node above${
      which === null ? "" : `, at the ${["first", "second", "third"][which]} operand`
    }`,
    scoped: true,
    hooks: (scope) => ({
      pay: (g, local, tape, from, slot) =>
        inScope(scope, tape, from) && (which === null || slot === which) ? local : g * local,
    }),
  })),
);

/** Faults that show where nothing is shared, in graphs of more than one operation. */
export const treeSimulators: readonly Simulator[] = [
  ...postOrder,
  ...withoutCotangent,
  ...slots(true, "values"),
  ...slots(false, "values"),
  ...slots(true, "operands"),
  ...slots(false, "operands"),
  ...slots(true, "all"),
  ...slots(false, "all"),
  ...stored("by operation"),
  ...stored("list"),
  ...stored("single"),
  ...leftOut,
];
