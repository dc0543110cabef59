import { describe, expect, it } from "vitest";
import { bytes, rounder } from "../../../engine/ops/dtype.js";
import type { Dtype } from "../../../engine/trace/trace.js";

/** Value of a bit pattern, by definition of the format. */
function decode(bits: number, exponentBits: number, fractionBits: number): number {
  const bias = 2 ** (exponentBits - 1) - 1;
  const sign = bits >>> 15 ? -1 : 1;
  const exponent = (bits >>> fractionBits) & (2 ** exponentBits - 1);
  const fraction = bits & (2 ** fractionBits - 1);
  if (exponent === 2 ** exponentBits - 1) return fraction ? NaN : sign * Infinity;
  if (exponent === 0) return sign * fraction * 2 ** (1 - bias - fractionBits);
  return sign * (1 + fraction / 2 ** fractionBits) * 2 ** (exponent - bias);
}

const formats: [Dtype, number, number][] = [
  ["f16", 5, 10],
  ["bf16", 8, 7],
];

describe.each(formats)("%s", (dtype, exponentBits, fractionBits) => {
  const round = rounder(dtype);
  const value = (bits: number): number => decode(bits, exponentBits, fractionBits);
  const infinity = (2 ** exponentBits - 1) << fractionBits;

  it("leaves all 65536 bit patterns as they are, signed zeros and NaN included", () => {
    let count = 0;
    for (let bits = 0; bits < 65536; bits++) {
      if (!Object.is(round(value(bits)), value(bits)))
        throw new Error(`pattern ${bits}: ${round(value(bits))}`);
      count++;
    }
    expect(count).toBe(65536);
  });

  it("rounds to nearest, ties to even, between every pair of neighbours and up to overflow", () => {
    const next = (x: number, direction: 1 | -1): number => {
      const view = new DataView(new ArrayBuffer(8));
      view.setFloat64(0, x);
      view.setBigInt64(0, view.getBigInt64(0) + BigInt(direction));
      return view.getFloat64(0);
    };
    const wrong: number[] = [];
    for (let bits = 0; bits < infinity; bits++) {
      const low = value(bits);
      // the neighbour of the largest number is the power of two that stands for Infinity
      const beyond = bits + 1 === infinity ? 2 ** (2 ** (exponentBits - 1)) : value(bits + 1);
      const high = bits + 1 === infinity ? Infinity : beyond;
      const tie = (low + beyond) / 2; // exact in double
      const even = bits % 2 === 0 ? low : high;
      for (const sign of [1, -1]) {
        if (!Object.is(round(sign * tie), sign * even)) wrong.push(sign * tie);
        if (!Object.is(round(sign * next(tie, -1)), sign * low)) wrong.push(sign * next(tie, -1));
        if (!Object.is(round(sign * next(tie, 1)), sign * high)) wrong.push(sign * next(tie, 1));
      }
    }
    expect(wrong).toEqual([]);
  });

  it("takes what is out of range to 0 and Infinity", () => {
    expect(round(5e-324)).toBe(0);
    expect(Object.is(round(-5e-324), -0)).toBe(true);
    expect(Object.is(round(-1e-300), -0)).toBe(true);
    for (const x of [1e300, Number.MAX_VALUE, Infinity]) {
      expect(round(x)).toBe(Infinity);
      expect(round(-x)).toBe(-Infinity);
    }
    expect(round(NaN)).toBeNaN();
  });
});

describe("number formats", () => {
  it("knows the constants of f16 and bf16", () => {
    const f16 = rounder("f16");
    const bf16 = rounder("bf16");
    expect(f16(65504)).toBe(65504);
    expect(f16(65519.99)).toBe(65504);
    expect(f16(65520)).toBe(Infinity);
    expect(f16(2 ** -24)).toBe(2 ** -24);
    expect(f16(2 ** -25)).toBe(0);
    expect(f16(0.1)).toBe(0.0999755859375);
    expect(bf16(0.1)).toBe(0.10009765625);
    expect(bf16(3.3895313892515355e38)).toBe(3.3895313892515355e38);
  });

  it("rounds once: a value just above a tie of bf16 that f32 would pull onto it goes up", () => {
    const x = 1 + 2 ** -8 + 2 ** -40;
    expect(rounder("bf16")(x)).toBe(1 + 2 ** -7);
    expect(rounder("bf16")(Math.fround(x))).toBe(1);
    const z = 1 + 2 ** -11 + 2 ** -40;
    expect(rounder("f16")(z)).toBe(1 + 2 ** -10);
  });

  it("takes f32 from Math.fround and leaves f64 alone", () => {
    expect(rounder("f32")(0.1)).toBe(Math.fround(0.1));
    expect(rounder("f32")(1e39)).toBe(Infinity);
    expect(rounder("f64")(0.1)).toBe(0.1);
  });

  it("states bytes, and refuses an unknown format by name", () => {
    expect((["f64", "f32", "f16", "bf16"] as const).map(bytes)).toEqual([8, 4, 2, 2]);
    expect(() => rounder("f8" as Dtype)).toThrow('"f8"');
    expect(() => bytes("toString" as Dtype)).toThrow('"toString"');
  });
});
