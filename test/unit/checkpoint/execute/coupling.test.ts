import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../../engine/index.js";
import { run } from "../../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../../engine/graph/definition.js";
import { Event } from "../../../../engine/trace/events.js";
import { SegmentKind } from "../../../../engine/trace/trace.js";
import { chainSchedules } from "./schedules-for-tests.js";

/** A stack of layers on numbers, with weights from outside the layers. */
const stack = (depth: number): GraphDefinition =>
  B.graph({ a: 0.7, b: -1.1, w: 0.6, v: 1.3 }, ({ a, b, w, v }) => {
    const layer = B.coupling<number>(
      (half, i) => B.sin(B.mul(half, B.add(w, 0.1 * i))),
      (half) => B.mul(B.tanh(B.mul(half, v)), 0.5),
    );
    const [y1, y2] = B.chain(depth, [a, b], layer) as [number, number];
    return B.mul(y1, B.add(y2, 2));
  }) as unknown as GraphDefinition;

const tensors = B.graph(
  {
    x1: B.tensor([0.1, -2, 3]),
    x2: B.tensor([1, 0.5, -0.25]),
    w: B.tensor([
      [0.3, -0.1, 0.2],
      [0.5, 0.4, -0.6],
      [-0.2, 0.1, 0.7],
    ]),
  },
  ({ x1, x2, w }) => {
    const layer = B.coupling(
      (half: B.Tensor) => B.tanh(w.matmul(half)) as unknown as B.Tensor,
      (half: B.Tensor) => half.mul(half).mul(0.05),
    );
    const [y1, y2] = B.chain(10, [x1, x2], layer, { name: "rev" }) as [B.Tensor, B.Tensor];
    return B.add(y1.square().sum(), y2.square().sum());
  },
) as unknown as GraphDefinition;

describe("coupling", () => {
  it("computes by itself, and its inverse to rounding", () => {
    const layer = B.coupling<number>(
      (half) => B.sin(half),
      (half) => B.exp(B.mul(half, 0.1)),
    );
    const y1 = 2 + Math.sin(3);
    expect(layer([2, 3])).toEqual([y1, 3 + Math.exp(y1 * 0.1)]);
    fc.assert(
      fc.property(
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.double({ min: -5, max: 5, noNaN: true }),
        (a, b) => {
          const [x1, x2] = layer.inverse(layer([a, b]));
          expect(Math.abs(x1 - a)).toBeLessThanOrEqual(1e-14);
          expect(Math.abs(x2 - b)).toBeLessThanOrEqual(1e-14);
        },
      ),
    );
  });

  it("the inverse is traced like anything else", () => {
    const graph = B.graph({ a: 0.3, b: 0.4 }, ({ a, b }) => {
      const layer = B.coupling<number>(
        (half) => B.sin(half),
        (half) => B.mul(half, half),
      );
      const [x1, x2] = layer.inverse(layer([a, b]));
      return B.add(x1, B.mul(x2, 3));
    }) as unknown as GraphDefinition;
    const { gradient } = run(graph, { order: "tape" }).report;
    expect(gradient.a).toBeCloseTo(1, 13);
    expect(gradient.b).toBeCloseTo(3, 13);
  });

  it("is a chain like any other under every other schedule, bit for bit", () => {
    const all = run(stack(9), { order: "breadth" });
    for (const schedule of chainSchedules) {
      const some = run(stack(9), { order: "breadth", schedule });
      expect(some.report.gradient).toEqual(all.report.gradient);
      expect(some.report.checkpoint!.reconstruction).toBeUndefined();
    }
    expect([...all.trace.segments!.kind].filter((kind) => kind === SegmentKind.coupling)).toHaveLength(9);
  });
});

describe("reversible", () => {
  it("stores nothing and evaluates f and g once more a layer", () => {
    const { checkpoint } = run(stack(20), { order: "breadth", schedule: "reversible" }).report;
    expect(checkpoint!.regions[0]).toMatchObject({ kind: "coupling", steps: 20, schedule: "reversible" });
    expect(checkpoint!.regions[0].executed).toMatchObject({
      peakStates: 0,
      peakTapes: 1,
      peakSlots: 0,
      advances: 20,
      records: 20,
      uncomputes: 20,
      totalForwards: 40,
      extraForwards: 20,
      writes: 0,
    });
    // a layer has 10 numbers at most, and the states on its two sides
    expect(checkpoint!.allocatedBytes.peak).toBeLessThanOrEqual(8 * 14);
    const deeper = run(stack(200), { order: "breadth", schedule: "reversible" }).report.checkpoint!;
    expect(deeper.allocatedBytes.peak).toBe(checkpoint!.allocatedBytes.peak);
  });

  it.each([
    ["numbers", stack(12)],
    ["tensors", tensors],
  ])("gives the gradient of everything kept to a stated error, on %s", (_, graph) => {
    const all = run(graph, { order: "breadth" });
    const some = run(graph, { order: "breadth", schedule: "reversible" });
    const { layers, gradient } = some.report.checkpoint!.reconstruction!;
    expect(layers.map(({ layer }) => layer)).toEqual(layers.map((_, i) => i));
    expect(layers.length).toBe(some.report.checkpoint!.regions[0].steps);
    // the last layer's inverse begins from exact values: a rounding in each half
    expect(layers.at(-1)!.ulps).toBeLessThanOrEqual(64);
    for (const { ulps } of layers) expect(ulps).toBeLessThan(2 ** 20);
    expect(gradient!.relative).toBeLessThan(1e-12);
    // and it is the difference there is
    const flat = (g: unknown): number[] => [Object.values(g as object)].flat(9) as number[];
    const [a, b] = [all, some].map(({ report }) => flat(report.gradient));
    const differs = a.some((x, i) => !Object.is(x, b[i]));
    expect(gradient!.ulps > 0).toBe(differs);
    expect(B.gradient({ ...graph, options: { schedule: "reversible" } })).toBeDefined();
    // what is shown of the forward pass is the first run's
    expect([...some.trace.nodes.value].map((row) => some.trace.values.mean[row])).toEqual(
      [...all.trace.nodes.value].map((row) => all.trace.values.mean[row]),
    );
  });

  it("is exact where the arithmetic is", () => {
    const graph = B.graph({ a: 3, b: 5 }, ({ a, b }) => {
      const layer = B.coupling<number>(
        (half) => B.mul(half, 2),
        (half) => B.mul(half, 3),
      );
      const [y1, y2] = B.chain(5, [a, b], layer) as [number, number];
      return B.mul(y1, y2);
    }) as unknown as GraphDefinition;
    const some = run(graph, { order: "breadth", schedule: "reversible" }).report;
    expect(some.gradient).toEqual(run(graph, { order: "breadth" }).report.gradient);
    expect(some.checkpoint!.reconstruction!.layers.every(({ ulps }) => ulps === 0)).toBe(true);
    expect(some.checkpoint!.reconstruction!.gradient).toEqual({ ulps: 0, relative: 0 });
  });

  it("shows reversible moves on the timeline, last layer first", () => {
    const { trace } = run(stack(4), { order: "breadth", schedule: "reversible" });
    const rows = [...trace.events.kind].flatMap((kind, i) =>
      kind === Event.uncompute ? [trace.events.a![i]] : [],
    );
    const steps = rows.map((row) => trace.segments!.step[row]);
    expect(steps).toEqual([3, 2, 1, 0]);
    expect([...trace.events.kind]).not.toContain(Event.snapshot);
  });

  it("mixes with another schedule for the rest", () => {
    const graph = B.graph({ a: 0.3, b: 0.4 }, ({ a, b }) => {
      const warm = B.chain(8, a, (u) => B.sin(B.mul(u, 1.1)), { name: "warm" }) as number;
      const layer = B.coupling<number>(
        (half) => B.sin(half),
        (half) => B.mul(half, 0.3),
      );
      const [y1, y2] = B.chain(6, [warm, b], layer) as [number, number];
      return B.mul(y1, y2);
    }) as unknown as GraphDefinition;
    const all = run(graph, { order: "breadth" }).report;
    const some = run(graph, { order: "breadth", schedule: "reversible+revolve:2" }).report;
    expect(some.checkpoint!.regions.map(({ schedule }) => schedule)).toEqual(["revolve:2", "reversible"]);
    expect(some.gradient.a).toBeCloseTo(all.gradient.a as number, 12);
    expect(() => run(graph, { schedule: "reversible+budget:1000" })).toThrow("takes a schedule of steps");
    expect(() => run(graph, { schedule: "reversible+nonsense" })).toThrow("nonsense");
  });

  it("mixes with a budget for the rest, which auto alone never does by itself", () => {
    const graph = B.graph({ a: 0.3, b: 0.4 }, ({ a, b }) => {
      const warm = B.chain(30, a, (u) => B.sin(B.mul(B.exp(B.mul(u, 0.1)), 1.1)), { name: "warm" }) as number;
      const layer = B.coupling<number>(
        (half) => B.sin(B.mul(B.cos(half), 0.7)),
        (half) => B.mul(half, 0.3),
      );
      const [y1, y2] = B.chain(30, [warm, b], layer, { name: "rev" }) as [number, number];
      return B.mul(y1, y2);
    }) as unknown as GraphDefinition;
    const all = run(graph, { order: "breadth" }).report;
    const exact = run(graph, { order: "breadth", schedule: "auto:900" }).report;
    expect(exact.gradient).toEqual(all.gradient);
    expect(exact.checkpoint!.regions.map(({ schedule }) => schedule)).not.toContain("reversible");
    expect(exact.checkpoint!.remarks.join(" ")).toMatch(/reversible\+auto:900 would hold \d+ bytes/);
    const mixed = run(graph, { order: "breadth", schedule: "reversible+auto:900" }).report;
    expect(mixed.checkpoint!.regions[1]!.schedule).toBe("reversible");
    expect(mixed.checkpoint!.regions[0]!.schedule).not.toBe("reversible");
    expect(mixed.checkpoint!.reconstruction!.layers).toHaveLength(30);
    expect(mixed.checkpoint!.allocatedBytes.peak).toBeLessThanOrEqual(900);
    expect(mixed.gradient.a).toBeCloseTo(all.gradient.a as number, 12);
  });

  it("refuses what cannot be inverted, by name and layer", () => {
    const of = (f: (half: number, i: number) => number): GraphDefinition =>
      B.graph({ a: 0.3, b: 0.4 }, ({ a, b }) => {
        const layer = B.coupling<number>(f, (half) => B.mul(half, 0.5));
        const [y1, y2] = B.chain(3, [a, b], layer, { name: "rev" }) as [number, number];
        return B.add(y1, y2);
      }) as unknown as GraphDefinition;
    const draws = of((half) => B.mul(half, B.random() as number));
    expect(() => run(draws, { schedule: "reversible" })).toThrow(
      "rev: f of layer 0 draws a random number, which its inverse cannot repeat",
    );
    expect(run(draws, { schedule: "revolve:1" }).report.gradient).toEqual(run(draws, {}).report.gradient);
    const mean = B.runningState<number>(0);
    const updates = of((half, i) => {
      if (i === 1) mean.update(half);
      return B.sin(half);
    });
    expect(() => run(updates, { schedule: "reversible" })).toThrow("f of layer 1 updates a running state");
    let calls = 0;
    const counts = of((half) => (calls++ < 3 ? B.sin(half) : B.cos(half)));
    expect(() => run(counts, { schedule: "reversible" })).toThrow("is replayed as another program");
    const plain = B.graph({ a: 1 }, ({ a }) => B.chain(3, a, (u) => B.sin(u))) as unknown as GraphDefinition;
    expect(() => run(plain, { schedule: "reversible" })).toThrow(
      "is for coupling layers, and this graph has none",
    );
  });

  it("refuses what is no layer", () => {
    expect(() => B.coupling(1 as never, (x: B.Tensor) => x)).toThrow("f must be a function");
    const layer = B.coupling<number>(
      (x) => x,
      () => "x" as never,
    );
    expect(() => layer([1, 2, 3])).toThrow("the state is a pair of numbers or tensors, not an array of 3");
    expect(() => layer([1, 2])).toThrow('g returned the string "x" where a number or a tensor was due');
  });
});
