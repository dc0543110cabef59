import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseCommandLine } from "../../../../cli/args.js";
import type { LintCall } from "../../../../cli/lint.js";
import { lintCommand } from "../../../../cli/lint-command.js";
import { engines } from "./engines.js";

const { text: FAULTY } = engines("engines-a").find(({ name }) => name === "faulty-micro-mul.py")!;
let folder = "";
let file = "";
let printed = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backsweep-lint-python-"));
  file = join(folder, "engine.py");
  writeFileSync(file, FAULTY);
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((...args: unknown[]) => {
    printed += String(args[0]);
    const done = args.at(-1);
    if (typeof done === "function") (done as () => void)();
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]): Promise<number> =>
  lintCommand(parseCommandLine(["lint", ...words]) as LintCall);

describe("backsweep lint on Python", () => {
  it("finds files of a folder beside those of other languages, not those of installed packages", async () => {
    for (const below of ["site-packages", ".venv", "__pycache__"]) {
      mkdirSync(join(folder, below));
      writeFileSync(join(folder, below, "engine.py"), FAULTY);
    }
    writeFileSync(join(folder, "engine.ts"), "export const grad = 1;\n");
    expect(await run(folder, "--json")).toBe(1);
    const files = JSON.parse(printed) as { filePath: string; messages: { ruleId: string; line: number }[] }[];
    expect(files.map(({ filePath }) => filePath)).toEqual([file, join(folder, "engine.ts")]);
    expect(files[0].messages.map(({ ruleId, line }) => [ruleId, line])).toEqual([
      ["overwriting-accumulation", 24],
      ["overwriting-accumulation", 25],
    ]);
  });

  it("prints what a person reads, and SARIF", async () => {
    expect(await run(file)).toBe(1);
    expect(printed).toContain("`__mul__` assigns `self.grad`; `__add__` accumulates into it (line 14)");
    expect(printed).toContain("2 problems (2 errors, 0 warnings)");
    printed = "";
    await run(file, "--format", "sarif");
    const { runs } = JSON.parse(printed) as {
      runs: { results: { locations: unknown[]; relatedLocations: unknown[]; fixes: unknown[] }[] }[];
    };
    expect(runs[0].results).toHaveLength(2);
    expect(JSON.stringify(runs[0].results[0].locations)).toContain("engine.py");
    expect(runs[0].results[0].relatedLocations.length).toBeGreaterThan(0);
  });

  it("applies what siblings prove, and is silent afterwards", async () => {
    expect(await run(file, "--fix")).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(FAULTY.replace(/\.grad = (?=\w+\.data \*)/g, ".grad += "));
    printed = "";
    expect(await run(file)).toBe(0);
    expect(printed).toBe("1 file, no problem\n");
  });
});
