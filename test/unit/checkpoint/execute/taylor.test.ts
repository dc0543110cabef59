/** The Taylor remainder of the gradient through every schedule falls with the square of the step. */
import { describe, expect, it } from "vitest";
import * as B from "../../../../engine/index.js";
import { run } from "../../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../../engine/graph/definition.js";
import { everySchedule } from "./schedules-for-tests.js";

/** A chain, a segment and a stack of coupling layers, after one another. */
const graph = B.graph({ a: 0.7, b: -0.4, w: 1.2 }, ({ a, b, w }) => {
  const warm = B.chain(6, a, (u, i) => B.sin(B.add(B.mul(u, w), 0.1 * i))) as number;
  const middle = B.checkpoint((u: number) => B.exp(B.mul(u, B.mul(b, 0.5))))(warm);
  const layer = B.coupling<number>(
    (half) => B.sin(B.mul(half, w)),
    (half) => B.mul(B.tanh(half), 0.5),
  );
  const [y1, y2] = B.chain(5, [middle, b], layer) as [number, number];
  return B.mul(y1, B.add(y2, 2));
}) as unknown as GraphDefinition;

const point = { a: 0.7, b: -0.4, w: 1.2 };
const v = { a: 0.6, b: -0.5, w: 0.8 };

function valueAt(h: number): number {
  const set = { a: point.a + h * v.a, b: point.b + h * v.b, w: point.w + h * v.w };
  return run(graph, { set }).trace.header.outputs[0].value;
}

describe("the Taylor remainder", () => {
  const base = valueAt(0);
  const steps = [2 ** -6, 2 ** -7, 2 ** -8, 2 ** -9];
  const moved = steps.map(valueAt);

  it.each(everySchedule)("falls with the square of the step under %s", (schedule) => {
    const { gradient, checkpoint } = run(graph, { schedule }).report;
    const slope = (["a", "b", "w"] as const).reduce(
      (sum, name) => sum + (gradient[name] as number) * v[name],
      0,
    );
    const remainders = moved.map((value, i) => Math.abs(value - base - steps[i] * slope));
    for (let i = 1; i < steps.length; i++) {
      const order = Math.log2(remainders[i - 1] / remainders[i]);
      expect(order).toBeGreaterThan(1.8);
      expect(order).toBeLessThan(2.2);
    }
    // without the derivative it falls with the step alone: the test tells the two apart
    expect(Math.log2(Math.abs(moved[0] - base) / Math.abs(moved[1] - base))).toBeLessThan(1.5);
    if (schedule !== "store-all") expect(checkpoint!.schedule).toBe(schedule);
  });
});
