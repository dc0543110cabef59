import { describe, expect, it } from "vitest";
import { graph, mul, random, normal, dropout, scope } from "../../../engine/index.js";
import { sweep } from "../../../engine/graph/queries.js";
import { philox } from "../../../engine/replay/philox.js";

describe("philox4x32-10", () => {
  // known answers published with the Random123 library (kat_vectors)
  it.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ] as const)("counter %j, key %j", (counter, key, expected) => {
    expect(philox(counter, key)).toEqual(expected);
  });
});

describe("the graph's own stream", () => {
  const draws = (fn: () => void, seed = 0): number[] => {
    const g = graph({ x: 1 }, ({ x }) => {
      fn();
      return mul(x, 1);
    });
    return Array.from(sweep(g, { seed }).trace.draws.value);
  };

  it("is repeatable, and another seed draws otherwise", () => {
    const three = (): void => void [random(), random(), normal()];
    expect(draws(three)).toEqual(draws(three));
    expect(draws(three)).not.toEqual(draws(three, 1));
    expect(draws(three)).toHaveLength(4);
  });

  it("keeps the draws of one scope when another draws more", () => {
    const inB = (extra: boolean): number[] =>
      draws(() => {
        scope("a", () => void (extra && random()));
        scope("b", () => void random());
      });
    expect(inB(true).at(-1)).toBe(inB(false).at(-1));
  });

  it("draws in [0, 1) with the right mean and variance", () => {
    const many = draws(() => {
      for (let i = 0; i < 20000; i++) random();
    });
    const mean = many.reduce((s, u) => s + u, 0) / many.length;
    const variance = many.reduce((s, u) => s + (u - mean) ** 2, 0) / many.length;
    expect(Math.min(...many)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...many)).toBeLessThan(1);
    expect(mean).toBeCloseTo(0.5, 2);
    expect(variance).toBeCloseTo(1 / 12, 2);
  });

  it("dropout's local derivative is the drawn mask", () => {
    const g = graph({ x: 3 }, ({ x }) => dropout(x, 0.5));
    const seen = new Set(Array.from({ length: 20 }, (_, seed) => sweep(g, { seed }).report.gradient.x));
    expect(seen).toEqual(new Set([0, 2]));
  });
});
