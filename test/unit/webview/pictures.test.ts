import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import { run } from "../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import { executedSpaceTime } from "../../../engine/report/executed-space-time.js";
import { layoutTrace } from "../../../engine/layout/layout.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { Event } from "../../../engine/trace/events.js";
import { blocksAnswer, planAnswer, tradeOffAnswer } from "../../../extension/schedules.js";
import { keepingOf, keepingText } from "../../../webview/model/keeping.js";
import { nonFiniteOrigins } from "../../../webview/model/origins.js";
import { SweepModel } from "../../../webview/model/sweep-model.js";
import { csvText, jsonText } from "../../../webview/plot/table.js";
import { bytesText, countText } from "../../../webview/plot/units.js";
import { storageMarks } from "../../../webview/player/marks.js";
import { sentenceAt, sentenceText } from "../../../webview/text/sentence.js";

const define = (fn: (inputs: never) => unknown, inputs: object = { x: 0.5 }): GraphDefinition =>
  B.graph(inputs as never, fn as never) as unknown as GraphDefinition;

const chained = define(({ x }: { x: number }) => B.chain(6, x, (u) => B.sin(B.mul(u, u)), { name: "time" }));
const timelineOf = (schedule: string): Timeline => new Timeline(run(chained, { schedule }).trace);
const modelOf = (definition: GraphDefinition, schedule: string): SweepModel => {
  const outcome = run(definition, { schedule });
  const head = { id: 1, graph: "g", graphs: ["g"], fileLabel: "g.graph.ts", uri: "file:///g.graph.ts" };
  return new SweepModel({ ...head, ...outcome, positions: layoutTrace(outcome.trace) });
};

describe("the words of storage events", () => {
  it("say every kind, with its step, its state and its slot", () => {
    const timeline = timelineOf("revolve:2");
    const said = new Map<number, string>();
    for (let step = 1; step <= timeline.steps; step++)
      said.set(timeline.kindAt(step), sentenceText(sentenceAt(timeline, step, null)));
    expect(said.get(Event.snapshot)).toMatch(/^State \d is put into slot \d\.$/);
    expect(said.get(Event.restore)).toMatch(/^State \d comes back from slot \d\.$/);
    expect(said.get(Event.reverse)).toMatch(/^Reverse: the sweep comes to step \d of time\.$/);
    expect(said.get(Event.record)).toMatch(/^Record: step \d of time runs again and its tape is held\.$/);
    expect(said.get(Event.advance)).toMatch(
      /^Advance: step \d of time runs again and nothing of it is kept\.$/,
    );
  });

  it("leave no step without words", () => {
    for (const schedule of ["revolve:2", "mixed:3", "bennett", "uniform-tapes:2", "multistage:1,1"]) {
      const timeline = timelineOf(schedule);
      for (let step = 0; step <= timeline.steps; step++)
        expect(sentenceText(sentenceAt(timeline, step, null))).not.toMatch(/^Step \d+: |undefined|^$/);
    }
  });

  it("are marked on the scrub bar", () => {
    const timeline = timelineOf("revolve:2");
    const { snapshots, replays } = storageMarks(timeline);
    for (const step of snapshots) expect(timeline.kindAt(step)).toBe(Event.snapshot);
    expect(replays.every(([from, to]) => from >= timeline.forwardSteps && to > from)).toBe(true);
    expect(storageMarks(timelineOf("store-all"))).toEqual({ snapshots: [], replays: [] });
  });
});

describe("what a schedule does with a node", () => {
  it("is told by mark and word, a state in a slot as a snapshot", () => {
    const model = modelOf(chained, "revolve:2");
    const timeline = model.timeline("sum");
    const keeping = keepingOf(model, timeline)!;
    const seen = new Set<string>();
    for (let step = 0; step <= timeline.steps; step++)
      for (let node = 0; node < timeline.trace.nodes.n; node++) seen.add(keepingText(keeping.of(node, step)));
    const words = Array.from(seen);
    for (const sign of [
      "\u25cf stored",
      "\u25c6 snapshot",
      "\u25cb dropped",
      "\u21bb replayed",
      "\u2013 freed",
    ])
      expect(words.some((word) => word.startsWith(sign))).toBe(true);
  });

  it("calls snapshots exactly the nodes of states that lie in slots", () => {
    const model = modelOf(chained, "revolve:2");
    const timeline = model.timeline("sum");
    const keeping = keepingOf(model, timeline)!;
    const { segments } = timeline.trace;
    for (let step = 0; step <= timeline.steps; step++) {
      const held = new Set(keeping.states.slotsAt(step).map(({ state }) => state));
      for (let node = 0; node < timeline.trace.nodes.n; node++) {
        if (keeping.of(node, step).keep !== "snapshot") continue;
        const row = Array.from({ length: segments!.n }, (_, i) => i).find(
          (i) => segments!.first[i] <= node && node < segments!.end[i],
        )!;
        expect(held.has(segments!.step[row] + 1)).toBe(true);
      }
    }
  });

  it("is nothing where everything is kept", () => {
    const model = modelOf(chained, "store-all");
    expect(keepingOf(model, model.timeline("sum"))).toBeNull();
  });

  it("calls what a pebbling schedule puts down a pebble", () => {
    const model = modelOf(chained, "bennett");
    const timeline = model.timeline("sum");
    const keeping = keepingOf(model, timeline)!;
    const keeps = new Set<string>();
    for (let step = 0; step <= timeline.steps; step++)
      for (let node = 0; node < timeline.trace.nodes.n; node++) keeps.add(keeping.of(node, step).keep);
    expect(keeps.has("pebble")).toBe(true);
    expect(keeps.has("snapshot")).toBe(false);
  });

  it("says of each state that an inverse gave back how far it is from the first run's", () => {
    const layered = define(
      ({ x, y }: { x: number; y: number }) => {
        const layer = B.coupling<B.Half>(
          (half) => B.tanh(half as never),
          (half) => B.sin(half as never),
        );
        const [a, b] = B.chain(5, [x, y] as never, layer as never, { name: "layers" }) as [number, number];
        return B.add(a, b);
      },
      { x: 0.5, y: 0.3 },
    );
    const model = modelOf(layered, "reversible");
    const timeline = model.timeline("sum");
    const keeping = keepingOf(model, timeline)!;
    const { layers } = model.view.report!.checkpoint!.reconstruction!;
    const seen = new Map<number, Set<number | undefined>>();
    const { segments, nodes } = timeline.trace;
    for (let step = 0; step <= timeline.steps; step++)
      for (let node = 0; node < nodes.n; node++) {
        const { keep, ulps } = keeping.of(node, step);
        if (keep !== "reconstructed") continue;
        expect(step).toBeGreaterThan(timeline.forwardSteps);
        const row = Array.from({ length: segments!.n }, (_, i) => i).find(
          (i) => segments!.first[i] <= node && node < segments!.end[i],
        )!;
        // the state behind a layer is what the inverse of the next one gives back
        const layer = segments!.step[row] + 1;
        seen.set(layer, (seen.get(layer) ?? new Set()).add(ulps));
      }
    expect(Array.from(seen.keys()).sort()).toEqual([1, 2, 3, 4]);
    for (const { layer, ulps } of layers) if (layer > 0) expect(seen.get(layer)).toEqual(new Set([ulps]));
    expect(keepingText({ keep: "reconstructed", replays: 0, ulps: 1 })).toBe("\u21a9 reconstructed, 1 ULP");
    expect(keepingText({ keep: "reconstructed", replays: 0, ulps: 0 })).toBe("\u21a9 reconstructed, exact");
  });
});

describe("where NaN begins", () => {
  it("is the first node forward and the first contribution of the sweep", () => {
    const definition = define(({ x }: { x: number }) => B.mul(B.sqrt(B.sub(x, 2)), B.sqrt(x)));
    const timeline = new Timeline(run(definition, {}).trace);
    const { forward, reverse } = nonFiniteOrigins(timeline);
    expect(forward).toMatchObject({ value: "NaN", node: 2 });
    expect(reverse).not.toBeNull();
    expect(reverse!.step).toBeGreaterThan(timeline.forwardSteps);
    expect(nonFiniteOrigins(timelineOf("store-all"))).toEqual({ forward: null, reverse: null });
  });
});

describe("answers about schedules", () => {
  it("are plain data, also where counts leave the doubles", () => {
    const plan = planAnswer(1e15, "revolve:3");
    expect(typeof plan.executed.totalForwards).toBe("string");
    expect(() => JSON.stringify([plan, tradeOffAnswer(64), blocksAnswer(64)])).not.toThrow();
  });

  it("give the textbook's figure: 16 states and 56 replays at k = 8 of 64", () => {
    const { rows, best, storeAll } = blocksAnswer(64);
    expect(rows.find(({ blockSize }) => blockSize === 8)!.model).toEqual({ peakStates: 16, replays: 56 });
    expect([best.blockSize, storeAll]).toEqual([8, 65]);
    expect(blocksAnswer(4096).rows.length).toBeLessThan(700);
  });

  it("draw no states-only schedule below the binomial curve", () => {
    const { points, curve } = tradeOffAnswer(24);
    for (const point of points.filter(({ statesOnly, x }) => statesOnly && x > 1)) {
      const least = Math.min(...curve.filter(({ x }) => x <= point.x).map(({ y }) => y));
      expect(point.y).toBeGreaterThanOrEqual(least);
    }
  });
});

describe("saved numbers", () => {
  it("are quoted in CSV and keep what JSON has no word for", () => {
    const table = {
      columns: ["a, b", 'say "c"'],
      rows: [
        [1, "x\ny"],
        [NaN, null],
      ],
    };
    expect(csvText(table)).toBe('"a, b","say ""c"""\n1,"x\ny"\nNaN,\n');
    expect(JSON.parse(jsonText(table))[1]).toEqual({ "a, b": "NaN", 'say "c"': null });
  });

  it("read well", () => {
    expect([0, 999, 1234, 2.5e7].map(bytesText)).toEqual(["0 B", "999 B", "1.23 kB", "25.0 MB"]);
    expect(countText("12345678901234567890")).toBe("12,345,678,901,234,567,890");
  });
});

describe("the diagram of a sweep", () => {
  it("has its marks at positions of the timeline that are such actions", () => {
    const { trace } = run(chained, { schedule: "revolve:2" });
    const timeline = new Timeline(trace);
    const { marks } = executedSpaceTime(trace, 0, 6);
    const kinds = new Set([Event.advance, Event.record, Event.reverse, Event.restore]);
    for (let i = 0; i < marks.n; i++) expect(kinds.has(timeline.kindAt(marks.position[i]))).toBe(true);
  });
});
