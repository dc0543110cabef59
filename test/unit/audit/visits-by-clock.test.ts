/** Growth by the clock: found where it is exponential, on a busy machine too, and never because the machine was busy. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byClock, type Chain } from "../../../engine/audit/visits-by-clock.js";

/** An engine that takes `cost(length)` ms, and a machine that holds it up now and then. */
function machine(cost: (length: number) => number, delays: () => number) {
  let now = 0;
  const runs: number[] = [];
  const chain: Chain = (length) => () => {
    runs.push(length);
    now += cost(length) + delays();
    return true;
  };
  return { chain, clock: () => now, runs };
}

const linear = (length: number): number => length * 0.005;
const doubling = (length: number): number => 2 ** length * 0.002;

describe("visits that cannot be counted", () => {
  it("are exponential where the time is", () => {
    const { chain, clock } = machine(doubling, () => 0);
    expect(byClock(chain, clock)).toEqual({
      diamonds: [12, 16],
      visits: [8.19, 131],
      unit: "ms",
      place: null,
    });
  });

  it("are found in short times by a longer chain", () => {
    const { chain, clock } = machine(
      (length) => doubling(length) / 50,
      () => 0,
    );
    expect(byClock(chain, clock)?.diamonds).toEqual([12, 16, 20]);
  });

  it("are not accused when the machine stops once, whenever that is", () => {
    for (let at = 0; at < 12; at++) {
      let run = 0;
      const { chain, clock, runs } = machine(linear, () => (run++ === at ? 276 : 0));
      expect(byClock(chain, clock), `stopped in run ${at}`).toBeNull();
      expect(runs.length).toBeGreaterThan(2);
    }
  });

  it("are accused wrongly only when the machine stops in every round", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (stops) => {
        let run = 0;
        const { chain, clock, runs } = machine(linear, () => (stops[run++] ? 300 : 0));
        if (byClock(chain, clock) === null) return;
        // one run that raises the suspicion, and five that confirm it
        const longest = Math.max(...runs);
        const stopped = runs.filter((length, i) => length === longest && stops[i]);
        expect(stopped.length).toBeGreaterThanOrEqual(6);
      }),
    );
  });

  it("are found when the machine stops now and then", () => {
    for (let first = 0; first < 3; first++) {
      let run = first;
      const { chain, clock } = machine(doubling, () => (run++ % 3 === 0 ? 300 : 0));
      expect(byClock(chain, clock)?.visits).toEqual([8.19, 131]);
    }
  });

  it("are nothing where the sweep fails or there is no chain", () => {
    expect(byClock(() => null)).toBeNull();
    expect(byClock(() => () => false)).toBeNull();
  });
});
