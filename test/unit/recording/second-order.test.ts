/** The generated forward-over-reverse sweep against the sweep over the flat tape, and against what it must keep apart. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { primitives } from "../../../engine/ops/table.js";
import type { Recording } from "../../../engine/recording/create.js";
import { flatten } from "../../../engine/sweep/flat.js";
import { HessianProducts } from "../../../engine/sweep/hvp.js";
import { activeNodes, sweepOrder } from "../../../engine/sweep/order.js";
import { fast, own, programs, record, type Program } from "./programs.js";

const kinds: [string, Recording][] = [
  ["fast", fast],
  ["own", own],
];

interface Answer {
  readonly jvp: number;
  readonly gradient: readonly number[];
  readonly product: readonly number[];
}

/** The same question to the sweep over the flat tape. */
function ordinary(t: Recording, outputs: readonly number[], direction: readonly number[]): Answer {
  const flat = flatten(t.tape);
  const nodes = [...new Set(outputs.filter((x) => x >= 0))];
  const active = activeNodes(flat, nodes);
  const seeds = nodes.map((node) => ({ node, cotangent: outputs.filter((x) => x === node).length }));
  const order = sweepOrder(flat, active, nodes, "tape", String);
  const products = new HessianProducts(flat, { active, order, seeds, round: null, customRules: new Map() });
  const { tangent, product } = products.along(direction.map((x, i) => [i, x] as const));
  return {
    jvp: seeds.reduce((sum, { node, cotangent }) => sum + cotangent * tangent[node], 0),
    gradient: direction.map((_, i) => (active[i] === 1 ? products.cotangent[i] : 0)),
    product: direction.map((_, i) => product[i]),
  };
}

const direction = fc.array(fc.oneof(fc.constantFrom(0, -0, 1), fc.double({ min: -2, max: 2, noNaN: true })), {
  minLength: 4,
  maxLength: 4,
});

const within = (x: number, other: number): number =>
  x === 0 || (Math.abs(x) > 1e-3 && Math.abs(x) < 4) ? x : other;

/** Programs whose values stay where a rounding error stays one. */
const tame: fc.Arbitrary<Program> = programs.map((program) => ({
  ...program,
  inputs: program.inputs.map((x) => within(x, 0.75)),
  constants: program.constants.map((x) => within(x, 1.25)),
  steps: program.steps.slice(0, 8),
}));

describe("the generated forward-over-reverse sweep", () => {
  for (const [kind, t] of kinds) {
    it(`gives what the sweep over the flat tape gives (${kind})`, () => {
      let compared = 0;
      fc.assert(
        fc.property(tame, direction, (program, tangents) => {
          t.reset();
          const outputs = record(t, program);
          const along = tangents.slice(0, program.inputs.length);
          const found = t.hvp(outputs, along);
          const expected = ordinary(t, outputs, along);
          const pairs: [number, number][] = [[found.jvp, expected.jvp]];
          expected.gradient.forEach((x, i) => pairs.push([found.gradient[i], x]));
          expected.product.forEach((x, i) => pairs.push([found.product[i], x]));
          for (const [a, b] of pairs) {
            if (!Number.isFinite(b)) continue;
            compared++;
            expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(b)));
          }
        }),
        { numRuns: 400 },
      );
      expect(compared).toBeGreaterThan(1000);
    });
  }

  for (const row of primitives) {
    it(`differentiates ${row.name} twice as its row says, special points too`, () => {
      const point = fc.oneof(
        { weight: 3, arbitrary: fc.double({ min: -3, max: 3, noNaN: true }) },
        { weight: 1, arbitrary: fc.constantFrom(0, -0, 1, -1, 1e308, 5e-324, Infinity, -Infinity, NaN) },
      );
      const seeds = fc.double({ min: -3, max: 3, noNaN: true }).filter((x) => x !== 0);
      fc.assert(
        fc.property(
          fc.tuple(point, point, point),
          direction,
          fc.nat(6),
          seeds,
          (given, tangents, fixed, g) => {
            const t = own;
            t.reset();
            const values = given.slice(0, row.arity);
            // some of the operands are constants, the first is a node
            const handles = values.map((x, i) => (i > 0 && fixed & (1 << i) ? t.constant(x) : t.input(x)));
            const node = t.apply(row.name, ...handles);
            const slots = handles.map((_, i) => i).filter((i) => handles[i] >= 0);
            const { product } = t.hvp(
              node,
              slots.map((i) => tangents[i]),
              g,
            );
            const [a, b = 0, c = 0] = values;
            const y = row.value(a, b, c);
            const expected = values.map(() => 0);
            let k = 0;
            for (let s = 0; s < row.arity; s++) {
              for (let r = s; r < row.arity; r++) {
                const rule = row.second[k++];
                if (rule === null || handles[s] < 0 || handles[r] < 0) continue;
                const curvature = rule(a, b, c, y);
                const weight = curvature === 0 ? 0 : g * curvature;
                if (tangents[r] !== 0) expected[s] += weight * tangents[r];
                if (r !== s && tangents[s] !== 0) expected[r] += weight * tangents[s];
              }
            }
            expect([...product]).toEqual(slots.map((i) => expected[i]));
          },
        ),
        { numRuns: 60 },
      );
    });
  }

  for (const [kind, t] of kinds) {
    it(`has no tangent where no direction leads, whatever the slope is there (${kind})`, () => {
      t.reset();
      const [x, z] = [t.input(3), t.input(0)];
      // sqrt has an infinite slope at 0, and z does not move
      const y = t.add(t.square(x), t.sqrt(z));
      const { jvp, gradient, product } = t.hvp(y, [2, 0]);
      expect(jvp).toBe(12);
      expect([...gradient]).toEqual([6, Infinity]);
      expect([...product]).toEqual([4, 0]);
      // what leads to no output has no say either
      t.log(t.neg(z));
      expect([...t.hvp(y, [2, 0]).product]).toEqual([4, 0]);
    });

    it(`says nothing about contributions, and says so (${kind})`, () => {
      t.reset();
      const x = t.input(3);
      const y = t.mul(x, x);
      expect([...t.hvp(y, [1]).product]).toEqual([2]);
      expect(t.cotangent(x)).toBe(6);
      expect(() => t.contributions(x)).toThrow(/hvp keeps no contributions/);
      expect(() => t.handedOn(y)).toThrow(/hvp keeps no contributions/);
      t.sweep(y);
      expect(t.contributions(x).map(({ value }) => value)).toEqual([3, 3]);
      expect(() => t.hvp(y, [1, 2])).toThrow(/1 inputs, 2 tangents/);
      expect(() => t.hvp(99, [1])).toThrow(/there is no node 99/);
    });
  }

  it("answers for a constant output, and for several outputs with a cotangent each", () => {
    const t = own;
    t.reset();
    const x = t.input(2);
    const c = t.constant(5);
    expect(t.hvp(c, [1])).toEqual({ jvp: 0, gradient: new Float64Array(1), product: new Float64Array(1) });
    const cube = t.mul(t.square(x), x);
    const { jvp, product } = t.hvp([cube, t.square(x), c], [1], [10, 1, 7]);
    expect(jvp).toBe(124);
    expect([...product]).toEqual([122]);
  });
});
