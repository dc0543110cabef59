import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deviation, reference, referenceNames } from "./reference.js";

describe("the reference files", () => {
  it("are 34, and each is of a problem that a test of its own goes through", () => {
    const tests = readdirSync(import.meta.dirname)
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))
      .join("\n");
    expect(referenceNames.length).toBe(34);
    for (const name of referenceNames) {
      const problem = reference(name).eval;
      const through = [`referencesOf("${problem}")`, `name: "${problem}"`, `("${name}")`];
      expect(
        through.some((text) => tests.includes(text)),
        name,
      ).toBe(true);
    }
  });

  it("are compared in their own metric, and NaN is never near", () => {
    const absolute = { tolerance: { metric: "|a-b| / max(1,|a|+|b|)" } };
    const relative = { tolerance: { metric: "|a-b| / max(|a|,|b|)" } };
    expect(deviation(absolute, [3, 1e-3], [5, 2e-3])).toBe(2 / 8);
    expect(deviation(relative, [1e-9], [2e-9])).toBe(0.5);
    expect(deviation(relative, [0], [0])).toBe(0);
    expect(deviation(absolute, [NaN, 1], [1, 1])).toBe(Infinity);
    expect(deviation(absolute, [1, NaN], [1.5, 1])).toBe(Infinity);
    expect(deviation(absolute, [1], [1, 1])).toBe(Infinity);
  });
});
