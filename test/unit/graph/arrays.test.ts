import { describe, expect, it } from "vitest";
import {
  add,
  contributions,
  exp,
  gradient,
  graph,
  log,
  mul,
  sweep,
  tensor,
  valueAndGradient,
} from "../../../engine/index.js";
import { arrayAt } from "../../../engine/trace/arrays.js";

describe("graphs with arrays", () => {
  it("a linear layer's gradient is the textbook one", () => {
    const layer = graph(
      {
        W: [
          [1, 2, 3],
          [4, 5, 6],
        ],
        x: Float64Array.of(1, -1, 2),
      },
      ({ W, x }) => W.matmul(x).square().sum(),
    );
    // y = W x = (5, 11); dW = 2 y xᵀ, dx = 2 Wᵀ y
    const { value, gradient: g } = valueAndGradient(layer);
    expect(value).toBe(146);
    expect(g).toEqual({
      W: [
        [10, -10, 20],
        [22, -22, 44],
      ],
      x: [98, 130, 162],
    });
  });

  it("scalars and arrays share one tape, and contributions are summed back to their operand's shape", () => {
    const mixed = graph({ s: 2, v: Float64Array.of(1, 2, 3) }, ({ s, v }) => {
      const scaled = v.mul(s);
      const total = scaled.sum();
      return add(mul(total, s), scaled.element(1));
    });
    // L = 6 s² + 2 s
    const { value, gradient: g } = valueAndGradient(mixed);
    expect(value).toBe(28);
    expect(g).toEqual({ s: 26, v: [4, 6, 4] });
  });

  it("a repeated operand pays twice", () => {
    const twice = graph({ v: Float64Array.of(1, 2, 3) }, ({ v }) => v.mul(v).sum());
    expect(gradient(twice)).toEqual({ v: [2, 4, 6] });
    const { trace } = sweep(twice);
    expect([...trace.edges.slot].slice(0, 2)).toEqual([0, 1]);
  });

  it("functions take tensors, nested arrays and numbers", () => {
    const soft = graph({ a: Float64Array.of(0, 1) }, ({ a }) => log(exp(add(a, [1, 2])).sum()));
    const e = [Math.exp(1), Math.exp(3)];
    const g = gradient(soft).a as unknown as number[];
    expect(g[0]).toBeCloseTo(e[0] / (e[0] + e[1]), 14);
    expect(g[1]).toBeCloseTo(e[1] / (e[0] + e[1]), 14);
  });

  it("shape errors name both shapes", () => {
    const wrong = graph({ a: [[1, 2, 3]], b: [[1, 2]] }, ({ a, b }) => a.add(b).sum());
    expect(() => gradient(wrong)).toThrow(/add: shapes \[1, 3\] and \[1, 2\] cannot be broadcast/);
    const inner = graph({ a: [[1, 2, 3]], b: [[1, 2]] }, ({ a, b }) => a.matmul(b).sum());
    expect(() => gradient(inner)).toThrow(/matmul: shapes \[1, 3\] and \[1, 2\] do not fit/);
  });

  it("an array output is seeded with ones, or with what the option says", () => {
    const square = graph({ v: Float64Array.of(1, 2) }, ({ v }) => v.square());
    expect(gradient(square)).toEqual({ v: [2, 4] });
    const seeded = graph({ v: Float64Array.of(1, 2) }, ({ v }) => v.square(), { cotangent: [3, 5] });
    expect(gradient(seeded)).toEqual({ v: [6, 20] });
  });

  it("the trace holds the arrays of values, contributions and cotangents", () => {
    const g = graph({ v: Float64Array.of(1, 2, 3) }, ({ v }) => v.mul([2, 3, 4]).sum());
    const { trace, report } = sweep(g);
    expect(arrayAt(trace, 0)).toMatchObject({ shape: [3], norm: 14 ** 0.5, min: 1, max: 3 });
    expect([...arrayAt(trace, 1)!.data]).toEqual([2, 6, 12]);
    expect(report.gradient).toEqual({ v: [2, 3, 4] });
    expect(trace.values.mean[1]).toBeCloseTo(20 / 3, 15);
  });

  it("contributions into an array are arrays, and of a large one are refused", () => {
    const named = graph({ v: Float64Array.of(1, 2) }, ({ v }) => add(v.square().sum(), v.sum()));
    expect(contributions(named, "v")).toMatchObject({
      parts: [{ value: [1, 1] }, { value: [2, 4] }],
      sum: [3, 5],
    });
    const large = graph({ v: new Float64Array(5000) }, ({ v }) => v.sum());
    expect(() => contributions(large, "v")).toThrow(/"v" is an array of 5000 elements/);
  });

  it("tensor as a number is refused, with what to write instead", () => {
    const v = tensor([1, 2]);
    expect(() => (v as unknown as number) * 2).toThrow(/use its methods, such as a\.mul\(b\)/);
  });

  it("last writer wins is wrong for arrays too", () => {
    const fan = graph({ v: Float64Array.of(1, 2) }, ({ v }) => {
      const a = v.mul(3);
      return a.square().sum() + a.sum();
    });
    void fan;
    const explicit = graph({ v: Float64Array.of(1, 2) }, ({ v }) => {
      const a = v.mul(3);
      return add(a.square().sum(), a.sum());
    });
    const { report } = sweep(explicit);
    expect(report.gradient).toEqual({ v: [21, 39] });
    expect(report.lastWriterWins.gradient).not.toEqual(report.gradient);
  });
});
