/** Every faulty engine is found within 200 graphs, named, and shrunk; by many seeds here, with its line in the runner's test. */
import { describe, expect, it } from "vitest";
import { runAudit } from "../../../engine/audit/audit.js";
import { faults, gallery } from "./gallery.js";

const engines = await gallery("faulty-engines");
const SEEDS = 20;

describe("faulty engines", () => {
  it("there is one for each class, and each class is expected of one", () => {
    expect(engines.map(({ name }) => name).sort()).toEqual(Object.keys(faults).sort());
    expect(new Set(Object.values(faults)).size).toBe(13);
  });

  for (const { name, definition } of engines) {
    // its draws are seen in the runner only (lines.test.ts); without them it may pass for a stale one
    if (name === "jitter") continue;
    it(`${name}: ${faults[name]}, by ${SEEDS} seeds`, () => {
      for (let seed = 0; seed < SEEDS; seed++) {
        const result = runAudit(name, definition, { seed });
        expect([seed, result.verdict, result.fault?.class]).toEqual([seed, "faulty", faults[name]]);
        expect(result.cases).toBeLessThanOrEqual(200);
        if (faults[name] === "exponential revisits") expect(result.gradientsRight).toBe(true);
        else expect(result.smallest!.nodes.length).toBeLessThanOrEqual(6);
      }
    });
  }
});
