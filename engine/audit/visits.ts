/** How the work of a sweep grows: with sharing (it must not grow exponentially), and with depth (the stack). */
import { placeOf, type SitePlace } from "../tape/sites.js";
import type { Foreign } from "./engine.js";
import type { AuditGraph, AuditStep } from "./graph.js";
import { isTame, isTameGraph, stepNode, type AuditNode } from "./graph.js";
import { Listener } from "./listen.js";
import { byClock } from "./visits-by-clock.js";

export interface Growth {
  /** diamonds in a chain, and visits counted: writes, reads of a tape's parents, or milliseconds */
  readonly diamonds: readonly number[];
  readonly visits: readonly number[];
  readonly unit: "writes" | "reads" | "calls" | "ms";
  readonly place: SitePlace | null;
}

const LENGTHS = [4, 8, 12] as const;
/** Visits at which a sweep over a chain of twelve diamonds is ended. */
const MOST_VISITS = 200_000;
/** A polynomial of degree four grows less than this from 8 to 12 diamonds, 2^n by 16. */
const RATIO = 6;

/** A chain of diamonds: each node is the next one's operand along two ways. */
function diamonds(foreign: Foreign, length: number, shape: readonly number[]): AuditGraph | null {
  const data = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => 1 / 64);
  const binary = foreign.operations.flatMap((op, i) =>
    op.arity === 2 && op.kind === "elementwise" && op.value !== null ? [i] : [],
  );
  // the value must stay moderate: a sum halved, a product of small numbers, a difference
  const order = ["add", "sub", "mul"];
  const rank = (i: number): number =>
    (order.indexOf(foreign.operations[i].name) + order.length + 1) % (order.length + 1);
  binary.sort((a, b) => rank(a) - rank(b));
  for (const op of binary) {
    const graph = chain(foreign, op, length, { shape, data });
    if (graph !== null) return graph;
  }
  return null;
}

function chain(
  foreign: Foreign,
  op: number,
  length: number,
  input: { shape: readonly number[]; data: readonly number[] },
): AuditGraph | null {
  const steps: AuditStep[] = [];
  let last = 0;
  // a_(i+1) = op(op(a_i, x), a_i): two ways, no repeated operand
  for (let i = 0; i < length; i++) {
    steps.push({ op, operands: [last, 1] });
    steps.push({ op, operands: [1 + steps.length, last] });
    last = 1 + steps.length;
  }
  const graph = {
    inputs: [input, { ...input, data: input.data.map(() => 1 / 256) }],
    steps,
    output: last,
    seed: 1,
  };
  return isTameGraph(graph, foreign.operations) ? graph : null;
}

/** Growth of the visits, where it is exponential; else null. */
export function exponentialVisits(foreign: Foreign, shape: readonly number[]): Growth | null {
  const listeners: Listener[] = [];
  for (const length of LENGTHS) {
    const graph = diamonds(foreign, length, shape);
    if (graph === null) return null;
    const listener = new Listener(MOST_VISITS);
    const { trouble } = foreign.run(graph, { listener });
    if (trouble !== null && trouble.kind !== "visits") return null;
    listeners.push(listener);
    // a sweep that was ended has been counted enough
    if (trouble !== null) break;
  }
  const counted = countedVisits(listeners);
  const [last] = listeners.slice(-1);
  if (last.count + last.reads + last.calls > 0) return counted;
  // nothing could be counted
  return byClock((length) => {
    const graph = diamonds(foreign, length, shape);
    return graph === null ? null : () => foreign.run(graph).trouble === null;
  });
}

/** What grows: writes, which name a line, before reads of the tape, and before calls of functions. */
function countedVisits(listeners: readonly Listener[]): Growth | null {
  const kinds: readonly (readonly [Growth["unit"], (one: Listener) => number])[] = [
    ["writes", ({ count }) => count],
    ["reads", ({ reads }) => reads],
    ["calls", ({ calls }) => calls],
  ];
  for (const [unit, of] of kinds) {
    const visits = listeners.map(of);
    const [before, most] = visits.slice(-2);
    if (visits.length < 2 || most === 0 || most < before * RATIO) continue;
    const last = listeners[listeners.length - 1];
    const sites = unit === "calls" ? last.perFunction : last.perSite;
    const [site] = [...sites].reduce((a, b) => (b[1] > a[1] ? b : a), [-1, 0]);
    return { diamonds: LENGTHS.slice(0, visits.length), visits, unit, place: placeOf(site) };
  }
  return null;
}

/** A chain of one operation, deep, or null where its values run away. */
export function deepChain(foreign: Foreign, depth: number, shape: readonly number[]): AuditGraph | null {
  const data = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => 0.5);
  for (let op = 0; op < foreign.operations.length; op++) {
    const row = foreign.operations[op];
    if (row.kind !== "elementwise" || row.value === null) continue;
    const other = row.arity - 1;
    for (const second of [0.001, 1]) {
      const inputs = [
        { shape, data },
        ...Array.from({ length: other }, () => ({ shape, data: data.map(() => second) })),
      ];
      const nodes: AuditNode[] = inputs.map((input) => ({ shape, value: Float64Array.from(input.data) }));
      const constants = nodes.slice(1);
      let at = nodes[0];
      let steps = 0;
      for (; steps < depth; steps++) {
        if (!isTame(row, [at, ...constants])) break;
        at = stepNode(row, [at, ...constants]);
      }
      if (steps < depth) continue;
      const rest = constants.map((_, k) => 1 + k);
      const first = inputs.length;
      return {
        inputs,
        steps: Array.from({ length: depth }, (_, i) => ({
          op,
          operands: [i === 0 ? 0 : first + i - 1, ...rest],
        })),
        output: first + depth - 1,
        seed: 1,
      };
    }
  }
  return null;
}
