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
  built?.dispose();
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

  it("everything: what was cut is named beside that nothing depends on the inputs", () => {
    const { text } = check("const b = new Float64Array(2); b[0] = x; b[1] = y; return b[0] * b[1];");
    expect(text).toContain("no output depends on an input");
    expect(text).toMatch(/stored in a typed array here: no derivative flows, which may be why/);
    expect(text).not.toContain("ok:");
  });
});
