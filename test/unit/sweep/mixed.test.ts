import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kernels } from "../../../engine/kernels/kernels.js";
import { valueAndGradient } from "../../../engine/graph/gradient.js";
import "../../../engine/index.js";
import { numeric } from "../../../engine/ops/array/numeric.js";
import { flatten } from "../../../engine/sweep/flat.js";
import { MixedForward, mixedProducts } from "../../../engine/sweep/mixed-forward.js";
import { activeNodes, sweepOrder } from "../../../engine/sweep/order.js";
import { reverseSweep } from "../../../engine/sweep/reverse.js";
import { mergeSeeds } from "../../../engine/graph/outputs.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import { record } from "../../../engine/graph/record.js";
import { scalar, type NDArray } from "../../../engine/tape/ndarray.js";
import { arrayGraph, definitionOf, flatInputs, withInputs, type ArrayGraph } from "../random-arrays.js";

const context = { name: "g", graphs: ["g"], root: "", limitBytes: Infinity };

function recorded(g: ArrayGraph, flat: readonly number[]): ReturnType<typeof record> {
  const definition = definitionOf(g);
  const settings = resolveOptions(definition, { set: withInputs(g, flat) as never });
  return record({ definition, settings, context });
}

const valueAt = (g: ArrayGraph, flat: readonly number[]): number => recorded(g, flat).outputs[0].value;

function gradientAt(
  g: ArrayGraph,
  flat: readonly number[],
  order: "tape" | "breadth",
  mode = "sum",
): number[] {
  const { recorder, outputs, inputs } = recorded(g, flat);
  const tape = flatten(recorder.tape);
  const seeds = mergeSeeds(outputs);
  const nodes = seeds.map(({ node }) => node);
  const active = activeNodes(tape, nodes);
  const { cotangent, arrays } = reverseSweep(tape, {
    order: sweepOrder(tape, active, nodes, order, String),
    seeds,
    accumulation: { kind: mode as "sum" },
    round: null,
    customRules: recorder.customRules,
    assigns: null,
  });
  return inputs.flatMap(({ first, tensor }) =>
    tensor === true ? [...arrays!.cotangent.get(first)!.data] : [cotangent[first]],
  );
}

/** The flat direction as arrays by input node. */
function directionOf(
  inputs: ReturnType<typeof record>["inputs"],
  flat: readonly number[],
): Map<number, NDArray> {
  const out = new Map<number, NDArray>();
  let at = 0;
  for (const { first, shape } of inputs) {
    const size = shape.reduce((a, b) => a * b, 1);
    out.set(first, { shape, data: Float64Array.from(flat.slice(at, at + size)) });
    at += size;
  }
  return out;
}

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((s, x, i) => s + x * b[i], 0);
const close = (a: number, b: number, tolerance: number, scale = 1): void =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(tolerance * Math.max(scale, Math.abs(a), Math.abs(b)));

/** A fixed direction of the graph's size, without pattern. */
const direction = (n: number, phase: number): number[] =>
  Array.from({ length: n }, (_, i) => Math.cos(2.3 * i + phase));

describe("sweeps over scalars and arrays, on random graphs", () => {
  it("the gradient is that of finite differences, in either order and every mode of adding", () => {
    fc.assert(
      fc.property(arrayGraph(), (g) => {
        const x = flatInputs(g);
        const gradient = gradientAt(g, x, "tape");
        const size = Math.max(1, ...gradient.map(Math.abs));
        x.forEach((_, i) => {
          const moved = (h: number): number =>
            valueAt(
              g,
              x.map((value, k) => (k === i ? value + h : value)),
            );
          const d = (h: number): number => (moved(h) - moved(-h)) / (2 * h);
          close(gradient[i], (4 * d(5e-4) - d(1e-3)) / 3, 1e-6, size);
        });
        for (const [order, mode] of [
          ["breadth", "sum"],
          ["tape", "pairwise"],
          ["breadth", "kahan"],
        ] as const)
          gradientAt(g, x, order, mode).forEach((c, i) => close(c, gradient[i], 1e-11, size));
      }),
      { numRuns: 60 },
    );
  });

  it("the JVP is the gradient's product with the direction, and the Hessian is symmetric", () => {
    fc.assert(
      fc.property(arrayGraph(), (g) => {
        const x = flatInputs(g);
        const { recorder, outputs, inputs } = recorded(g, x);
        const tape = flatten(recorder.tape);
        const along = (v: readonly number[]): { jvp: number; hv: number[] } => {
          const forward = new MixedForward(tape, directionOf(inputs, v), recorder.customRules, null);
          const { product } = mixedProducts(tape, forward, mergeSeeds(outputs), null);
          const hv = inputs.flatMap(({ first, shape }) => {
            const size = shape.reduce((a, b) => a * b, 1);
            return [...(product.get(first)?.data ?? new Float64Array(size))];
          });
          return { jvp: forward.tangents[outputs[0].node]!.data[0], hv };
        };
        const u = direction(x.length, 0.3);
        const v = direction(x.length, 1.9);
        const gradient = gradientAt(g, x, "tape");
        const size = Math.max(1, ...gradient.map(Math.abs));
        const alongV = along(v);
        close(alongV.jvp, dot(gradient, v), 1e-11, size * x.length);
        const hessianSize = Math.max(size, ...alongV.hv.map(Math.abs)) * x.length;
        close(dot(u, alongV.hv), dot(v, along(u).hv), 1e-10, hessianSize);
        const moved = (h: number): number[] =>
          gradientAt(
            g,
            x.map((value, i) => value + h * v[i]),
            "tape",
          );
        const h = 1e-4;
        const [plus, minus] = [moved(h), moved(-h)];
        alongV.hv.forEach((c, i) => close(c, (plus[i] - minus[i]) / (2 * h), 2e-5, hessianSize));
      }),
      { numRuns: 40 },
    );
  });

  it("in the kernels' memory, set to NaN where nothing was written: the same gradient", () => {
    const { arena } = kernels();
    arena.poison = true;
    try {
      fc.assert(
        fc.property(arrayGraph(), (g) => {
          const x = flatInputs(g);
          const { gradient } = valueAndGradient(definitionOf(g), withInputs(g, x) as never);
          const flat = Object.values(gradient as unknown as Record<string, number>).flatMap((part) =>
            [part as unknown].flat(2),
          );
          expect(flat).toEqual(gradientAt(g, x, "tape"));
        }),
        { numRuns: 100 },
      );
    } finally {
      arena.poison = false;
    }
    expect(arena.used).toBe(0);
  });

  it("a scalar node's tangent is a scalar", () => {
    const g = { matrix: [[1], [2]], row: [3], scalar: 0.5, steps: [] };
    const { recorder, inputs } = recorded(g, flatInputs(g));
    const forward = new MixedForward(
      flatten(recorder.tape),
      directionOf(inputs, [0, 0, 0, 1]),
      recorder.customRules,
      null,
    );
    expect(forward.tangents[inputs[2].first]).toEqual(scalar(1));
    expect(numeric.round).toBeNull();
  });
});
