/** Step sweeps along one line: which step is chosen, how far the quotient is trusted, what is recognised on the way. */
import { describe, expect, it } from "vitest";
import { judge } from "../../../engine/check/judge.js";
import { lineQuotients, powerBelow, stepsFor, type LineQuotients } from "../../../engine/check/quotients.js";
import { taylorTest } from "../../../engine/check/taylor.js";

function sample(
  f: (x: number) => number,
  x: number,
): (t: number) => Parameters<typeof lineQuotients>[1] & { t: number } {
  return (t) => ({ t: x + t - x, value: f(x + t), size: Math.abs(f(x + t)), crossing: null });
}
const sweep = (f: (x: number) => number, x: number): LineQuotients =>
  lineQuotients(sample(f, x), sample(f, x)(0), x);

describe("steps", () => {
  it("are powers of two, relative to the coordinate, and from 1 for a small one", () => {
    expect(powerBelow(5)).toBe(4);
    expect(powerBelow(-0.3)).toBe(0.25);
    expect(powerBelow(0)).toBe(1);
    expect(stepsFor(5).steps[0]).toBe(1);
    expect(stepsFor(2 ** -20).steps[0]).toBe(0.25);
    for (const step of [...stepsFor(7).steps, ...stepsFor(0).further])
      expect(Number.isInteger(Math.log2(step))).toBe(true);
  });
});

describe("a sweep", () => {
  it.each([
    ["exp", Math.exp, 1, Math.E],
    ["sin of a large argument", (x: number) => Math.sin(x), 1e6, Math.cos(1e6)],
    ["a fast wave", (x: number) => Math.sin(1e4 * x), 0.3, 1e4 * Math.cos(3e3)],
    ["a root near its edge", (x: number) => Math.sqrt(x - 0.4999999), 0.5, 0.5 / Math.sqrt(0.5 - 0.4999999)],
    ["a shift that eats digits", (x: number) => x * x + 1e8, 3, 6],
    ["log near 0", Math.log, 1e-100, 1e100],
    ["1 / x", (x: number) => 1 / x, 1e-3, -1e6],
  ])("finds the derivative of %s within its own error", (_, f, x, derivative) => {
    const { central, kink, wild } = sweep(f, x);
    expect(Math.abs(central!.value - derivative)).toBeLessThanOrEqual(4 * central!.error);
    expect(central!.error).toBeLessThan(1e-3 * Math.abs(derivative));
    expect(kink).toBeNull();
    expect(wild).toBe(false);
  });

  it("chooses a smaller step forward than central: O(h) against O(h^2)", () => {
    const { central, forward } = sweep(Math.exp, 1);
    expect(forward!.step).toBeLessThan(central!.step);
    expect(forward!.error).toBeGreaterThan(central!.error);
  });

  it("sees a kink, and none in a parabola", () => {
    expect(sweep(Math.abs, 0).kink).toEqual({ left: -1, right: 1 });
    expect(sweep((x) => x * x, 0).kink).toBeNull();
    expect(sweep((x) => Math.max(x, 0) + x * x, 0).kink!.right).toBeCloseTo(1, 6);
  });

  it("leaves out what is outside the domain", () => {
    expect(sweep(Math.log, 1e-9)).toMatchObject({ outside: expect.any(Number) as number, kink: null });
    expect(sweep(Math.log, 1e-9).outside).toBeGreaterThan(5);
    expect(sweep(() => NaN, 1).central).toBeNull();
  });

  it("calls noise wild", () => {
    const noise = (x: number): number => (Math.sin(x * 1e12) * 43758.5453) % 1;
    expect(sweep(noise, 0.3).wild).toBe(true);
  });

  it("reports the branch that every step crosses", () => {
    const crossing = { site: 7, decision: ">" };
    const along = (t: number): ReturnType<ReturnType<typeof sample>> => ({
      t,
      value: t,
      size: 1,
      crossing: t > 0 ? crossing : null,
    });
    expect(lineQuotients(along, along(0), 0).edge).toBe(crossing);
  });
});

describe("the verdict", () => {
  const verdict = (f: (x: number) => number, x: number, derivative: number): string =>
    judge(derivative, sweep(f, x), 1e-7, 0, false).verdict;

  it("follows the quotient", () => {
    expect(verdict(Math.exp, 1, Math.E)).toBe("ok");
    expect(verdict(Math.exp, 1, Math.E * (1 + 1e-5))).toBe("failed");
    expect(verdict(Math.exp, 1, 0)).toBe("failed");
    expect(verdict(() => 3, 1, 1)).toBe("failed");
    expect(verdict((x) => 1e6 * x ** 3, 0, 5)).toBe("failed");
    expect(verdict(Math.exp, 1, NaN)).toBe("failed");
  });
  it("says where nothing is proved", () => {
    expect(verdict((x) => x * x, 0, 0)).toBe("zero");
    expect(verdict(Math.abs, 0, 0)).toBe("kink");
    expect(verdict(Math.abs, 0, 1)).toBe("kink");
    expect(verdict(() => NaN, 0, 1)).toBe("unclear");
  });
});

describe("the Taylor remainder", () => {
  const test = (f: (x: number) => number, x: number, slope: number): ReturnType<typeof taylorTest> =>
    taylorTest(sample(f, x), sample(f, x)(0), slope, 0);

  it("falls with order 2 for a right derivative and 1 for a wrong one", () => {
    expect(test(Math.exp, 1, Math.E).order).toBeCloseTo(2, 2);
    expect(test(Math.exp, 1, Math.E).verdict).toBe("ok");
    expect(test(Math.exp, 1, 2.5)).toMatchObject({ verdict: "failed" });
    expect(test(Math.exp, 1, 2.5).order).toBeCloseTo(1, 2);
    expect(test(Math.exp, 1, Math.E * (1 + 1e-6)).verdict).toBe("failed");
  });
  it("falls faster where the second derivative is 0", () => {
    expect(test(Math.sin, 0, 1).order).toBeCloseTo(3, 1);
  });
  it("vanishes for a linear function, and for one that is linear near by", () => {
    expect(test((x) => 3 * x + 1, 2, 3)).toMatchObject({ linear: true, verdict: "ok", order: null });
    expect(test((x) => Math.max(x - 1e-3, 0) + x, 0, 1)).toMatchObject({ linear: true, verdict: "ok" });
    expect(test((x) => 3 * x + 1, 2, 2.9).verdict).toBe("failed");
  });
  it("tells nothing of noise", () => {
    expect(test((x) => (Math.sin(x * 1e12) * 43758.5453) % 1, 0.3, 1e16).verdict).toBe("unclear");
  });
});
