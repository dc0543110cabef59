/** What is said of a schedule that a command does not use. */
import { describe, expect, it } from "vitest";
import { notes } from "../../../cli/analyse.js";
import type { CommandKind } from "../../../cli/commands.js";
import type { AnalysedGraph, AnalysisSettings } from "../../../runner/messages.js";

const analysed = (...schedules: readonly string[]): AnalysedGraph<never>[] =>
  schedules.map((schedule, i) => ({
    graph: `g${i}`,
    settings: { schedule } as AnalysisSettings,
    result: null as never,
    failure: null,
  }));
const said = (name: CommandKind, ...schedules: readonly string[]): string[] =>
  notes(name, { analysed: analysed(...schedules) });

describe("a schedule that is not used", () => {
  it("is named, wherever it comes from", () => {
    expect(said("expr", "revolve:4")).toEqual([
      "note: expr keeps everything; the schedule revolve:4 is not used\n",
    ]);
  });
  it("is named once, however many graphs ask for it", () => {
    expect(said("hvp", "sqrt", "store-all", "sqrt", "revolve:2")).toEqual([
      "note: hvp keeps everything; the schedule sqrt is not used\n",
      "note: hvp keeps everything; the schedule revolve:2 is not used\n",
    ]);
  });
  it("is no matter where everything is kept anyway, and where it is used", () => {
    expect(said("jacobian", "store-all")).toEqual([]);
    expect(said("check", "revolve:4")).toEqual([]);
    expect(said("replay", "revolve:4")).toEqual([]);
  });
  it("says nothing of a graph that failed", () => {
    expect(notes("spread", { analysed: [{ graph: "g", failure: {} as never }] })).toEqual([]);
  });
});
