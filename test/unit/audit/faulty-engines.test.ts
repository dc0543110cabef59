/** Every faulty engine is found within 200 graphs, named, and shrunk; by many seeds here, with its line in the runner's test. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { philox, philoxUniform } from "../../../engine/replay/philox.js";
import { runAudit } from "../../../engine/audit/audit.js";
import { faults, gallery } from "./gallery.js";

const engines = await gallery("faulty-engines");
const SEEDS = 8;
/** Recursions that visit every path take their time. */
const SLOW_SEEDS = 2;

/** An engine that draws must fail alike every time this file runs, so its Math.random is a stream of known draws. */
function seedDraws(seed: number): void {
  let draw = 0;
  vi.spyOn(Math, "random").mockImplementation(() => philoxUniform(philox([draw++, 0, 0, 0], [seed, 0])));
}
afterEach(() => void vi.restoreAllMocks());

describe("faulty engines", () => {
  it("there is one for each class, and each class is expected of one", () => {
    expect(engines.map(({ name }) => name).sort()).toEqual(Object.keys(faults).sort());
    expect(new Set(Object.values(faults)).size).toBe(13);
  });

  for (const { name, definition } of engines) {
    const seeds = faults[name] === "exponential revisits" ? SLOW_SEEDS : SEEDS;
    it(`${name}: ${faults[name]}, by ${seeds} seeds`, () => {
      for (let seed = 0; seed < seeds; seed++) {
        vi.restoreAllMocks();
        seedDraws(seed);
        const result = runAudit(name, definition, { seed });
        expect([seed, result.verdict, result.fault?.class]).toEqual([seed, "faulty", faults[name]]);
        expect(result.cases).toBeLessThanOrEqual(200);
        if (faults[name] === "exponential revisits") expect(result.gradientsRight).toBe(true);
        else expect(result.smallest!.nodes.length).toBeLessThanOrEqual(6);
      }
    });
  }
});
