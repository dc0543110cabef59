/** Files and folders that the file system keeps from us: each is told of, and all others are linted and mended. */
import type * as Fs from "node:fs";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseCommandLine } from "../../../cli/args.js";
import type { LintCall } from "../../../cli/lint.js";
import { lintCommand } from "../../../cli/lint-command.js";
import { FIXTURES } from "./fixtures.js";

// permissions say nothing to whoever runs tests as root
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof Fs>();
  const denied = (part: string, path: unknown): void => {
    if (String(path).includes(part)) throw Object.assign(new Error("denied"), { code: "EACCES" });
  };
  return {
    ...fs,
    readFileSync: (...args: Parameters<typeof fs.readFileSync>) => {
      denied("unreadable", args[0]);
      return fs.readFileSync(...args);
    },
    writeFileSync: (...args: Parameters<typeof fs.writeFileSync>) => {
      if (process.env.BACKSWEEP_LOCKED === "1") denied("unwritable", args[0]);
      fs.writeFileSync(...args);
    },
    readdirSync: (...args: Parameters<typeof fs.readdirSync>) => {
      denied("closed", args[0]);
      return fs.readdirSync(...args);
    },
  };
});

const FAULTY = readFileSync(join(FIXTURES, "overwriting/faulty/closure-one-op.ts"), "utf8");
let folder = "";
let printed = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backsweep-lint-locked-"));
  for (const name of ["a.ts", "b-unreadable.ts", "c-unwritable.ts", "d.ts"])
    writeFileSync(join(folder, name), FAULTY);
  mkdirSync(join(folder, "closed"));
  vi.stubEnv("BACKSWEEP_LOCKED", "1");
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
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]): Promise<number> =>
  lintCommand(parseCommandLine(["lint", folder, ...words]) as LintCall);

describe("what cannot be read or written", () => {
  it("is told of, beside the reports of the others", async () => {
    expect(await run()).toBe(1);
    expect(printed).toContain("not linted: the file could not be read (EACCES)");
    expect(printed).toContain("not linted: the folder could not be read (EACCES)");
    expect(printed).toContain("8 problems (8 errors, 0 warnings)");
  });

  it("keeps none of the others from being mended, and says which fixes are lost", async () => {
    expect(await run("--fix")).toBe(1);
    expect(printed).toContain("the file could not be written (EACCES): 2 fixes not applied");
    expect(printed).toContain("4 fixes applied in 2 files");
    expect(readFileSync(join(folder, "d.ts"), "utf8")).not.toBe(FAULTY);
    expect(readFileSync(join(folder, "c-unwritable.ts"), "utf8")).toBe(FAULTY);
  });

  it("makes the exit code 2 where nothing else is wrong", async () => {
    vi.stubEnv("BACKSWEEP_LOCKED", "0");
    for (const name of ["a.ts", "c-unwritable.ts", "d.ts"]) writeFileSync(join(folder, name), "export {};\n");
    expect(await run()).toBe(2);
  });

  it("is said in every format", async () => {
    await run("--format", "json", "--fix");
    const files = JSON.parse(printed) as { filePath: string; messages: { message: string }[] }[];
    const said = (name: string): string =>
      files.find(({ filePath }) => filePath.endsWith(name))!.messages.map(({ message }) => message)[0];
    expect(said("b-unreadable.ts")).toBe("Parsing error: the file could not be read (EACCES)");
    expect(said("c-unwritable.ts")).toBe("the file could not be written (EACCES): 2 fixes not applied");
    printed = "";
    await run("--format", "sarif");
    const { runs } = JSON.parse(printed) as {
      runs: { invocations: { executionSuccessful: boolean; toolExecutionNotifications: object[] }[] }[];
    };
    expect(runs[0].invocations[0].executionSuccessful).toBe(false);
    expect(runs[0].invocations[0].toolExecutionNotifications).toHaveLength(2);
  });
});
