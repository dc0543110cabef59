import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../../engine/replay/hash.js";

describe("the fingerprint of an array", () => {
  it("shows every change of one element, the sign of zero and the last bit included", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double(), { minLength: 1, maxLength: 40 }),
        fc.nat(),
        fc.double(),
        (elements, at, other) => {
          const i = at % elements.length;
          const changed = Float64Array.from(elements);
          changed[i] = other;
          const same = Object.is(elements[i], other);
          const [a, b] = [fingerprint(Float64Array.from(elements)), fingerprint(changed)];
          expect(a[0] === b[0] && a[1] === b[1]).toBe(same);
        },
      ),
      { numRuns: 500 },
    );
    expect(fingerprint(Float64Array.of(0))).not.toEqual(fingerprint(Float64Array.of(-0)));
    expect(fingerprint(Float64Array.of(1, 2))).not.toEqual(fingerprint(Float64Array.of(2, 1)));
    expect(fingerprint(Float64Array.of(0))).not.toEqual(fingerprint(Float64Array.of(0, 0)));
  });

  it("takes every NaN for the same, and a view for what it shows", () => {
    const words = new Uint32Array([1, 0x7ff00000, 0, 0xfff80000]);
    const two = new Float64Array(words.buffer);
    expect(fingerprint(two)).toEqual(fingerprint(Float64Array.of(NaN, NaN)));
    expect(fingerprint(Float64Array.of(9, 1, 2).subarray(1))).toEqual(fingerprint(Float64Array.of(1, 2)));
  });
});
