import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { goals, judge } from "../../../bench/goals.js";
import { met } from "../../../bench/extra/section.js";
import { engines } from "../../../bench/engines/index.js";
import { performanceDocument } from "../../../bench/report/document.js";
import { parseOptions, wanted } from "../../../bench/options.js";
import { fullSize } from "../../../bench/problems/index.js";
import { Meter } from "../../../bench/process/clock.js";
import { markdownTable, number, textTable } from "../../../bench/report/table.js";
import type { EngineResult, ItemResult } from "../../../bench/rounds.js";
import { median, quantile } from "../../../bench/stats.js";

const engineResult = (id: string, ratio: number | null): EngineResult => ({
  id,
  title: id,
  group: "ours",
  failure: ratio === null ? "no" : null,
  refused: false,
  error: 0,
  ms: ratio,
  ratio,
  quartiles: null,
  coldMs: null,
});
const itemOf = (...results: EngineResult[]): ItemResult => ({
  id: "rosenbrock-10000",
  title: "",
  operations: 1,
  rounds: 1,
  reference: "",
  engines: results,
});

describe("options", () => {
  it("takes values after a sign or a space", () => {
    const options = parseOptions(["--only=gmm,chain", "--rounds", "7", "--json"]);
    expect(options).toMatchObject({ only: ["gmm", "chain"], rounds: 7, json: true, write: false });
  });

  it("installs nothing for a smoke run", () => {
    expect(parseOptions(["--smoke"])).toMatchObject({ offline: true, cold: 0 });
    expect(parseOptions([]).offline).toBe(false);
  });

  it.each([["--fast"], ["rounds"], ["--rounds=0"], ["--rounds=x"], ["--rounds"]])("refuses %s", (arg) => {
    expect(() => parseOptions([arg])).toThrow();
  });

  it("writes the document of full runs only", () => {
    expect(parseOptions(["--write", "--rounds=3"]).write).toBe(true);
    for (const part of ["--smoke", "--only=gmm", "--engines=adnn"])
      expect(() => parseOptions(["--write", part])).toThrow(/full run/);
  });

  it("wants everything when nothing is named", () => {
    expect(wanted("chain-3000", [])).toBe(true);
    expect(wanted("chain-3000", ["gmm", "chain"])).toBe(true);
    expect(wanted("chain-3000", ["gmm"])).toBe(false);
    expect(wanted("object-graph", ["graph"])).toBe(true);
    expect(wanted("object-graph", ["graph"], ["graph", "object-graph"])).toBe(false);
  });
});

describe("statistics", () => {
  it("takes the middle, and between two the mean", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(quantile([1, 2, 3, 4, 5], 0.25)).toBe(2);
    expect(quantile([1, 3], 0.25)).toBe(1.5);
    expect(median([])).toBeNaN();
  });
});

describe("the meter", () => {
  const work = (
    msOfCall: number,
  ): { calls: number; run: () => never; clocked(n: number): Promise<number> } => ({
    calls: 0,
    run: () => {
      throw new Error("a clocked engine is not run");
    },
    clocked(n) {
      this.calls += n;
      return Promise.resolve(n * msOfCall);
    },
  });

  it("makes as many calls as fit, at least one", async () => {
    const quick = work(0.5);
    const meter = new Meter(quick);
    expect(await meter.measure(10)).toBe(0.5);
    expect(quick.calls).toBe(1);
    expect(await meter.measure(10)).toBe(0.5);
    expect(quick.calls).toBe(21);
    const slow = work(100);
    const other = new Meter(slow);
    await other.measure(10);
    await other.measure(10);
    expect(slow.calls).toBe(2);
  });

  it("is warm when five measurements brought nothing new", async () => {
    const times = [8, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1];
    let at = 0;
    await new Meter({
      run: () => ({ value: 0, gradient: new Float64Array(0) }),
      clocked: () => Promise.resolve(times[at++]),
    }).warm(0.001, 60_000);
    expect(at).toBe(9);
  });
});

describe("goals", () => {
  it("name work items and engines that there are", () => {
    const known = [...engines.map(({ id }) => id)];
    for (const { item: id, engine: own, against } of goals) {
      expect(fullSize).toContain(id);
      for (const each of [own, ...against]) expect(known).toContain(each);
    }
  });

  it("are ratios to the fastest that is compared with", () => {
    const results = judge([
      itemOf(
        engineResult("hand-js", 1),
        engineResult("handles", 30),
        engineResult("loader", 60),
        engineResult("jax-js-f64", 5),
      ),
    ]);
    const reached = (own: string, other: string): number | null | undefined =>
      results.find((goal) => goal.engine === own && goal.against.includes(other))?.reached;
    expect(reached("handles", "hand-js")).toBe(30);
    expect(reached("loader", "handles")).toBe(2);
  });

  it("are neither met nor missed where a time is missing", () => {
    const [handles] = judge([itemOf(engineResult("hand-js", 1), engineResult("handles", null))]);
    expect(handles.reached).toBeNull();
    expect(judge([])).toEqual([]);
  });

  it("of figures go both ways", () => {
    const figure = { what: "", unit: "" };
    expect(met({ ...figure, value: 2, goal: 2 })).toBe(true);
    expect(met({ ...figure, value: 2.1, goal: 2 })).toBe(false);
    expect(met({ ...figure, value: 2, least: 3 })).toBe(false);
    expect(met({ ...figure, value: null, goal: 3 })).toBeNull();
    expect(met({ ...figure, value: 3 })).toBeNull();
  });
});

describe("the document", () => {
  it("names date, machine, goals, engines and how to repeat it", () => {
    const results = [engineResult("hand-js", 1), engineResult("handles", 84)];
    const items = [itemOf(...results)];
    const section = {
      id: "memory",
      title: "Memory",
      figures: [{ what: "peak", value: 3, unit: "B", goal: 2 }],
    };
    const goalResults = judge(items);
    const root = resolve(import.meta.dirname, "../../..");
    const text = performanceDocument(
      { items, sections: [section], goals: goalResults, date: "2001-02-03", load: 0 },
      parseOptions([]),
    );
    for (const part of ["2001-02-03", `Node ${process.versions.node}`, "npm run bench -- --write", "peak"])
      expect(text).toContain(part);
    expect(text).toContain("| handles at most 42 x hand JS | 42 | 84.0 | MISSED, 2.00 x the limit |");
    expect(text).toContain("| peak | 3.00 | B | <= 2 | MISSED |");
    expect(text).not.toContain(root);
  });
});

describe("tables", () => {
  it("have three digits that count", () => {
    expect([123456, 12.345, 0.012345, 0.00000012, 0, null].map(number)).toEqual([
      "123456",
      "12.3",
      "0.0123",
      "0.000000",
      "0",
      "",
    ]);
  });

  it("are aligned, and escape what Markdown would read", () => {
    const rows = [
      ["a", "1", "x|y"],
      ["long", "20", ""],
    ];
    expect(textTable(["", "n", ""], rows)).toBe("       n\na      1  x|y\nlong  20");
    expect(markdownTable(["", "n", ""], rows)).toBe(
      "|  | n |  |\n| --- | ---: | --- |\n| a | 1 | x\\|y |\n| long | 20 |  |",
    );
  });
});
