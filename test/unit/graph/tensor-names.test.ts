/** Names a tensor does not have: those that would make a NaN or an empty loop are refused with what was meant. */
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import type { Tensor } from "../../../engine/index.js";

const matrix = (): Record<string | number, unknown> =>
  B.tensor([
    [1, 2],
    [3, 4],
  ]) as unknown as Record<string | number, unknown>;

describe("refused", () => {
  it.each([
    ["length", "a Tensor has no length: size counts its elements, shape[0] the entries of its first axis"],
    [0, "a Tensor has no [0]: element(0) is a number of it, at(0) an entry of its first axis"],
    [12, "a Tensor has no [12]"],
    ["T", "transpose() is its method"],
    ["map", "its own methods work element by element"],
    ["maen", "a Tensor has no maen: did you mean mean?"],
    ["tranpose", "did you mean transpose?"],
    ["matMul", "matmul() is its method"],
    ["softMax", "did you mean softmax?"],
    ["reshpe", "did you mean reshape?"],
  ])("%s", (name, message) => {
    expect(() => matrix()[name]).toThrow(message);
  });

  it("inside a graph, where it would be a loop over nothing", () => {
    const sum = ({ w }: { w: Tensor }): number => {
      let s = 0;
      for (let i = 0; i < (w as unknown as number[]).length; i++) s = B.add(s, w.element(i));
      return s;
    };
    expect(() => B.gradient(B.graph({ w: new Float64Array([1, 2]) }, sum))).toThrow("a Tensor has no length");
  });
});

describe("not refused", () => {
  it.each([
    "then",
    "toString",
    "constructor",
    "hasOwnProperty",
    "nodeType",
    "kind",
    "get",
    "xyzzy",
    "$$typeof",
  ])("%s, which code looks for to find out what it has", (name) => {
    expect(() => matrix()[name]).not.toThrow();
  });
  it("symbols, `in`, own properties, equality, printing", () => {
    const x = matrix();
    expect(Symbol.iterator in x).toBe(false);
    expect("length" in x).toBe(false);
    x.label = "w";
    expect(x.label).toBe("w");
    expect(String(B.tensor([1, 2]))).toBe("Tensor[2]");
    expect(B.tensor([1, 2])).toEqual(B.tensor([1, 2]));
    expect(Object.prototype.toString.call(x)).toBe("[object Object]");
  });
});

describe("conditions", () => {
  it("may be truth values, alone and in arrays", () => {
    expect(B.where(true, 1, 2)).toBe(1);
    const f = B.graph({ a: [[1, 2]], b: [[3, 4]] }, ({ a, b }) => B.where([[true, false]], a, b).sum());
    expect(B.gradient(f)).toEqual({ a: [[1, 0]], b: [[0, 1]] });
  });
});

describe("JSON", () => {
  it("of results that hold whole numbers beyond the safe ones", () => {
    const f = B.graph({ x: 2, y: 3 }, ({ x, y }) => {
      const a = B.mul(x, y);
      return B.mul(B.add(a, x), B.mul(a, y));
    });
    const { count } = B.paths(f, "x", "L");
    expect(count).toBe(3n);
    expect(JSON.parse(JSON.stringify(B.paths(f, "x", "L")))).toMatchObject({ count: 3 });
    const long = B.graph({ x: 1 }, ({ x }) => {
      let s = x;
      for (let i = 0; i < 60; i++) s = B.add(s, s);
      return s;
    });
    expect(JSON.parse(JSON.stringify(B.paths(long, "x", "L")))).toMatchObject({ count: String(2n ** 60n) });
    const plan = B.planSchedule(B.parseSchedule("revolve:3"), 1e15);
    expect(typeof plan.executed.advances).toBe("bigint");
    const { executed } = JSON.parse(JSON.stringify(plan)) as { executed: Record<string, unknown> };
    expect(executed.advances).toBe(String(plan.executed.advances));
    expect(structuredClone(plan)).toEqual(plan);
  });
});
