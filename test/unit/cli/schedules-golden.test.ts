/**
 * What `compare`, `replay` and `run --schedule` print, whole, on the examples; measured figures are masked. After a wanted
 * change: `UPDATE_GOLDEN=1 npx vitest run test/unit/cli/schedules-golden.test.ts`, then read the difference.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { buildForTest, type Built } from "../runner/built.js";

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));
const golden = fileURLToPath(new URL("../../fixtures/schedules/", import.meta.url));
let built: Built;
beforeAll(async () => {
  built = await buildForTest();
});

function backsweep(line: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const patient = line.startsWith("plan ") ? [] : ["--timeout", "240"];
    const args = [join(built.dist, "cli.js"), ...line.split(" "), ...patient];
    const child = spawn(process.execPath, args, { cwd: examples, env: {} });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Resident bytes and times, which no two runs share; columns keep their places. */
function masked(text: string): string {
  return (
    text
      .replace(/ *\d+\.\d MiB \(\+[\d.]+ [KM]?i?B\) +\d+\.\d{3}/g, "  MEASURED   SECONDS")
      // a row that failed is as wide as the measured figures of the others
      .replace(/- +- +- +(\w+)$/gm, "-   -   -   $1")
      .replace(/^( +schedule .*?allocated) +measured +seconds/gm, "$1  measured   seconds")
      .replace(
        /("before"|"peak"|"elapsedMs"): \d+(\.\d+)?(e-?\d+)?(?=,?\n? *("peak"|"elapsedMs"|\}))/g,
        "$1: MEASURED",
      )
  );
}

/** Of a run what it says of its schedule; the rest is the business of other golden files. */
function sectionOf(line: string, stdout: string): string {
  const at = line.startsWith("run ") ? stdout.indexOf("\nSchedule ") : -1;
  return at < 0 ? stdout : stdout.slice(at + 1);
}

const commands: readonly (readonly [name: string, line: string, code: number])[] = [
  [
    "compare",
    "compare chain-64.graph.ts --schedules uniform:8,uniform-tapes:8,revolve:6,hrevolve:2,3,none",
    0,
  ],
  ["compare-json", "compare chain-64.graph.ts --schedules uniform:8 --json", 0],
  ["compare-layers", "compare revnet.graph.ts --schedules revolve:2,reversible", 0],
  ["compare-refused", "compare dropout.graph.ts --schedules auto:8,reversible", 0],
  ["replay", "replay dropout.graph.ts --schedule revolve:3", 0],
  ["replay-unmatched", "replay dropout.graph.ts --schedule revolve:3 --stream unmatched", 1],
  ["replay-branch", "replay branch-replay.graph.ts --schedule revolve:2 --replay-dtype f32", 1],
  ["replay-branch-json", "replay branch-replay.graph.ts --schedule revolve:2 --replay-dtype f32 --json", 1],
  ["replay-careless", "replay running-mean.graph.ts --graph careless --schedule revolve:2", 1],
  ["replay-kept", "replay running-mean.graph.ts --graph kept --schedule revolve:2", 0],
  ["replay-cut", "replay layer.graph.ts --schedule revolve:2 --order tape", 0],
  ["replay-layers", "replay revnet.graph.ts --schedule reversible", 0],
  ["replay-store-all", "replay dropout.graph.ts", 2],
  ["run-uniform", "run chain-64.graph.ts --schedule uniform:8", 0],
  ["run-auto", "run heat.graph.ts --schedule auto:16KiB", 0],
  ["run-auto-small", "run heat.graph.ts --schedule auto:100", 2],
  ["run-cut", "run layer.graph.ts --schedule sqrt", 0],
  ["run-budget", "run layer.graph.ts --schedule budget:400", 0],
  ["run-reversible", "run revnet.graph.ts --schedule reversible", 0],
  ["run-careless", "run running-mean.graph.ts --graph careless --schedule revolve:2", 1],
  ["plan-reversible", "plan --steps 12 --schedule reversible", 0],
  ["plan-mixed-inverses", "plan --steps 12 --schedule reversible+revolve:3", 2],
  ["plan-budget", "plan --steps 12 --schedule budget:64", 2],
];

describe("the command line prints", () => {
  it.each(commands)("%s: %s", async (name, line, code) => {
    const ran = await backsweep(line);
    const text = `$ backsweep ${line}\n[exit code ${ran.code}]\n--- stdout\n${masked(sectionOf(line, ran.stdout))}--- stderr\n${ran.stderr}`;
    const file = join(golden, `${name}.golden.txt`);
    if (process.env.UPDATE_GOLDEN || !existsSync(file)) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, "utf8"));
    expect(ran.code).toBe(code);
    // no trace of ours
    expect(text).not.toMatch(/worker(-main)?\.js|runner\.js|node:internal/);
  });

  it("masks what is measured and nothing else", () => {
    const row =
      "  uniform:8        15       1        183     119     1.1 KiB   102.0 MiB (+24.8 MiB)    23.484   equal\n";
    expect(masked(row)).toBe(
      "  uniform:8        15       1        183     119     1.1 KiB  MEASURED   SECONDS   equal\n",
    );
    expect(
      masked('"measured": {\n "before": 12,\n "peak": 13,\n "elapsedMs": 1.5\n}, "peak": 3, "x": 1'),
    ).toBe(
      '"measured": {\n "before": MEASURED,\n "peak": MEASURED,\n "elapsedMs": MEASURED\n}, "peak": 3, "x": 1',
    );
  });
});
