import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonNumber, jsonValue } from "../../../cli/json-value.js";

/** Reads a number back as the product says it is written. */
function back(text: string): number {
  const value: unknown = JSON.parse(text);
  return typeof value === "string" ? Number(value) : (value as number);
}

describe("JSON numbers", () => {
  it("come back as they were", () => {
    fc.assert(
      fc.property(fc.double(), (x) => Object.is(back(jsonNumber(x)), x)),
      { numRuns: 5000 },
    );
    for (const x of [
      0,
      -0,
      NaN,
      Infinity,
      -Infinity,
      2 ** 53,
      2 ** 53 + 2,
      -(2 ** 60),
      1e300,
      5e-324,
      Number.MAX_VALUE,
    ]) {
      expect(back(jsonNumber(x))).toBe(x);
    }
  });

  it("are written as the product states", () => {
    expect(
      [NaN, Infinity, -Infinity, -0, 0, 2 ** 53, 2 ** 53 + 2, -(2 ** 60), 0.1].map((x) => jsonNumber(x)),
    ).toEqual([
      '"NaN"',
      '"Infinity"',
      '"-Infinity"',
      "-0",
      "0",
      "9007199254740992",
      '"9007199254740994"',
      '"-1152921504606846976"',
      "0.1",
    ]);
    expect(jsonNumber(12345678901234567890n)).toBe('"12345678901234567890"');
    expect(jsonNumber(5n)).toBe("5");
  });

  it("any other value is what JSON.stringify writes", () => {
    const plain = fc
      .jsonValue({ noUnicodeString: false } as never)
      // JSON.stringify drops the sign of zero, which ours keeps: that has a test of its own
      .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
      .filter((value) => !/\d{16}|e\+/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(plain, (value) => {
        expect(JSON.parse(jsonValue(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(jsonValue({ a: undefined, b: [undefined, "\u2028"] })).toBe(
      `{ "b": [null, ${JSON.stringify("\u2028")}] }`,
    );
  });
});
