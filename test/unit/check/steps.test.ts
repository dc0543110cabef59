/** The step-size lab: both branches of the V, taken apart, in two formats (exercise 2 of the subject matter). */
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { graph, type GraphDefinition } from "../../../engine/index.js";
import { steps, type SchemeResult, type StepsResult } from "../../../engine/check/steps.js";
import { subjectOf } from "../../../engine/graph/complete.js";

function lab(definition: unknown, input: string, at?: object, dtype?: "f16" | "bf16"): StepsResult {
  const subject = subjectOf(definition as GraphDefinition, at);
  const settings = { ...subject.settings, ...(dtype !== undefined && { dtype, cotangentDtype: dtype }) };
  return steps({ ...subject, settings }, { kind: "steps", input });
}

const schemes = (result: StepsResult): Record<string, SchemeResult> =>
  Object.fromEntries(
    result.formats.flatMap(({ dtype, schemes: all }) => all.map((one) => [`${dtype} ${one.scheme}`, one])),
  );

const opening = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = B.mul(x, y);
  return B.mul(B.add(a, x), B.mul(a, y));
});
const wave = graph({ x: 1.1, w: [0.3, 0.7] }, ({ x, w }) => B.add(B.exp(B.sin(x)), B.mul(w[1], w[0])));

describe("the opening gradient in binary32", () => {
  const [f32, f64] = lab(opening, "x").formats;
  it("is 144 in both formats, at points of the format", () => {
    expect([f32.derivative, f64.derivative, f32.at, f64.at]).toEqual([144, 144, 2, 2]);
    expect([f32.epsilon, f64.epsilon]).toEqual([2 ** -23, 2 ** -52]);
  });
  it("has forward truncation 36 h exactly: L is x^2 (y^3 + y^2), whose half second derivative is 36", () => {
    for (const { step, truncation, truncationBy } of f32.schemes[0].rows.slice(0, 20)) {
      expect(truncationBy).toBe("f64");
      expect(truncation).toBeCloseTo(36 * step, 8);
    }
  });
  it("has no central truncation: a parabola has no third derivative", () => {
    expect(
      f32.schemes[1].rows.every(
        ({ truncation, truncationBy }) => truncation === 0 && truncationBy === "none",
      ),
    ).toBe(true);
    expect(f32.schemes[1].theory.step).toBeNull();
  });
  it("loses the step below the last place", () => {
    const last = f32.schemes[0].rows.at(-1)!;
    expect(last).toMatchObject({ vanishes: true, quotient: 0, error: 144 });
  });
});

describe("a function with every derivative", () => {
  const all = schemes(lab(wave, "x"));

  it.each(["f32 forward", "f64 forward", "f32 central", "f64 central"])("%s: the error is a V", (name) => {
    const { rows, best, order } = all[name];
    const bottom = rows.findIndex(({ step }) => step === best!.step);
    const last = rows.length - 1;
    expect(bottom).toBeGreaterThan(3);
    expect(bottom).toBeLessThan(last - 3);
    expect(rows[0].error!).toBeGreaterThan(100 * best!.error);
    expect(rows[last].error!).toBeGreaterThan(100 * best!.error);
    // left of the bottom truncation rules and falls with the order, right of it cancellation does
    const [a, b] = [rows[3], rows[4]];
    expect(Math.log2(a.truncation! / b.truncation!)).toBeCloseTo(order, 0);
    expect(a.truncation!).toBeGreaterThan(a.cancellation!);
    expect(rows[last - 2].cancellation!).toBeGreaterThan(rows[last - 2].truncation!);
  });

  it("parts never add up to less than the whole", () => {
    for (const { rows } of Object.values(all))
      for (const { error, truncation, cancellation } of rows)
        if (error !== null && truncation !== null)
          expect(error).toBeLessThanOrEqual((truncation + cancellation!) * (1 + 1e-12) + 1e-300);
  });

  it.each(["f32 forward", "f64 forward", "f32 central", "f64 central"])(
    "%s: the best step is near the predicted one",
    (name) => {
      const { best, theory } = all[name];
      expect(Math.abs(Math.log2(best!.step / theory.step!))).toBeLessThan(4);
      expect(Math.abs(Math.log2(theory.scale / theory.step!))).toBeLessThan(3);
    },
  );

  it("f64 does better than f32, and central better than forward", () => {
    const error = (name: string): number => all[name].best!.error;
    expect(error("f64 forward")).toBeLessThan(1e-3 * error("f32 forward"));
    expect(error("f32 central")).toBeLessThan(error("f32 forward"));
    expect(error("f64 central")).toBeLessThan(0.1 * error("f64 forward"));
  });

  it("truncation is continued where f64 cannot measure it", () => {
    const { rows } = all["f64 central"];
    expect(rows[4].truncationBy).toBe("f64");
    expect(rows.at(-5)!.truncationBy).toBe("order");
    // a third of a sixth: f''' / 6 by three-fold differentiation of exp(sin x)
    const [s, c] = [Math.sin(1.1), Math.cos(1.1)];
    const third = Math.exp(s) * (c ** 3 - 3 * s * c - c);
    const { truncation, step } = rows.at(-5)!;
    expect(truncation! / step ** 2).toBeCloseTo(Math.abs(third) / 6, 3);
  });
});

describe("what can be asked", () => {
  it("an element of an array, and refuses the array", () => {
    const result = lab(wave, "w[1]");
    expect(result.input).toBe("w[1]");
    expect(result.formats[1].derivative).toBeCloseTo(0.3, 15);
    expect(() => lab(wave, "w")).toThrow("the input w is an array of shape [2]: name one element, as w[0]");
    expect(() => lab(wave, "w[2]")).toThrow("w[2]: indices go from 0 to 1 here");
    expect(() => lab(wave, "x[0]")).toThrow("the input x is a number: name one element, as x");
    expect(() => lab(wave, "z")).toThrow('there is no input "z"; inputs are x, w');
  });
  it("a narrower format beside the two", () => {
    const { formats } = lab(wave, "x", undefined, "bf16");
    expect(formats.map(({ dtype }) => dtype)).toEqual(["bf16", "f32", "f64"]);
    expect(formats[0].at).toBe(1.1015625);
    expect(formats[0].schemes[1].best!.error).toBeGreaterThan(formats[1].schemes[1].best!.error);
  });
  it("not a tape, whose values are given", () => {
    const given = B.tape([
      { value: 2, name: "x" },
      { value: 6, parents: [[0, 3]] },
    ]);
    expect(() => lab(given, "x")).toThrow(/are given/);
  });
  it("a point that is NaN is a finding", () => {
    expect(
      lab(
        graph({ x: -1 }, ({ x }) => B.log(x)),
        "x",
      ).nonFinite,
    ).toBe(true);
    expect(lab(wave, "x").nonFinite).toBe(false);
  });
  it("steps out of the domain have no quotient", () => {
    const { rows } = lab(
      graph({ x: 0.125 }, ({ x }) => B.sqrt(B.sub(x, 0.1))),
      "x",
    ).formats[1].schemes[1];
    expect(rows[0]).toMatchObject({ quotient: null, error: null });
    expect(rows[10].quotient).not.toBeNull();
  });
});
