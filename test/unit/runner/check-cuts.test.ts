/** Derivatives that are missing because a traced number became a plain one: never said to be right. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildForTest, type Built } from "./built.js";

let built: Built;
let folder: string;
beforeAll(async () => {
  built = await buildForTest();
  folder = mkdtempSync(join(tmpdir(), "backsweep-cuts-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function check(body: string): { code: number | null; text: string } {
  const file = join(folder, "cut.graph.ts");
  writeFileSync(
    file,
    `import { graph } from "backsweep";\nexport const f = graph({ x: 0.7, y: 2 }, ({ x, y }) => {\n${body}\n});\n`,
  );
  const { status, stdout } = spawnSync(process.execPath, [join(built.dist, "cli.js"), "check", file], {
    encoding: "utf8",
    cwd: folder,
    env: {},
  });
  return { code: status, text: stdout };
}

describe("check and values that left the tape", () => {
  it.each([
    ["a single-precision array", "const b = new Float32Array(1); b[0] = Math.exp(x); return b[0] * y * x;"],
    ["a double-precision array", "const b = new Float64Array(1); b[0] = Math.exp(x); return b[0] * y * x;"],
    ["Math.fround", "return Math.fround(x) + Math.exp(Math.sin(x)) * y;"],
  ])("%s: the missing part is a finding, and the cut is named", (_name, body) => {
    const { code, text } = check(body);
    expect(code).toBe(1);
    expect(text).toContain("FAILED");
    expect(text).toMatch(/cut\.graph\.ts:3:\d+: a traced number is .* no derivative flows/);
  });

  it("everything: what was cut is a finding, too, and named", () => {
    const { code, text } = check("const b = new Float64Array(2); b[0] = x; b[1] = y; return b[0] * b[1];");
    expect(code).toBe(1);
    expect(text).toContain("no output depends on an input: every derivative is 0");
    expect(text).toContain("the derivative by x is 0, the difference quotient 2");
    expect(text).toMatch(/stored in a typed array here: no derivative flows; the difference quotient sees/);
    expect(text).not.toContain("ok:");
  });

  it("one of several outputs: the derivative that is missing is a finding", () => {
    const { code, text } = check("return { kept: x * y, lost: Math.fround(x * y) };");
    expect(code).toBe(1);
    expect(text).toContain("FAILED");
    expect(text).toMatch(/rounded by Math\.fround here: no derivative flows/);
  });

  it("a step function of the inputs: nothing is missing, and the cut is named all the same", () => {
    const { code, text } = check("return [3, 5, 7, 11][Math.floor(y + 0.5)] * x;");
    expect(code).toBe(0);
    expect(text).toMatch(/rounded by Math\.floor here: .* find no derivative that is missing here/);
    expect(text).toContain("ok:");
  });

  it("a constant: there is nothing to check", () => {
    const { code, text } = check("return 3;");
    expect(code).toBe(0);
    expect(text).toContain("no output depends on an input: there is nothing to check");
  });
});

describe("every command that runs a graph", () => {
  const module = `import { chain, graph } from "backsweep";
export const f = graph({ x: 1.5 }, ({ x }) => chain(4, x, (s) => s * 0.5 + x * Math.fround(s)));
`;
  const ask = (line: string): { code: number | null; text: string } => {
    writeFileSync(join(folder, "every.graph.ts"), module);
    const [command, ...options] = line.split(" ");
    const args = [join(built.dist, "cli.js"), command, "every.graph.ts", ...options];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: folder, env: {} });
    return { code: status, text: stdout };
  };
  // the exit code is what it is without a cut: expr compares with quotients, as check does
  it.each([
    ["run", 0],
    ["steps --input x", 0],
    ["jacobian", 0],
    ["jacobian --mode forward", 0],
    ["hvp --direction x=1", 0],
    ["spread --node x", 0],
    ["expr", 1],
    ["replay --schedule revolve:2", 0],
    ["compare --schedules revolve:2", 0],
  ] as const)("%s names the cut, to a person and in JSON", (line, code) => {
    const human = ask(line);
    expect(human.text).toMatch(
      /Remarks\n {2}warning {2}every\.graph\.ts:2:\d+: a traced number is rounded by Math\.fround here: no derivative flows/,
    );
    expect(human.code).toBe(code);
    const { notes } = JSON.parse(ask(`${line} --json`).text) as { notes: object[] };
    expect(notes).toContainEqual({
      code: "cut",
      severity: "warning",
      message: "a traced number is rounded by Math.fround here: no derivative flows (4 times)",
      node: expect.any(Number) as number,
      file: "every.graph.ts",
      line: 2,
      column: expect.any(Number) as number,
      endLine: 2,
      endColumn: expect.any(Number) as number,
    });
  });
});
