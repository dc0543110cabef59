/**
 * Engines in styles unlike the galleries', through a real runner. Faulty: the class in the file's first line, within 200
 * graphs, at most six nodes, and a line with a mark. Correct: no report, which the bench repeats on 20,000 graphs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditResult } from "../../../engine/audit/result.js";
import type { Runner } from "../../../runner/client.js";
import { buildForTest, type Built, quietRunner } from "../runner/built.js";

const fixtures = fileURLToPath(new URL("../../fixtures/audit/", import.meta.url));
const filesOf = (folder: string): string[] =>
  readdirSync(join(fixtures, folder)).filter((name) => name.endsWith(".audit.ts"));

let built: Built;
let runner: Runner;
beforeAll(async () => {
  built = await buildForTest();
  runner = quietRunner(built);
});
afterAll(() => {
  runner?.dispose();
});

async function audited(folder: string, file: string, cases: number, seed: number): Promise<AuditResult[]> {
  const answer = await runner.audit({
    file: join(fixtures, folder, file),
    root: join(fixtures, folder),
    options: {},
    timeoutMs: 120_000,
    memoryBytes: 2 ** 30,
    allowImports: false,
    layout: false,
    audit: { cases, seed },
  });
  if (!answer.ok) throw new Error(answer.failure.message);
  return answer.audited.map((one) => {
    if (one.failure !== null) throw new Error(one.failure.message);
    return one.result;
  });
}

describe("faulty engines in other styles", () => {
  const expected = filesOf("faulty").map((file) => {
    const rows = readFileSync(join(fixtures, "faulty", file), "utf8").split("\n");
    return { file, rows, fault: /^\/\/ expect: (.*)$/.exec(rows[0])![1] };
  });

  it("there are at least two of each of the thirteen classes, of exponential revisits too", () => {
    const counts = new Map<string, number>();
    for (const { fault } of expected) counts.set(fault, (counts.get(fault) ?? 0) + 1);
    expect(counts.size).toBe(13);
    expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(2);
  });

  for (const { file, rows, fault } of expected) {
    it(`${file}: ${fault}`, async () => {
      const [result] = await audited("faulty", file, 200, 0);
      expect([result.verdict, result.fault?.class]).toEqual(["faulty", fault]);
      expect(result.smallest?.nodes.length ?? 0).toBeLessThanOrEqual(6);
      expect(result.place, "a line is named").not.toBeNull();
      expect(rows[result.place!.line - 1]).toMatch(/\/\/!|\/\*!\*\//);
    });
  }
});

describe("an engine with two faults", () => {
  it("is named by the one that its smallest failing graph shows", async () => {
    const named = new Set<string>();
    for (let seed = 0; seed < 4; seed++) {
      const [{ fault, smallest }] = await audited("both", "two-faults.audit.ts", 200, seed);
      named.add(fault!.class);
      expect(fault!.operations).toEqual(fault!.class === "overwrite" ? ["mul"] : ["exp"]);
      expect(smallest!.nodes.map(({ op }) => op)).toContain(fault!.operations![0]);
    }
    expect([...named].sort()).toEqual(["overwrite", "wrong local derivative"]);
  });
});

describe("correct engines in other styles", () => {
  it.each(filesOf("correct"))("%s", async (file) => {
    for (const { engine, verdict, message } of await audited("correct", file, 500, 3))
      expect([engine, verdict, message]).toEqual([engine, "clean", "every gradient is right"]);
  });
});
