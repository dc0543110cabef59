/** The fan-out as an audited engine had it: what b hands to a was made, and overwritten by what c hands to it. */
import { foreignTrace } from "../../../engine/audit/counterpart.js";
import type { SmallestContribution, SmallestGraph, SmallestNode } from "../../../engine/audit/result.js";
import type { SweepView } from "../../../engine/protocol.js";

const node = (
  id: number,
  name: string,
  op: string | null,
  operands: number[],
  numbers: [value: number, right: number, got: number],
): SmallestNode => ({
  id,
  name,
  op,
  operands,
  value: numbers[0],
  gotValue: null,
  right: numbers[1],
  got: numbers[2],
  arrived: null,
  leftover: null,
});

const into = (
  to: number,
  from: number,
  slot: number,
  right: number,
  foreign: number,
  state: SmallestContribution["state"] = "kept",
): SmallestContribution => ({ from, to, slot, local: right, right, foreign, paid: [foreign], state });

const smallest: SmallestGraph = {
  definition: "",
  nodes: [
    node(0, "x", null, [], [2, 144, 90]),
    node(1, "y", null, [], [3, 132, 96]),
    node(2, "a", "mul", [0, 1], [6, 42, 24]),
    node(3, "b", "add", [2, 0], [8, 18, 18]),
    node(4, "c", "mul", [2, 1], [18, 8, 8]),
    node(5, "L", "mul", [3, 4], [144, 1, 1]),
  ],
  contributions: [
    into(3, 5, 0, 18, 18),
    into(4, 5, 1, 8, 8),
    into(2, 3, 0, 18, 18, "lost"),
    into(2, 4, 0, 24, 24),
    into(0, 3, 1, 18, 18),
    into(1, 4, 1, 48, 48),
    into(0, 2, 0, 126, 72),
    into(1, 2, 1, 84, 48),
  ],
  output: 5,
  gradient: { right: { x: 144, y: 132 }, got: { x: 90, y: 96 } },
  secondSweep: false,
  lost: { node: "a", from: "b", value: 18, stayed: 24, stayedFrom: "c" },
  line: 17,
};

export function besideEngine(view: SweepView): SweepView {
  const counterpart = foreignTrace(view.trace, smallest);
  const place = { label: "own.ts:17", file: "/w/own.ts", line: 17, column: 5 };
  const text = "a contribution is assigned where a sum is due. Lost: 18 into a from b; 24 stayed (from c).";
  return { ...view, counterpart, foreign: "ownEngine", fault: { title: "overwrite", text, place } };
}

/** The same engine, whose sweep throws: it tells no cotangent, and nothing it paid was seen. */
export function besideThrowing(view: SweepView): SweepView {
  const threw = "the sweep threw TypeError: tape[i].parents is not iterable";
  const silent: SmallestGraph = {
    ...smallest,
    nodes: smallest.nodes.map((one) => ({ ...one, got: null })),
    contributions: smallest.contributions.map((one) => ({
      ...one,
      foreign: null,
      paid: [],
      state: "unknown",
    })),
    lost: null,
  };
  const report = view.report === null ? null : { ...view.report, lastWriterWins: { gradient: {} } };
  const fault = { title: "throws", text: `the engine throws; ${threw}.`, place: null };
  const counterpart = foreignTrace(view.trace, silent, threw);
  return { ...view, report, counterpart, foreign: "ownEngine", fault };
}

/** The same engine, whose value of a is another one in the end, and that of L with it. */
export function besideChanged(view: SweepView): SweepView {
  const changed: SmallestGraph = {
    ...smallest,
    nodes: smallest.nodes.map((one) => ({
      ...one,
      gotValue: one.name === "a" ? -6 : one.name === "L" ? -144 : null,
      got: one.right,
    })),
    contributions: smallest.contributions.map((one) => ({
      ...one,
      foreign: one.right,
      paid: [one.right],
      state: "kept",
    })),
    lost: null,
  };
  const fault = { title: "write after read", text: "a value is changed after it was used.", place: null };
  return { ...view, counterpart: foreignTrace(view.trace, changed), foreign: "ownEngine", fault };
}
