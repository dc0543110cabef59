/** The replay contract: what honest steps do holds under every schedule, and each way to break it is named. */
import { describe, expect, it } from "vitest";
import { replay, type ReplayAnalysis, type ReplayResult } from "../../../engine/analysis/replay.js";
import { run } from "../../../engine/graph/complete.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import * as B from "../../../engine/index.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import { outside } from "../../../engine/tape/outside.js";
import { chainSchedules } from "../checkpoint/execute/schedules-for-tests.js";

const define = (inputs: Record<string, unknown>, fn: (inputs: never) => unknown): GraphDefinition =>
  B.graph(inputs as never, fn as never) as unknown as GraphDefinition;
const context = { name: "graph", graphs: ["graph"], root: "", limitBytes: Infinity };
const asked: ReplayAnalysis = { kind: "replay", stream: "matched", dtype: null, accumulate: null };
const replayed = (
  definition: GraphDefinition,
  change: Partial<ReplayAnalysis> = {},
  schedule = "revolve:2",
): ReplayResult =>
  replay(
    { definition, settings: resolveOptions(definition, { schedule }), context },
    { ...asked, ...change },
  );
const broken = ({ points }: ReplayResult): string[] =>
  points.filter(({ holds }) => !holds).map(({ point }) => point);

const honest = define({ x: 0.4 }, ({ x }: { x: number }) => {
  const mean = B.runningState(0);
  return B.chain(9, x, (u) => {
    const centred = B.sub(B.dropout(u, 0.2), mean.get());
    mean.update(0.9 * mean.get() + 0.1);
    return B.add(B.sin(centred), B.mul(x, B.random()));
  });
});
const dropouts = define({ x: 0.8 }, ({ x }: { x: number }) =>
  B.chain(8, x, (u) => B.add(B.tanh(B.dropout(u, 0.4)), u)),
);

describe("steps that keep the contract", () => {
  it("hold under every schedule, and the gradient is store-all's to the bit", () => {
    for (const schedule of chainSchedules) {
      const result = replayed(honest, {}, schedule);
      expect(broken(result), schedule).toEqual([]);
      expect(result.distance!.equal, schedule).toBe(true);
      expect(result.firstDerivativeMismatch).toBe(null);
    }
  });

  it("are compared value by value", () => {
    const { compared } = replayed(honest);
    expect(compared.replays).toBeGreaterThan(8);
    expect(compared.draws).toBe(2 * compared.replays);
    expect(compared.values).toBeGreaterThan(4 * compared.replays);
  });
});

describe("a broken contract is named", () => {
  it("unmatched streams: the same work and peak, another derivative", () => {
    const matched = replayed(dropouts);
    const result = replayed(dropouts, { stream: "unmatched" });
    expect(broken(result)).toEqual(["random"]);
    expect(result.mismatches[0].message).toMatch(/^draw 1 of chain, step \d is .* in the replay and was/);
    expect(result.mismatches[0].index).toBe(0);
    expect(result.checkpoint!.regions).toEqual(matched.checkpoint!.regions);
    expect(result.checkpoint!.allocatedBytes).toEqual(matched.checkpoint!.allocatedBytes);
    expect(result.distance!.equal).toBe(false);
    expect(result.firstDerivativeMismatch).not.toBe(null);
  });

  it("an array mask drawn anew", () => {
    const masks = define(
      { w: Float64Array.from({ length: 20 }, (_, i) => i + 1) },
      ({ w }: { w: B.Tensor }) => B.chain(5, w, (u) => B.dropout(u, 0.5).mul(1.1)).sum(),
    );
    expect(broken(replayed(masks))).toEqual([]);
    const result = replayed(masks, { stream: "unmatched" });
    expect(broken(result)).toEqual(["random"]);
    expect(result.distance!.equal).toBe(false);
  });

  it("another format: the first value that rounds otherwise, in ULPs", () => {
    const result = replayed(dropouts, { dtype: "f32" });
    expect(broken(result)).toEqual(["format"]);
    const value = result.mismatches.find(({ node }) => node >= 0)!;
    expect(value.first).not.toBe(value.replay);
    expect(Math.fround(value.replay!)).toBe(value.replay);
    expect(value.ulps).toBeGreaterThan(0);
  });

  it("another accumulation over the replay", () => {
    const result = replayed(dropouts, { accumulate: "kahan" });
    expect(broken(result)).toEqual(["format"]);
    expect(result.mismatches[0].message).toContain("declared to be added by sum");
  });

  it("a counter of its own, updated by every replay: the constant, in both runs", () => {
    const careless = define({ x: 0.5 }, ({ x }: { x: number }) => {
      let mean = 0;
      return B.chain(8, x, (u) => {
        mean = 0.9 * mean + 0.1;
        return B.sub(B.sin(u), mean);
      });
    });
    const result = replayed(careless);
    expect(broken(result)).toEqual(["state"]);
    expect(result.mismatches[0].message).toMatch(/reads another constant .* keep it in a runningState/);
    expect(result.distance!.equal).toBe(false);
    expect(() => run(careless, { schedule: "revolve:2" })).toThrowError(
      expect.objectContaining({ kind: "replay" }) as Error,
    );
    expect(run(careless, {}).report.finding).toBe(false);
  });

  it("a typed array that is written to between the runs", () => {
    const written = define({ w: Float64Array.of(1, 2) }, ({ w }: { w: B.Tensor }) => {
      const shift = Float64Array.of(0.5, 0.25);
      const end = B.chain(6, w, (u) => B.sin(u).add(B.tensor(shift)));
      shift[1] = 7;
      return end.sum();
    });
    const result = replayed(written);
    expect(broken(result)).toEqual(["write"]);
    expect(() => run(written, { schedule: "revolve:2" })).toThrowError(
      expect.objectContaining({ kind: "replay" }) as Error,
    );
  });

  it("a state object that user code changes while it is saved makes no difference", () => {
    const make = (mutate: boolean): GraphDefinition =>
      define({ x: 0.5 }, ({ x }: { x: number }) => {
        const seen: number[][] = [];
        const end = B.chain(6, [x, 1], (u) => {
          const next = [B.sin(B.mul(u[0]!, u[1]!)), u[1]!];
          for (const old of seen) if (mutate) old[1] = 9;
          seen.push(next);
          return next;
        });
        return B.add(end[0]!, 0);
      });
    const result = replayed(make(false));
    expect(broken(result)).toEqual([]);
    const changed = replayed(make(true));
    expect(changed.distance === null || changed.distance.equal || broken(changed).length > 0).toBe(true);
  });

  it("random numbers from elsewhere, with the draw's number", () => {
    const noisy = define({ x: 0.5 }, ({ x }: { x: number }) =>
      B.chain(6, x, (u) => {
        let noise = 0;
        for (let i = 0; i < 2; i++) {
          noise = i === 0 ? 0.25 : Math.random();
          // what the realm's stand-in does
          outside.listener?.({ what: "Math.random()", value: noise, site: -1 });
        }
        return B.mul(B.sin(u), noise);
      }),
    );
    const result = replayed(noisy);
    expect(broken(result)).toEqual(["random"]);
    expect(result.mismatches[0].message).toContain("Math.random() gives");
    expect(result.mismatches[0].message).toContain("draw 2 of the step");
    expect(result.outside[0]).toMatchObject({ what: "Math.random()" });
    expect(outside.listener).toBe(null);
  });

  it("another program: there is no gradient", () => {
    let runs = 0;
    const other = define({ x: 0.5 }, ({ x }: { x: number }) =>
      B.chain(4, x, (u) => (runs++ < 4 ? B.sin(u) : B.cos(u))),
    );
    const result = replayed(other);
    expect(result.completed).toBe(false);
    expect(result.gradient).toBe(null);
    expect(broken(result)).toEqual(["state"]);
  });

  it("nothing to replay under store-all", () => {
    expect(() => replayed(dropouts, {}, "store-all")).toThrowError(/nothing is replayed/);
  });
});

describe("runningState", () => {
  it("starts every recording from the same value, and leaves what the last one made", () => {
    const count = B.runningState({ n: 0, means: [1, 2] });
    const definition = define({ x: 2 }, ({ x }: { x: number }) => {
      const { n, means } = count.get();
      count.update({ n: n + 1, means: means.map((m) => m + n) });
      count.update({ ...count.get(), n: count.get().n + 2 });
      return B.mul(x, count.get().n);
    });
    expect(run(definition, {}).report.gradient).toEqual({ x: 3 });
    expect(run(definition, {}).report.gradient).toEqual({ x: 3 });
    expect(count.get()).toEqual({ n: 3, means: [1, 2] });
    count.update(count.get());
    expect(run(definition, {}).report.gradient).toEqual({ x: 6 });
  });

  it("hands out copies, and keeps no derivative", () => {
    const list = B.runningState([1, 2]);
    (list.get() as number[])[0] = 9;
    expect(list.get()).toEqual([1, 2]);
    const definition = define({ x: 3 }, ({ x }: { x: number }) => {
      list.update([x, x]);
      return B.mul(x, list.get()[0]!);
    });
    const { gradient, notes } = run(definition, {}).report;
    expect(gradient).toEqual({ x: 3 });
    expect(notes.some(({ code, message }) => code === "cut" && message.includes("runningState"))).toBe(true);
  });
});
