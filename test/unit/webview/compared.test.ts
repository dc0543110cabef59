import { describe, expect, it } from "vitest";
import type { CompareAnswer, ComparedRow } from "../../../engine/report/questions.js";
import { csvText } from "../../../webview/plot/table.js";
import { comparedNumbers, gradientText } from "../../../webview/schedules/compared-numbers.js";
import { ulpsText } from "../../../webview/text/ulps.js";

const row = (schedule: string, rest: Partial<ComparedRow> = {}): ComparedRow => ({
  schedule,
  failure: null,
  counts: {
    steps: 24,
    peakStates: 4,
    peakTapes: 1,
    totalForwards: 75,
    extraForwards: 51,
    replays: 28,
  },
  allocatedBytes: 96,
  measured: { before: 100, peak: 160, elapsedMs: 12 },
  distance: { equal: true, worst: null },
  reversible: false,
  remarks: [],
  ...rest,
});

const answer: CompareAnswer = {
  reference: "store-all",
  notes: [],
  rows: [
    row("store-all"),
    row("revolve:4"),
    row("reversible", { reversible: true, distance: { equal: false, worst: { name: "w[0]", ulps: 3 } } }),
    row("mixed:2", { distance: { equal: false, worst: { name: "x", ulps: 1.5e9 } } }),
    row("auto:8", {
      failure: { kind: "memory", message: "no schedule fits 8 bytes" },
      counts: null,
      allocatedBytes: null,
      measured: null,
      distance: null,
    }),
  ],
};

describe("the rows of a comparison", () => {
  it("say of each gradient what the command line says", () => {
    expect(answer.rows.map((one) => gradientText(one, "store-all"))).toEqual([
      "the reference",
      "equal, bit for bit",
      "inverse: d/dw[0] by 3 ULPs",
      "differs: d/dx by 1.5e9 ULPs",
      "",
    ]);
  });

  it("are saved with the kind of figure in the name of its column", () => {
    const { columns, rows } = comparedNumbers(answer);
    for (const kind of [", count", "allocated bytes", "measured bytes", "seconds, measured"])
      expect(columns.some((name) => name.includes(kind))).toBe(true);
    const at = (name: string, of: number): unknown => rows[of][columns.indexOf(name)];
    expect(at("after loading, measured bytes", 0)).toBe(60);
    expect(at("seconds, measured", 0)).toBe(0.012);
    expect(at("failure", 4)).toBe("no schedule fits 8 bytes");
    expect(rows.every((cells) => cells.length === columns.length)).toBe(true);
    expect(csvText({ columns, rows }).split("\n")).toHaveLength(7);
  });
});

describe("units in the last place", () => {
  it("are counted in words", () => {
    expect([0, 1, 41, 3072, 2.5, 1.25e12].map(ulpsText)).toEqual([
      "0 ULPs",
      "1 ULP",
      "41 ULPs",
      "3,072 ULPs",
      "2.5 ULPs",
      "1.25e12 ULPs",
    ]);
    expect(ulpsText(NaN)).toBe("a number on one side only");
  });
});
