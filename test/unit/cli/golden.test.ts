/**
 * What the command line prints, whole, for a set of commands. After a wanted change:
 * `UPDATE_GOLDEN=1 npx vitest run test/unit/cli/golden.test.ts`, then read the difference.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { buildForTest, type Built } from "../runner/built.js";

const fixtures = fileURLToPath(new URL("../../fixtures/runner/", import.meta.url));
let built: Built;
beforeAll(async () => {
  built = await buildForTest();
});

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function backsweep(args: readonly string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(built.dist, "cli.js"), ...args], { cwd: fixtures, env: {} });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

const commands: readonly (readonly [string, string, number])[] = [
  ["fan-out", "run fan-out.graph.ts", 0],
  ["third-child", "run fan-out.graph.ts --graph thirdChild", 0],
  ["last-writer", "run fan-out.graph.ts --graph thirdChild --accumulate last-writer-wins", 0],
  ["set-f32", "run fan-out.graph.ts --set x=0.1 --set y=-0 --dtype f32 --order tape", 0],
  ["json", "run fan-out.graph.ts --json --events", 0],
  ["json-last-writer", "run fan-out.graph.ts --json --accumulate last-writer-wins:a", 0],
  ["memory-card", "run fan-out.graph.ts --memory-card", 0],
  ["wide", "run wide.graph.ts", 0],
  ["overflow", "run overflow.graph.ts", 1],
  ["broken", "run broken.graph.ts", 2],
  ["audit", "audit overwrite.audit.ts", 1],
  ["audit-json", "audit overwrite.audit.ts --seed 3 --json", 1],
  ["audit-none", "audit fan-out.graph.ts", 2],
  ["expr", "expr fan-out.graph.ts", 0],
  ["expr-json", "expr fan-out.graph.ts --graph thirdChild --node a --json", 0],
  ["jacobian", "jacobian queries.graph.ts --graph field", 0],
  ["jacobian-json", "jacobian queries.graph.ts --graph field --mode forward --json", 0],
  ["hvp", "hvp queries.graph.ts --graph field --direction x=1,w[1]=2", 0],
  ["hvp-json", "hvp queries.graph.ts --graph field --direction w=[1,0,2] --json", 0],
  ["hvp-unknown", "hvp queries.graph.ts --graph field --direction v=1", 2],
  ["spread", "spread queries.graph.ts --node a", 0],
  ["spread-json", "spread queries.graph.ts --node a --json", 0],
  ["spread-one", "spread queries.graph.ts --node one", 0],
  ["check", "check fan-out.graph.ts --graph fanOut", 0],
  ["check-faults", "check faults.graph.ts", 1],
  ["check-json", "check faults.graph.ts --graph wrongRule --json", 1],
  ["check-every-json", "check throws.graph.ts --json", 2],
  ["check-last-writer", "check fan-out.graph.ts --accumulate last-writer-wins", 1],
  ["check-throws", "check throws.graph.ts", 2],
  ["steps", "steps fan-out.graph.ts --input x --set x=2.1", 0],
  ["steps-json", "steps fan-out.graph.ts --input y --json", 0],
  ["steps-unknown", "steps fan-out.graph.ts --input z", 2],
  ["jacobian-arrays", "jacobian arrays.graph.ts --graph layer", 0],
  ["jacobian-arrays-json", "jacobian arrays.graph.ts --graph layer --mode forward --json", 0],
  ["hvp-arrays", "hvp arrays.graph.ts --graph layer --direction W=[[1,0],[0,1]],x[1]=2", 0],
  ["hvp-arrays-json", "hvp arrays.graph.ts --graph step --direction W[0][1]=1 --json", 0],
  ["hvp-arrays-element", "hvp arrays.graph.ts --graph layer --direction W[0][2]=1", 2],
  ["check-arrays", "check arrays.graph.ts --graph step", 0],
  ["spread-arrays", "spread arrays.graph.ts --graph step --node W[0][1]", 0],
  ["spread-arrays-whole", "spread arrays.graph.ts --graph step --node W", 2],
  ["third-derivative", "run arrays.graph.ts --graph third", 2],
  ["plan-uniform", "plan --steps 64 --schedule uniform:8", 0],
  ["plan-uniform-json", "plan --steps 64 --schedule uniform:8 --json", 0],
  ["plan-uniform-tapes", "plan --steps 64 --schedule uniform-tapes:8", 0],
  ["plan-actions", "plan --steps 7 --schedule hrevolve:1,2,1,1,1,1 --actions", 0],
  ["plan-actions-json", "plan --steps 5 --schedule mixed:2 --actions --json", 0],
  ["plan-blocks", "plan --steps 64 --sweep-block", 0],
  ["plan-depths", "plan --depths 16..4096", 0],
  ["plan-long", "plan --steps 1000000000000000 --schedule revolve:3 --json", 0],
  ["plan-unknown", "plan --steps 64 --schedule uniforn:8", 2],
  ["plan-no-slots", "plan --steps 64 --schedule revolve:0", 2],
  ["plan-no-steps", "plan --steps 0 --schedule sqrt", 2],
  ["help-plan", "plan --help", 0],
  ["help-check", "check --help", 0],
  ["help-steps", "help steps", 0],
  ["option-of-another", "check fan-out.graph.ts --memory-card", 2],
  ["cuts", "run cuts.graph.ts", 0],
  ["cuts-json", "jacobian cuts.graph.ts --json", 0],
  ["check-cuts", "check cuts.graph.ts", 1],
  ["check-wrong-exports", "check wrong-exports.graph.ts", 2],
  ["segments", "run segments.graph.ts --schedule revolve:1", 0],
  ["segments-replay", "replay segments.graph.ts --schedule revolve:1", 0],
  ["help", "--help", 0],
  ["usage", "run fan-out.graph.ts --jsno", 2],
];

describe("the command line prints", () => {
  it.each(commands)("%s: %s", async (name, line, code) => {
    const ran = await backsweep(line.split(" "));
    const text = `$ backsweep ${line}\n[exit code ${ran.code}]\n--- stdout\n${ran.stdout}--- stderr\n${ran.stderr}`;
    const file = join(fixtures, `${name}.golden.txt`);
    if (process.env.UPDATE_GOLDEN || !existsSync(file)) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, "utf8"));
    expect(ran.code).toBe(code);
    // no trace of ours, no colour where nobody looks
    expect(text).not.toMatch(/worker\.js|runner\.js|node:internal/);
    expect(text).not.toContain("\u001b");
  });

  it("nothing but the document on stdout with --json", async () => {
    const { stdout, stderr } = await backsweep(["run", "fan-out.graph.ts", "--json"]);
    const document = JSON.parse(stdout) as {
      gradient: unknown;
      lastWriterWins: unknown;
      fanOut: unknown[];
      edges: { from: number; to: number; step: number }[];
    };
    expect(stderr).toBe("");
    expect(document.gradient).toEqual({ x: 144, y: 132 });
    expect(document.lastWriterWins).toEqual({ gradient: { x: 90, y: 96 } });
    expect(document.fanOut).toHaveLength(3);
    expect(document.edges.find(({ from, to }) => from === 2 && to === 3)!.step).toBe(7);
    expect(document.edges.find(({ from, to }) => from === 2 && to === 4)!.step).toBe(9);
  });

  it("no local derivative into an operation on arrays, which has no single one", async () => {
    const heat = fileURLToPath(new URL("../../../examples/heat.graph.ts", import.meta.url));
    const { code, stdout } = await backsweep(["run", heat]);
    expect(code).toBe(0);
    expect(stdout).toContain("k = 0.8");
    expect(stdout).not.toContain("NaN");
  });

  it("lists a million steps' actions to a reader that goes away", async () => {
    const ran = await new Promise<{ code: number | null; stderr: string; lines: string[] }>((resolve) => {
      const line = "plan --steps 1000000 --schedule revolve:10 --actions";
      const child = spawn(
        process.execPath,
        ["--max-old-space-size=64", join(built.dist, "cli.js"), ...line.split(" ")],
        {
          cwd: fixtures,
          env: {},
        },
      );
      let stderr = "";
      let stdout = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        if (stdout.length > 1 << 20) child.stdout.destroy();
      });
      child.on("close", (code) => resolve({ code, stderr, lines: stdout.split("\n") }));
    });
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
    expect(ran.lines[0]).toBe("revolve:10  1,000,000 steps");
  });

  it("ends quietly when its reader goes away", async () => {
    const ran = await new Promise<Ran>((resolve) => {
      const child = spawn(
        process.execPath,
        [join(built.dist, "cli.js"), "run", "wide.graph.ts", "--json", "--events"],
        { cwd: fixtures, env: {} },
      );
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      child.stdout.once("readable", () => child.stdout.destroy());
      child.on("close", (code) => resolve({ code, stdout: "", stderr }));
    });
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
