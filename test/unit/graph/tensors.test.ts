import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";

const A = B.tensor([
  [2, 1],
  [1, 3],
]);

describe("tensors without a recording", () => {
  it("compute, with numbers where numbers are meant", () => {
    expect(A.sum()).toBe(7);
    expect(A.sum({ axis: 0 }).toArray()).toEqual([3, 4]);
    expect(A.max()).toBe(3);
    expect(A.mean({ axis: 1, keepdims: true }).toArray()).toEqual([[1.5], [2]]);
    expect(A.element(1, 0)).toBe(1);
    expect(A.at(1).toArray()).toEqual([1, 3]);
    expect(A.det()).toBeCloseTo(5, 14);
    expect(A.matmul([1, 1]).toArray()).toEqual([3, 4]);
    expect(B.dot([1, 2], [3, 4])).toBe(11);
    expect(A.split([1, 1], 1).map((part) => part.toArray())).toEqual([
      [[2], [1]],
      [[1], [3]],
    ]);
    expect(B.concat([A, [[9, 9]]]).shape).toEqual([3, 2]);
    expect(B.mseLoss(A, 1)).toBe((1 + 0 + 0 + 4) / 4);
    expect(B.mseLoss(A, 1, { reduction: "none" }).toArray()).toEqual([
      [1, 0],
      [0, 4],
    ]);
    expect(B.layerNorm(A, { bias: [1, 1] }).mean()).toBeCloseTo(1, 12);
    expect(String(A)).toBe("Tensor[2, 2]");
    expect(JSON.stringify(A)).toBe("[[2,1],[1,3]]");
  });

  it("an operation on tensors gives a tensor, of rank 0 too", () => {
    const dot = B.tensor([1, 2]).matmul([3, 4]);
    expect(B.isTensor(dot)).toBe(true);
    expect(dot.shape).toEqual([]);
    expect(dot.item()).toBe(11);
    expect(() => A.item()).toThrow(/has 4 elements/);
  });

  it("mistakes are one message with the shapes", () => {
    expect(() => A.matmul([1, 2, 3])).toThrow(
      "matmul: shapes [2, 2] and [3] do not fit: the inner lengths are 2 and 3",
    );
    expect(() => A.reshape([3])).toThrow("reshape: [2, 2] has 4 elements, which do not fit [3]");
    expect(() => A.sum({ axis: 2 })).toThrow("sum: axis 2 does not exist in the shape [2, 2]");
    expect(() => B.tensor([[1], [2, 3]])).toThrow("[1] has length 2 where 1 elements were expected");
    expect(() => B.tensor(3 as never)).toThrow("tensor(...) takes an array");
    expect(() => A.at(2)).toThrow("at: index 2 is outside axis 0 of the shape [2, 2]");
    expect(() => A.max({ axis: 0 }).add("x" as never)).toThrow('operand 2 is the string "x"');
  });
});

describe("tensors in a graph", () => {
  it("rank 0 is a scalar node: it can be returned, and be the operand of anything", () => {
    const g = B.graph({ v: Float64Array.of(1, 2) }, ({ v }) => v.matmul(v).mul(3));
    expect(B.valueAndGradient(g)).toMatchObject({ value: 15, gradient: { v: [6, 12] } });
  });

  it("traced numbers become an array, and come back", () => {
    const g = B.graph({ p: [1, 2, 3] }, ({ p }) => {
      const stacked = B.stack([p[0], p[1], B.mul(p[2], 2)]);
      return B.add(stacked.prod(), B.tensor([p[0], 5]).element(0));
    });
    // L = p0 p1 2 p2 + p0
    expect(B.gradient(g)).toEqual({ p: [13, 6, 4] });
  });

  it("stopGradient cuts an array, and says so", () => {
    const g = B.graph({ v: Float64Array.of(1, 2) }, ({ v }) => B.stopGradient(v.square()).mul(v).sum());
    const { report } = B.sweep(g);
    expect(report.gradient).toEqual({ v: [1, 4] });
    expect(report.notes.map(({ code }) => code)).toContain("cut");
  });

  it("dropout draws for every element from the graph's own stream, the same at every run", () => {
    const g = B.graph({ v: new Float64Array(64).fill(1) }, ({ v }) => B.dropout(v, 0.5).sum(), { seed: 3 });
    const first = B.gradient(g).v as unknown as number[];
    expect(new Set(first)).toEqual(new Set([0, 2]));
    expect(B.gradient(g).v).toEqual(first);
  });

  it("kinks of arrays are said with their convention", () => {
    const g = B.graph({ v: Float64Array.of(0, 1) }, ({ v }) => v.abs().sum());
    expect(B.sweep(g).report.notes[0].message).toMatch(/abs is not differentiable here: derivative 0 at 0/);
    const ties = B.graph({ v: Float64Array.of(1, 1) }, ({ v }) => v.max());
    const { report } = B.sweep(ties);
    expect(report.gradient).toEqual({ v: [0.5, 0.5] });
    expect(report.notes[0].message).toMatch(/share the derivative evenly/);
  });

  it("NaN in an array is a finding with its index", () => {
    const g = B.graph({ v: Float64Array.of(1, -1) }, ({ v }) => v.log().sum());
    const { report } = B.sweep(g);
    expect(report.finding).toBe(true);
    expect(report.notes[0].message).toMatch(
      /\[1\] is NaN: the first in forward order \(log of an array \[2\]\)/,
    );
  });

  it("f32 rounds every element of every operation, inside products too", () => {
    const g = B.graph({ v: Float64Array.of(0.1, 0.2, 0.3) }, ({ v }) => v.matmul([0.3, 0.1, 0.7]), {
      dtype: "f32",
    });
    const f = Math.fround;
    const expected = [0.1, 0.2, 0.3].reduce((sum, x, i) => f(sum + f(f(x) * f([0.3, 0.1, 0.7][i]))), 0);
    expect(B.sweep(g).trace.header.outputs[0].value).toBe(expected);
  });

  it("a tensor kept from an earlier run is refused", () => {
    let kept: B.Tensor | null = null;
    const g = B.graph({ v: Float64Array.of(1, 2) }, ({ v }) => {
      const used = kept ?? v;
      kept = v;
      return used.sum();
    });
    B.gradient(g);
    expect(() => B.gradient(g)).toThrow(/of another graph, or kept from an earlier run/);
  });
});
