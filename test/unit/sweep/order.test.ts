import { describe, expect, it } from "vitest";
import { add, graph, mul } from "../../../engine/index.js";
import { sweep } from "../../../engine/graph/queries.js";

const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = mul(x, y);
  return mul(add(a, x), mul(a, y));
});
// ids: x 0, y 1, a 2, b 3, c 4, L 5

describe("order of the sweep", () => {
  it("breadth visits L, b, c, a; tape visits L, c, b, a", () => {
    const steps = (order: "breadth" | "tape"): number[] => {
      const { trace } = sweep(fanOut, { order });
      const out: number[] = [];
      for (let row = 0; row < trace.events.n; row++)
        if (trace.events.edge[row] >= 0) out.push(trace.edges.to[trace.events.edge[row]]);
      return out.filter((v, i) => v !== out[i - 1]);
    };
    expect(steps("breadth")).toEqual([5, 3, 4, 2]);
    expect(steps("tape")).toEqual([5, 4, 3, 2]);
  });

  it("takes any valid explicit order", () => {
    expect(sweep(fanOut, { order: [5, 4, 3, 2, 0, 1] }).report.gradient).toEqual({ x: 144, y: 132 });
  });

  it.each([
    [[5, 2, 3, 4, 0, 1], "mul (node 2) stands before add (node 3)"],
    [[5, 3, 4, 2, 1], "x is missing"],
    [[5, 3, 3, 4, 2, 0, 1], "stands in it twice"],
    [[5, 3, 4, 2, 0, 1, 9], "there is no node 9"],
    [[5, 3, 4, 2, 0.5, 1], "there is no node 0.5"],
  ])("refuses %j", (order, message) => {
    expect(() => sweep(fanOut, { order })).toThrow(message);
  });

  it("does not let dead nodes block a sweep", () => {
    const dead = graph({ x: 2 }, ({ x }) => {
      const a = mul(x, x);
      add(a, x);
      return mul(a, 3);
    });
    expect(sweep(dead).report.gradient).toEqual({ x: 12 });
    expect(() => sweep(dead, { order: [3, 2, 1, 0] })).toThrow(/no path to an output/);
  });
});
