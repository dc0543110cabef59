/** What a comparison says of a graph that was kept whole: the same under every name that means it. */
import { describe, expect, it } from "vitest";
import { compare } from "../../../engine/analysis/compare.js";
import { subjectOf } from "../../../engine/graph/complete.js";
import { chain, graph, mul, sub, type GraphDefinition } from "../../../engine/index.js";
import type { CheckpointReport } from "../../../engine/report/report.js";

const logistic = graph({ r: 3.2, x0: 0.4 }, ({ r, x0 }) => {
  let x: number = x0;
  for (let k = 0; k < 30; k++) x = mul(mul(r, x), sub(1, x));
  return x;
}) as unknown as GraphDefinition;

const small = graph({ x: 2, y: 3 }, ({ x, y }) => mul(x, y)) as unknown as GraphDefinition;

const stepped = graph({ x: 0.5 }, ({ x }) =>
  chain(8, x, (state) => mul(state, state)),
) as unknown as GraphDefinition;

function under(definition: GraphDefinition, schedule: string): CheckpointReport {
  const subject = subjectOf(definition, undefined);
  const { checkpoint } = compare(
    { ...subject, settings: { ...subject.settings, schedule } },
    { kind: "compare" },
  );
  return checkpoint!;
}

describe("a graph that is kept whole", () => {
  it.each([
    ["a graph that is cut", logistic],
    ["a graph too small for it", small],
    ["a chain", stepped],
  ])("has its numbers beside other schedules: %s", (_, definition) => {
    const plain = under(definition, "store-all");
    const fits = under(definition, "auto:1MiB");
    expect(plain.regions).toEqual(fits.regions);
    expect(plain.regions).toHaveLength(1);
    expect(plain.regions[0]).toMatchObject({ schedule: "store-all", executed: null });
    expect(plain.allocatedBytes).toEqual(fits.allocatedBytes);
    expect(plain.allocatedBytes.peak).toBe(plain.allocatedBytes.storeAll);
  });

  it("is as large as other schedules say it is, in as many steps", () => {
    const plain = under(logistic, "store-all");
    const other = under(logistic, "revolve:4");
    // 90 operations of 8 bytes; inputs are always there
    expect(plain.allocatedBytes.storeAll).toBe(720);
    expect(other.allocatedBytes.storeAll).toBe(720);
    expect(plain.regions[0].steps).toBe(other.regions[0].steps);
  });
});
