import { describe, expect, it } from "vitest";
import * as B from "../../../../engine/index.js";
import { run } from "../../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../../engine/graph/definition.js";

const sweep = (fn: (inputs: { x: number }) => unknown, schedule = "revolve:2", options = {}): unknown =>
  run(B.graph({ x: 0.5 }, fn as never) as unknown as GraphDefinition, { schedule, ...options }).report
    .gradient;

describe("what a chain refuses", () => {
  it("a state that changes its form", () => {
    const grows = (x: number): unknown => B.chain(3, [x], (u) => [...u, 1]);
    expect(() => sweep(({ x }) => grows(x))).toThrow(
      "chain: the state after step 0 is an array where an array of 1 was: every step keeps the form of the state",
    );
    expect(() => B.chain(2, { a: 1 }, () => ({ b: 2 }) as never)).toThrow("a record with a");
    expect(() => B.chain(2, B.tensor([1, 2]), (u) => (u as B.Tensor).sum() as never)).toThrow(
      "where a tensor of shape [2] was",
    );
  });

  it("what is no state, no length, no step", () => {
    expect(() => B.chain(2, "x" as never, (u) => u)).toThrow('chain: the state is the string "x"');
    expect(() => B.chain(2, { u: Float64Array.of(1) } as never, (u) => u)).toThrow("make it a tensor(...)");
    expect(() => B.chain(1.5, 1, (u) => u)).toThrow("the length must be an integer of at least 0, not 1.5");
    expect(() => B.chain(-1, 1, (u) => u)).toThrow("not -1");
    expect(() => B.chain(1, 1, 3 as never)).toThrow("the step must be a function");
    expect(() => sweep(({ x }) => B.chain(1, x, (async (u: number) => u) as never))).toThrow(
      "returned a promise",
    );
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => B.chain(1, circle as never, (u) => u)).toThrow("nested more than 64 levels deep");
  });

  it("a value kept from inside a step, at the operation that uses it; everything kept allows it", () => {
    const escapes = ({ x }: { x: number }): unknown => {
      const kept: number[] = [];
      const end = B.chain(5, x, (u) => {
        const inner = B.sin(u);
        kept.push(inner);
        return B.mul(inner, 1.5);
      });
      return B.add(end, kept[1]!);
    };
    expect(() => sweep(escapes)).toThrow("was kept from inside chain, whose steps are dropped and replayed");
    expect(sweep(escapes, "store-all")).toHaveProperty("x");
    const skips = ({ x }: { x: number }): unknown => {
      const kept: number[] = [];
      return B.chain(5, x, (u, i) => {
        kept[i] = B.sin(u);
        return i < 2 ? kept[i]! : B.mul(kept[i]!, kept[i - 2]!);
      });
    };
    expect(() => sweep(skips)).toThrow("pass it on in the state");
  });

  it("a step that is another program when it runs again", () => {
    const counts = ({ x }: { x: number }): unknown => {
      let calls = 0;
      return B.chain(4, x, (u) => (calls++ < 4 ? B.sin(u) : B.cos(u)));
    };
    expect(() => sweep(counts)).toThrow("is replayed as another program: cos stands where the first run had");
    const longer = ({ x }: { x: number }): unknown => {
      let calls = 0;
      return B.chain(4, x, (u) => (calls++ < 4 ? B.sin(u) : B.exp(B.sin(u))));
    };
    expect(() => sweep(longer)).toThrow("it records 2 operations, the first run recorded 1 operation");
    const constant = ({ x }: { x: number }): unknown => {
      let calls = 0;
      return B.chain(4, x, (u) => B.mul(u, 1 + 0.1 * calls++));
    };
    expect(() => sweep(constant)).toThrow("reads another constant at mul: 1.4, in the first run 1.1");
  });

  it("an order that does not go step by step, under a schedule", () => {
    const product = ({ x }: { x: number }): unknown =>
      B.chain(2, { u: x, v: x }, ({ u, v }) => ({ u: B.sin(u), v: B.exp(v) }));
    const graph = B.graph({ x: 0.5 }, ((i: { x: number }) => {
      const { u, v } = product(i) as { u: number; v: number };
      return B.add(u, v);
    }) as never) as unknown as GraphDefinition;
    // nodes: x, sin exp, sin exp, add
    expect(run(graph, { order: [5, 4, 3, 2, 1, 0], schedule: "revolve:1" }).report.gradient).toHaveProperty(
      "x",
    );
    expect(() => run(graph, { order: [5, 4, 2, 3, 1, 0], schedule: "revolve:1" })).toThrow(
      "the sweep goes through the steps one by one, last to first",
    );
    expect(run(graph, { order: [5, 4, 2, 3, 1, 0] }).report.gradient).toHaveProperty("x");
  });

  it("names that are no schedule", () => {
    expect(() => sweep(({ x }) => x, "revolvo:2")).toThrow('unknown schedule "revolvo:2"');
    expect(() => sweep(({ x }) => x, "reversible")).toThrow("is for coupling layers");
  });
});

describe("a chain", () => {
  it("computes outside a graph, with and without steps", () => {
    expect(B.chain(4, 1, (u, i) => 2 * u + i)).toBe(2 * (2 * (2 * (2 * 1 + 0) + 1) + 2) + 3);
    expect(B.chain(0, { u: 3 }, (u) => u)).toEqual({ u: 3 });
    expect(B.checkpoint((a: number) => a + 1)(2)).toBe(3);
  });

  it("of no steps is its state under any schedule", () => {
    for (const schedule of ["store-all", "revolve:3"])
      expect(
        sweep(
          ({ x }) =>
            B.mul(
              B.chain(0, x, (u) => u),
              3,
            ),
          schedule,
        ),
      ).toEqual({ x: 3 });
  });
});
