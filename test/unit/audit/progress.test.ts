/** What an audit tells while it goes on: in this process every word, through the runner now and then. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAudit } from "../../../engine/audit/audit.js";
import type { AuditProgress } from "../../../engine/audit/result.js";
import { progressText } from "../../../engine/audit/progress-text.js";
import type { AuditTold } from "../../../runner/audit-messages.js";
import type { Runner } from "../../../runner/client.js";
import { buildForTest, type Built, quietRunner } from "../runner/built.js";
import { examples, gallery } from "./gallery.js";

describe("the audit tells", () => {
  it("of a right engine each graph before it is tried, then that it looks at the growth", async () => {
    const engine = (await gallery("correct-engines")).find(({ name }) => name === "closures")!;
    const told: AuditProgress[] = [];
    const { verdict } = runAudit(engine.name, engine.definition, {
      cases: 25,
      told: (progress) => told.push(progress),
    });
    expect(verdict).toBe("clean");
    expect(told).toEqual([
      ...Array.from({ length: 25 }, (_, tried) => ({ doing: "trying", tried })),
      { doing: "growing", tried: 25 },
    ]);
  });

  it("of a faulty one the graphs up to the one that fails, and then that it is made smaller", async () => {
    for (const { name, definition } of await gallery("faulty-engines")) {
      const told: AuditProgress[] = [];
      const { cases } = runAudit(name, definition, { cases: 200, told: (progress) => told.push(progress) });
      expect(told.map(({ tried }) => tried)).toEqual(told.map(({ tried }) => tried).sort((a, b) => a - b));
      expect(told.at(-1)!.doing).not.toBe("trying");
      expect(told.at(-1)!.tried).toBe(cases);
      expect(told.filter(({ doing }) => doing === "trying")).toHaveLength(cases);
    }
  });
});

describe("through the runner", () => {
  let built: Built;
  let runner: Runner;
  beforeAll(async () => {
    built = await buildForTest();
    runner = quietRunner(built);
  });
  afterAll(() => {
    runner?.dispose();
  });

  it("the first word of each thing that is done arrives, with the engine's name", async () => {
    const root = join(examples, "faulty-engines");
    const told: AuditTold[] = [];
    const answer = await runner.audit(
      {
        file: join(root, "overwrite.audit.ts"),
        root,
        options: {},
        timeoutMs: 60_000,
        memoryBytes: 2 ** 29,
        allowImports: false,
        layout: false,
        audit: { cases: 200, seed: 0 },
      },
      undefined,
      (progress) => told.push(progress),
    );
    if (!answer.ok) throw new Error(answer.failure.message);
    const [{ engine, failure }] = answer.audited;
    expect(failure).toBeNull();
    expect(told[0]).toEqual({ engine, doing: "trying", tried: 0 });
    const cases = answer.audited[0].failure === null ? answer.audited[0].result.cases : 0;
    expect(told.filter(({ doing }) => doing === "shrinking")).toEqual([
      { engine, doing: "shrinking", tried: cases },
    ]);
  });
});

it("is said in a few words", () => {
  expect(progressText({ doing: "trying", tried: 37 }, 200)).toBe("37 of 200 graphs");
  expect(progressText({ doing: "shrinking", tried: 4 }, 200)).toBe(
    "wrong on graph 4: looking for the smallest",
  );
  expect(progressText({ doing: "growing", tried: 200 }, 200)).toBe(
    "right on all 200 graphs: looking at how its work grows",
  );
});
