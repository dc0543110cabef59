import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { run } from "../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import { executedSpaceTime, scheduledRegions } from "../../../engine/report/executed-space-time.js";
import { memorySeries } from "../../../engine/report/memory-series.js";
import { memoryReport, walkMemory } from "../../../engine/report/memory.js";
import { MarkKind, type SpaceTime } from "../../../engine/report/space-time.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { planAnswer } from "../../../extension/schedules.js";

const chainOf = (steps: number): GraphDefinition =>
  B.graph({ x: 0.5, w: 1.1 }, ({ x, w }) =>
    B.sin(B.chain(steps, x, (u) => B.tanh(B.mul(w, u)))),
  ) as unknown as GraphDefinition;

/** Evaluations that a diagram shows. */
function forwards({ marks }: SpaceTime): number {
  let sum = 0;
  for (let i = 0; i < marks.n; i++) {
    const kind = marks.kind[i];
    if (kind === MarkKind.advance) sum += marks.to[i] - marks.from[i];
    else if (kind === MarkKind.record || kind === MarkKind.recordAndReverse) sum++;
    else if (kind === MarkKind.uncompute) sum++;
  }
  return sum;
}

/** States and tapes held at once at most, those of an open block included. */
function mostHeld({ holds, rows }: SpaceTime): number {
  let most = 0;
  for (let row = 0; row <= rows; row++) {
    let held = 0;
    for (let i = 0; i < holds.n; i++) if (holds.since[i] <= row && holds.until[i] > row) held++;
    most = Math.max(most, held);
  }
  return most;
}

const names = [
  "revolve:3",
  "uniform:4",
  "uniform-tapes:3",
  "mixed:4",
  "bisection",
  "none",
  "online:3",
  "pebble:5",
];

describe("the space-time diagram", () => {
  it("shows every evaluation of a plan once", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.constantFrom(...names), (steps, name) => {
        let plan;
        try {
          plan = planAnswer(steps, name);
        } catch {
          // too few pebbles for so long a chain
          return;
        }
        expect(forwards(plan.diagram)).toBe(plan.executed.totalForwards);
        const reversed = Array.from({ length: plan.diagram.marks.n }, (_, i) => i)
          .filter((i) =>
            [MarkKind.reverse, MarkKind.recordAndReverse].includes(plan.diagram.marks.kind[i] as 2),
          )
          .map((i) => plan.diagram.marks.from[i]);
        expect(reversed).toEqual(Array.from({ length: steps }, (_, i) => steps - 1 - i));
      }),
    );
  });

  it("holds as many states as the plan counts", () => {
    for (const name of ["revolve:3", "revolve:5", "none"])
      expect(mostHeld(planAnswer(20, name).diagram)).toBe(planAnswer(20, name).executed.peakStates);
    // a state that is stored and freed between two rows takes no time, so it is not drawn
    for (const name of ["uniform:4", "bisection", "online:3"])
      expect(mostHeld(planAnswer(20, name).diagram)).toBeLessThanOrEqual(
        Number(planAnswer(20, name).executed.peakStates),
      );
  });

  it("is the same for a sweep that executed the schedule", () => {
    for (const name of ["revolve:3", "uniform:4", "uniform-tapes:3", "mixed:4"]) {
      const { trace } = run(chainOf(12), { schedule: name });
      const [region] = scheduledRegions(trace);
      expect(region).toMatchObject({ kind: "chain", steps: 12, executed: true });
      const executed = executedSpaceTime(trace, region.region, region.steps);
      const planned = planAnswer(12, name).diagram;
      expect(forwards(executed)).toBe(forwards(planned));
      expect(executed.rows).toBe(planned.rows);
      for (const column of ["kind", "row", "from", "to"] as const)
        expect(executed.marks[column]).toEqual(planned.marks[column]);
      expect(Array.from(executed.marks.position)).toEqual(
        Array.from(executed.marks.position).sort((a, b) => a - b),
      );
    }
  });

  it("is cut where it could not be drawn, and says so", () => {
    const { diagram } = planAnswer(100_000, "revolve:10");
    expect(diagram.cut).toBe(true);
    expect(diagram.marks.n).toBeLessThanOrEqual(3000);
  });

  it("finds no region in a graph that keeps everything and has no chain", () => {
    const plain = B.graph({ x: 2 }, ({ x }) => B.mul(x, x)) as unknown as GraphDefinition;
    expect(scheduledRegions(run(plain, {}).trace)).toEqual([]);
  });
});

describe("memory over the steps", () => {
  it("keeps the peaks however few columns there are", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 90 }),
        fc.constantFrom("revolve:3", "store-all"),
        (columns, name) => {
          const { trace } = run(chainOf(12), { schedule: name });
          const { steps } = new Timeline(trace);
          const series = memorySeries(trace, steps, columns);
          const report = memoryReport(trace);
          const figures = [
            report.instructions,
            report.primalStates,
            report.cotangentBuffers,
            report.metadata,
          ];
          series.bands.forEach((band, i) => {
            expect(band.peakCount).toBe(figures[i].peakCount);
            expect(band.peakCountAt).toBe(figures[i].atStep);
            expect(band.peakBytes).toBe(figures[i].peakBytes);
            expect(Math.max(...band.counts)).toBe(figures[i].peakCount);
          });
          expect(series.starts[0]).toBe(0);
          expect(series.starts[series.starts.length - 1]).toBe(steps + 1);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("is the walk itself where there are columns enough", () => {
    const { trace } = run(chainOf(5), { schedule: "revolve:2" });
    const { steps } = new Timeline(trace);
    const series = memorySeries(trace, steps, 1e6);
    walkMemory(trace, (position, held) =>
      held.forEach((count, kind) => expect(series.bands[kind].counts[position]).toBe(count)),
    );
  });
});
