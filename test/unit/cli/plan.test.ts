import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../../cli/args.js";
import { planJson } from "../../../cli/plan-json.js";
import { planPage } from "../../../cli/plan-page.js";
import type { PlanRequest } from "../../../cli/plan.js";
import { plainStyle } from "../../../cli/style.js";
import { UsageError } from "../../../cli/usage-error.js";
import type { Action } from "../../../engine/checkpoint/actions.js";
import { parseSchedule } from "../../../engine/checkpoint/parse.js";
import { planSchedule } from "../../../engine/checkpoint/plan.js";
import { sweepBlock, sweepDepths } from "../../../engine/checkpoint/sweep-block.js";

const request = (line: string): PlanRequest => {
  const command = parseCommandLine(["plan", ...line.split(" ")]);
  if (command.command !== "plan") throw new Error(command.command);
  return command.request;
};
const mistake = (line: string): string => {
  try {
    parseCommandLine(["plan", ...line.split(" ").filter((word) => word !== "")]);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error("understood");
};

describe("plan on the command line", () => {
  it("reads its options", () => {
    expect(
      request("--steps 64 --schedule uniform:8 --actions --sweep-block --depths 16..4096 --json"),
    ).toEqual({
      steps: 64,
      schedule: "uniform:8",
      actions: true,
      sweepBlock: true,
      depths: { from: 16, to: 4096 },
    });
    expect(request("--depths 3..5")).toEqual({
      ...{ steps: null, schedule: null, actions: false, sweepBlock: false },
      depths: { from: 3, to: 5 },
    });
    expect(request("--steps 1e6 --sweep-block").steps).toBe(1e6);
  });

  it.each([
    ["", "how long is the chain?"],
    ["--steps 64", "which schedule?"],
    ["--schedule sqrt", "how long is the chain?"],
    ["--depths 16..32 --sweep-block", "how long is the chain?"],
    ["--steps 64 --sweep-block --actions", "--actions needs --schedule"],
    ["--steps 0 --schedule sqrt", '"0" is no whole number from 1 to 10^15'],
    ["--steps 1.5 --schedule sqrt", "--steps"],
    ["--steps 1e16 --schedule sqrt", "--steps"],
    ["--depths 16-32", '--depths: "16-32"'],
    ["a.graph.ts --steps 64 --schedule sqrt", 'plan reads no file: "a.graph.ts"'],
    ["--steps 64 --schedule sqrt --order tape", "plan takes no --order"],
  ])("refuses %j", (line, message) => {
    expect(mistake(line)).toContain(message);
  });
});

const text = (pieces: Iterable<string>): string => [...pieces].join("");
const nothing = { plan: null, actions: null, blocks: null, depths: null };

describe("plan's JSON", () => {
  it("is one document with every section", () => {
    const schedule = parseSchedule("revolve:2");
    const document = JSON.parse(
      text(
        planJson({
          plan: planSchedule(schedule, 5),
          actions: schedule.actions(5),
          blocks: sweepBlock(5),
          depths: sweepDepths(16, 18),
        }),
      ),
    ) as Record<string, unknown> & { actions: unknown[]; blocks: unknown[]; bestBlocks: unknown[] };
    expect(document).toMatchObject({ schedule: "revolve:2", steps: 5, countedBy: "stream", model: null });
    expect(document.actions).toEqual([...schedule.actions(5)]);
    expect(document.blocks).toHaveLength(5);
    expect(document.bestBlocks).toHaveLength(3);
  });

  it("reads actions as it writes them", () => {
    let taken = 0;
    function* endless(): Generator<Action> {
      for (;;) {
        taken++;
        yield { kind: "record", step: 0 };
      }
    }
    let pieces = 0;
    for (const piece of planJson({ ...nothing, actions: endless() }))
      if (piece !== "" && ++pieces === 100) break;
    expect(taken).toBeLessThan(105);
  });
});

describe("plan's page", () => {
  it("says why the two ways of counting differ", () => {
    const page = text(
      planPage({ ...nothing, plan: planSchedule(parseSchedule("uniform:8"), 64) }, plainStyle),
    );
    expect(page).toMatch(/peak states +16 +15/);
    expect(page).toMatch(/replays +56 +56/);
    expect(page).toMatch(/total forwards +120 +183/);
    expect(page.replace(/\s+/g, " ")).toContain("which the theorem counts twice");
  });

  it("draws the figure with the best block marked", () => {
    const page = text(planPage({ ...nothing, blocks: sweepBlock(64) }, plainStyle));
    expect(page).toMatch(/^ +65 \|.*-/m);
    expect(page).toMatch(/^ +16 \|.*O/m);
    expect(page).toMatch(/^ +\*8 +16 +56/m);
    const long = text(planPage({ ...nothing, blocks: sweepBlock(5000) }, plainStyle));
    expect(long.split("\n").length).toBeLessThan(80);
    expect(long).toContain("of 5,000 lengths");
  });
});
