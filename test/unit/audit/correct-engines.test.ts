/** Correct engines of every style are clean on 1,000 graphs. */
import { describe, expect, it } from "vitest";
import { runAudit } from "../../../engine/audit/audit.js";
import { gallery } from "./gallery.js";

const engines = await gallery("correct-engines");

describe("correct engines", () => {
  it("come in at least eight styles", () => {
    expect(new Set(engines.map(({ file }) => file)).size).toBeGreaterThanOrEqual(9);
  });

  for (const { file, name, definition } of engines) {
    it(`${file}: ${name}`, () => {
      const result = runAudit(name, definition, { cases: 1_000, seed: 11 });
      expect([result.verdict, result.message, result.cases]).toEqual([
        "clean",
        "every gradient is right",
        1_000,
      ]);
      expect(result.gradientsRight).toBe(true);
    });
  }
});
