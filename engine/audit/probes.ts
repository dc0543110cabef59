/** Each operation by itself, on leaves used once: what is wrong here is wrong in the rule, not in the sweep. */
import type { Foreign } from "./engine.js";
import type { FaultClass } from "./fault-class.js";
import { isTameGraph, truthOf, type AuditGraph } from "./graph.js";
import { mismatch } from "./judge.js";
import { CaseStream } from "./stream.js";

export interface WrongRule {
  readonly operation: number;
  readonly fault: FaultClass;
  readonly detail: string;
  /** a graph of that operation alone which shows it */
  readonly graph: AuditGraph;
  /** only operands of unlike shapes show it */
  readonly broadcasts: boolean;
  /** its operands' derivatives are each other's */
  readonly swapped: boolean;
}

type Shape = readonly number[];

const TRIES = 40;
const PROBES = 4;

/** A graph of one operation on fresh leaves, or null where no operands suit it. */
export function single(
  foreign: Foreign,
  op: number,
  shapes: readonly Shape[],
  stream: CaseStream,
): AuditGraph | null {
  const { arity } = foreign.operations[op];
  for (let tries = 0; tries < TRIES; tries++) {
    const inputs = Array.from({ length: arity }, (_, k) => {
      const shape = shapes[k % shapes.length];
      return { shape, data: Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => stream.number()) };
    });
    const operands = inputs.map((_, k) => k);
    const graph = { inputs, steps: [{ op, operands }], output: arity, seed: 1 };
    if (isTameGraph(graph, foreign.operations)) return graph;
  }
  return null;
}

/** What one operand is given, and what it is due: in the element that is off, else in the first. */
interface Ratio {
  readonly slot: number;
  readonly got: number;
  readonly want: number;
}

export function wrongIn(foreign: Foreign, op: number, graph: AuditGraph): WrongRule | null {
  const outcome = foreign.run(graph);
  if (outcome.trouble !== null) return null;
  const truth = truthOf(graph, foreign.operations, outcome.made);
  const at = mismatch(foreign, { graph, truth }, outcome.gradient);
  if (at === null) return null;
  const row = foreign.operations[op];
  // operands in the order of the call, which need not be that of the inputs
  const { operands } = graph.steps[0];
  const ratios: Ratio[] = operands.map((input, slot) => {
    const element = input === at.node ? at.element : 0;
    return {
      slot,
      got: outcome.gradient[input]?.[element] ?? 0,
      want: truth.cotangent[input][element],
    };
  });
  const made = (fault: FaultClass, detail: string, swapped = false): WrongRule => ({
    operation: op,
    fault,
    detail,
    graph,
    broadcasts: false,
    swapped,
  });
  if (row.value === null) return made("replay with new randomness or another branch", `in ${row.name}`);
  const off = ratios.filter(({ got, want }) => !(Math.abs(got - want) <= 1e-4 * Math.abs(want) + 1e-12));
  const ordinal = (slot: number): string => ["first", "second", "third"][slot];
  const missing = off.filter(({ slot }) => outcome.gradient[operands[slot]]?.every((x) => x === 0) !== false);
  if (row.arity > 1 && missing.length === off.length && off.length > 0 && off.length < row.arity)
    return made(
      "dropped second branch",
      `${row.name} pays nothing to its ${off.map(({ slot }) => ordinal(slot)).join(" and ")} operand`,
    );
  const factors = ratios.map(({ got, want }) => got / want);
  const whole = Math.round(factors[0]);
  if (whole >= 2 && factors.every((factor) => Math.abs(factor - whole) < 1e-4))
    return made("double counting", `every contribution of ${row.name} is added ${whole} times`);
  const swapped =
    row.arity === 2 &&
    Math.abs(ratios[0].got - ratios[1].want) < 1e-9 &&
    Math.abs(ratios[1].got - ratios[0].want) < 1e-9;
  const { slot, got, want } = off[0] ?? {
    slot: operands.indexOf(at.node),
    got: outcome.gradient[at.node]?.[at.element] ?? 0,
    want: truth.cotangent[at.node][at.element],
  };
  const words = swapped
    ? `${row.name} has the derivatives of its operands swapped`
    : `${row.name}, in its ${row.arity === 1 ? "" : `${ordinal(slot)} `}operand: ${show(got)} instead of ${show(want)}${pointOf(graph)}`;
  return made("wrong local derivative", words, swapped);
}

/** Where the numbers belong; of arrays nothing is said. */
function pointOf({ inputs, steps }: AuditGraph): string {
  if (inputs.some(({ data }) => data.length !== 1)) return "";
  return `, at ${steps[0].operands.map((v) => show(inputs[v].data[0])).join(" and ")}`;
}

function show(x: number): string {
  return String(Number(x.toPrecision(6)));
}

/** Pairs of different shapes an engine takes, of which some broadcast. */
function unequal(shapes: readonly Shape[]): Shape[][] {
  return shapes.flatMap((a) => shapes.flatMap((b) => (String(a) === String(b) ? [] : [[a, b]])));
}

/** Rules that are wrong by themselves, each with a graph that shows it. */
export function wrongRules(
  foreign: Foreign,
  seed: number,
  shape: Shape,
  shapes: readonly Shape[],
): WrongRule[] {
  const out: WrongRule[] = [];
  for (let op = 0; op < foreign.operations.length; op++) {
    const row = foreign.operations[op];
    const square = row.kind === "matmul" ? [2, 2] : shape;
    const stream = new CaseStream(seed, 0x70000000 + op);
    let found: WrongRule | null = null;
    for (let probe = 0; probe < PROBES && found === null; probe++) {
      const graph = single(foreign, op, [square], stream);
      if (graph !== null) found = wrongIn(foreign, op, graph);
    }
    if (found === null && row.kind === "elementwise" && row.arity > 1) {
      for (const pair of unequal(shapes)) {
        const graph = single(foreign, op, pair, stream);
        found = graph === null ? null : wrongIn(foreign, op, graph);
        if (found === null) continue;
        const detail = `${row.name}: the contribution of a broadcast operand is not summed back to its shape`;
        found = { ...found, fault: "wrong local derivative", detail, broadcasts: true, swapped: false };
        break;
      }
    }
    if (found !== null) out.push(found);
  }
  return out;
}

/** Operations on two operands whose derivatives differ, so that it shows where they are swapped. */
export function telling(foreign: Foreign, seed: number): number[] {
  return foreign.operations.flatMap(({ kind, arity, value }, op) => {
    if (kind !== "elementwise" || arity !== 2 || value === null) return [];
    const graph = single(foreign, op, [foreign.shape], new CaseStream(seed, 0x70000000 + op));
    if (graph === null) return [];
    const [a, b] = truthOf(graph, foreign.operations).edges;
    return a.local.some((x, i) => Math.abs(x - b.local[i]) > 1e-6) ? [op] : [];
  });
}
