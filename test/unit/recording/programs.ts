/** Random programs over every primitive of the table, recorded in both kinds of memory. */
import fc from "fast-check";
import { primitives } from "../../../engine/ops/table.js";
import { recording, type Recording } from "../../../engine/recording/create.js";
import { OwnRecording } from "../../../engine/recording/generated.js";
import { flatten } from "../../../engine/sweep/flat.js";
import { activeNodes, sweepOrder } from "../../../engine/sweep/order.js";
import { reverseSweep } from "../../../engine/sweep/reverse.js";

export interface Step {
  readonly op: string;
  /** operands, modulo the handles made so far */
  readonly operands: readonly number[];
}

export interface Program {
  readonly inputs: readonly number[];
  readonly constants: readonly number[];
  readonly steps: readonly Step[];
  readonly outputs: readonly number[];
}

const special = fc.constantFrom(0, -0, 1, -1, 0.5, 2, Infinity, -Infinity, NaN, 5e-324, 1e308, -700);
const value = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: -3, max: 3, noNaN: true }) },
  { weight: 1, arbitrary: special },
);

export const programs: fc.Arbitrary<Program> = fc.record({
  inputs: fc.array(value, { minLength: 1, maxLength: 4 }),
  constants: fc.array(value, { maxLength: 3 }),
  steps: fc.array(
    fc.record({
      op: fc.constantFrom(...primitives.map(({ name }) => name)),
      operands: fc.array(fc.nat(90), { minLength: 3, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 40 },
  ),
  outputs: fc.array(fc.nat(90), { minLength: 1, maxLength: 3 }),
});

/** Records a program; answers its outputs. Only the last nodes are likely outputs, so that some nodes lead nowhere. */
export function record(t: Recording, program: Program): number[] {
  const handles = program.inputs.map((x) => t.input(x));
  for (const x of program.constants) handles.push(t.constant(x));
  for (const { op, operands } of program.steps) {
    const { arity } = primitives.find((row) => row.name === op)!;
    handles.push(t.apply(op, ...operands.slice(0, arity).map((i) => handles[i % handles.length])));
  }
  return program.outputs.map((i) => handles[i % handles.length]);
}

/** One recording in the fast memory, one in memory of its own; both are used again and again. */
export const fast = recording();
export const own = new OwnRecording(1 << 20, 1 << 11);

/** The same tape through the ordinary engine, in tape order. */
export function ordinary(
  t: Recording,
  outputs: readonly number[],
): { cotangent: Float64Array; contributions: (v: number) => number[] } {
  const flat = flatten(t.tape);
  const nodes = [...new Set(outputs.filter((x) => x >= 0))];
  const active = activeNodes(flat, nodes);
  const { cotangent, contribution } = reverseSweep(flat, {
    order: sweepOrder(flat, active, nodes, "tape", String),
    seeds: nodes.map((node) => ({ node, cotangent: outputs.filter((x) => x === node).length })),
    accumulation: { kind: "sum" },
    round: null,
    customRules: new Map(),
    assigns: null,
  });
  return {
    cotangent: cotangent.map((x, v) => (active[v] === 1 ? x : 0)),
    contributions(v) {
      const out = t.operands(v).map(() => 0);
      for (let e = flat.edgeStart[v]; e < flat.edgeStart[v + 1]; e++)
        if (active[v] === 1) out[flat.edgeSlot[e]] = contribution[e];
      return out;
    },
  };
}
