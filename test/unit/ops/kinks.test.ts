/** Every kink: that it is known as one, what is taken there, and that both sides are right up to it. */
import { describe, expect, it } from "vitest";
import { contribution, primitive, primitives } from "../../../engine/ops/table.js";
import { oneSided } from "./differences.js";
import type { Operands } from "./samples.js";

interface Expected {
  readonly at: Operands;
  /** derivative taken at the kink, by slot */
  readonly taken: readonly number[];
  /** slots to step along, on both sides; a side whose function is not finite or has an infinite slope is not given */
  readonly sides?: readonly { slot: number; left?: number; right?: number }[];
  /** the value jumps: differences are taken from just beside the kink, not from it */
  readonly jump?: true;
}

const flatStep = (x: number): Expected => ({
  at: [x, 0, 0],
  taken: [0],
  sides: [{ slot: 0, left: 0, right: 0 }],
  jump: true,
});

const kinks: Readonly<Record<string, readonly Expected[]>> = {
  abs: [{ at: [0, 0, 0], taken: [0], sides: [{ slot: 0, left: -1, right: 1 }] }],
  sign: [flatStep(0)],
  floor: [flatStep(0), flatStep(-3)],
  ceil: [flatStep(0), flatStep(2)],
  round: [flatStep(0.5), flatStep(-2.5)],
  trunc: [flatStep(1), flatStep(-2)],
  polygamma: [
    { at: [1.5, 2, 0], taken: [0, 0.49393940226682914], sides: [{ slot: 0, left: 0, right: 0 }], jump: true },
  ],
  relu: [{ at: [0, 0, 0], taken: [0], sides: [{ slot: 0, left: 0, right: 1 }] }],
  leakyRelu: [{ at: [0, 0.25, 0], taken: [0.25, 0], sides: [{ slot: 0, left: 0.25, right: 1 }] }],
  elu: [{ at: [0, 2, 0], taken: [2, 0], sides: [{ slot: 0, left: 2, right: 1 }] }],
  min: [
    {
      at: [1.5, 1.5, 0],
      taken: [0.5, 0.5],
      sides: [
        { slot: 0, left: 1, right: 0 },
        { slot: 1, left: 1, right: 0 },
      ],
    },
    { at: [0, -0, 0], taken: [0.5, 0.5] },
  ],
  max: [
    {
      at: [1.5, 1.5, 0],
      taken: [0.5, 0.5],
      sides: [
        { slot: 0, left: 0, right: 1 },
        { slot: 1, left: 0, right: 1 },
      ],
    },
    { at: [-0, 0, 0], taken: [0.5, 0.5] },
  ],
  clip: [
    {
      at: [-1, -1, 2],
      taken: [1, 0, 0],
      sides: [
        { slot: 0, left: 0, right: 1 },
        { slot: 1, left: 0, right: 1 },
      ],
    },
    {
      at: [2, -1, 2],
      taken: [1, 0, 0],
      sides: [
        { slot: 0, left: 1, right: 0 },
        { slot: 2, left: 1, right: 0 },
      ],
    },
    { at: [0, 1, 1], taken: [0, 1, 0], sides: [{ slot: 0, left: 0, right: 0 }] },
  ],
  mod: [
    { at: [6, 2, 0], taken: [1, -3], sides: [{ slot: 0, left: 1, right: 1 }], jump: true },
    { at: [-6, 2, 0], taken: [1, 3], sides: [{ slot: 0, left: 1, right: 1 }], jump: true },
  ],
  floorMod: [
    { at: [0, 2, 0], taken: [1, 0], sides: [{ slot: 0, left: 1, right: 1 }], jump: true },
    { at: [6, -2, 0], taken: [1, 3], sides: [{ slot: 0, left: 1, right: 1 }], jump: true },
  ],
  pow: [
    { at: [0, 0.5, 0], taken: [Infinity, 0] },
    { at: [0, 1.5, 0], taken: [0, 0], sides: [{ slot: 0, right: 0 }] },
  ],
  sqrt: [{ at: [0, 0, 0], taken: [Infinity] }],
  cbrt: [{ at: [0, 0, 0], taken: [Infinity] }],
  asin: [
    { at: [1, 0, 0], taken: [Infinity] },
    { at: [-1, 0, 0], taken: [Infinity] },
  ],
  acos: [
    { at: [1, 0, 0], taken: [-Infinity] },
    { at: [-1, 0, 0], taken: [-Infinity] },
  ],
  acosh: [{ at: [1, 0, 0], taken: [Infinity] }],
  hypot: [
    {
      at: [0, 0, 0],
      taken: [0, 0],
      sides: [
        { slot: 0, left: -1, right: 1 },
        { slot: 1, left: -1, right: 1 },
      ],
    },
  ],
  atan2: [
    { at: [0, 0, 0], taken: [0, 0] },
    { at: [0, -2, 0], taken: [-0.5, 0], sides: [{ slot: 0, left: -0.5, right: -0.5 }], jump: true },
  ],
};

const DELTA = 1e-5;

/** The point moved along one slot; `clip` at a bound, say, is smooth 1e-5 beside it. */
function beside(p: Operands, slot: number, h: number): Operands {
  const q: [number, number, number] = [...p];
  q[slot] += h;
  return q;
}

describe("kinks", () => {
  it("are stated for exactly the rows that have one", () => {
    const withKink = primitives.filter((p) => p.kink !== undefined).map((p) => p.name);
    expect(withKink.sort()).toEqual(Object.keys(kinks).sort());
    for (const p of primitives) if (p.kink) expect(p.kink.convention.length).toBeGreaterThan(10);
  });

  it.each(Object.entries(kinks))("%s: known, its convention taken, both sides right", (name, all) => {
    const row = primitive(name);
    for (const { at, taken, sides, jump } of all) {
      expect(row.kink!.at(...at), `${name}(${at})`).toBe(true);
      const y = row.value(...at);
      taken.forEach((want, slot) => {
        expect(row.local[slot](...at, y) + 0, `${name}(${at}) slot ${slot}`).toBe(want);
        expect(contribution(row, slot, 1, ...at, y) + 0).toBe(want);
      });
      for (const { slot, left, right } of sides ?? []) {
        for (const [want, h] of [
          [left, -DELTA],
          [right, DELTA],
        ] as const) {
          if (want === undefined) continue;
          const q = beside(at, slot, h);
          expect(row.kink!.at(...q) && !(name === "clip" && at[1] === at[2]), `${name}(${q})`).toBe(false);
          const difference = oneSided(row, jump ? q : at, slot, h);
          expect(Math.abs(difference - want)).toBeLessThan(1e-2);
          const local = row.local[slot](...q, row.value(...q));
          expect(Math.abs(local - want)).toBeLessThan(1e-2);
        }
      }
    }
  });

  it("are not reported where the function is smooth", () => {
    const smooth: [string, Operands][] = [
      ["leakyRelu", [0, 1, 0]],
      ["elu", [0, 1, 0]],
      ["trunc", [0, 0, 0]],
      ["atan2", [0, 1, 0]],
      ["hypot", [0, 1, 0]],
      ["round", [2, 0, 0]],
      ["mod", [1, 0, 0]],
      ["mod", [0, 2, 0]],
    ];
    for (const [name, p] of smooth) expect(primitive(name).kink!.at(...p), `${name}(${p})`).toBe(false);
  });

  it("of a power of 0 depend on what varies", () => {
    const [base, exponent] = [1, 2];
    const at = (b: number, constants: number): boolean => primitive("pow").kink!.at(0, b, 0, constants);
    // x^b: flat at b = 0, a polynomial at whole exponents, one-sided or steep between them
    for (const b of [0, 1, 2, 3]) expect(at(b, exponent), `x^${b}`).toBe(false);
    for (const b of [0.5, 1.5, -1, -0.5]) expect(at(b, exponent), `x^${b}`).toBe(true);
    // 0^y is 0 above 0, 1 at it and infinite below
    for (const b of [0.5, 1, 2.5]) expect(at(b, base), `0^y at ${b}`).toBe(false);
    for (const b of [0, -1]) expect(at(b, base), `0^y at ${b}`).toBe(true);
    // x^y is no function of both on both sides of x = 0
    for (const b of [-1, 0, 0.5, 1, 2]) expect(at(b, 0), `x^y at (0, ${b})`).toBe(true);
    expect(primitive("pow").kink!.at(1e-9, 0, 0, 0)).toBe(false);
  });

  it("hand nothing to the branch not taken, however bad the cotangent", () => {
    const cases: [string, number, Operands][] = [
      ["where", 0, [1, 2, 3]],
      ["where", 2, [1, 2, 3]],
      ["where", 1, [0, 2, 3]],
      ["max", 0, [1, 2, 0]],
      ["min", 1, [1, 2, 0]],
      ["clip", 0, [5, 0, 1]],
      ["clip", 1, [5, 0, 1]],
      ["relu", 0, [-1, 0, 0]],
      ["elu", 1, [2, 1, 0]],
      ["floor", 0, [1.5, 0, 0]],
    ];
    for (const [name, slot, p] of cases) {
      const row = primitive(name);
      for (const g of [Infinity, NaN])
        expect(contribution(row, slot, g, ...p, row.value(...p)), name).toBe(0);
    }
  });
});
