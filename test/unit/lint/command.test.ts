import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseCommandLine } from "../../../cli/args.js";
import type { LintCall } from "../../../cli/lint.js";
import { lintCommand } from "../../../cli/lint-command.js";
import { FIXTURES } from "./fixtures.js";

const FAULTY = readFileSync(join(FIXTURES, "overwriting/faulty/closure-one-op.ts"), "utf8");
let folder = "";
let file = "";
let printed = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backsweep-lint-command-"));
  file = join(folder, "engine.ts");
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
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...words: string[]): Promise<number> =>
  lintCommand(parseCommandLine(["lint", ...words]) as LintCall);

describe("backsweep lint", () => {
  it("exits with 1 on an error, with 0 on a warning and on nothing", async () => {
    expect(await run(file)).toBe(1);
    expect(printed).toContain("2 problems (2 errors, 0 warnings)");
    expect(await run(file, "--rule", "overwriting-accumulation:warn")).toBe(0);
    expect(await run(file, "--rule", "overwriting-accumulation:off")).toBe(0);
  });

  it("exits with 2 where a file cannot be parsed, and says so in each format", async () => {
    const broken = join(folder, "broken.ts");
    writeFileSync(broken, `${FAULTY}\nexport const x = {\n`);
    expect(await run(broken)).toBe(2);
    expect(printed).toMatch(/\d+:\d+ {2}error {4}not linted: .+ {2}syntax\n/);
    expect(printed).toContain("1 problem (1 error, 0 warnings)");
    printed = "";
    expect(await run(broken, "--json")).toBe(2);
    const [one] = JSON.parse(printed) as {
      messages: object[];
      errorCount: number;
      fatalErrorCount: number;
    }[];
    expect([one.errorCount, one.fatalErrorCount]).toEqual([1, 1]);
    expect(one.messages[0]).toMatchObject({ fatal: true, severity: 2, ruleId: null });
    printed = "";
    expect(await run(broken, "--format", "sarif")).toBe(2);
    expect(printed).toMatch(/"level":\s*"error"/);
    // what was found elsewhere comes first
    expect(await run(folder)).toBe(1);
  });

  it("applies what siblings prove, and is silent afterwards", async () => {
    expect(await run(file, "--fix")).toBe(0);
    const fixed = readFileSync(file, "utf8");
    expect(fixed).toContain("this.grad += -out.grad");
    expect(fixed.split("\n")).toHaveLength(FAULTY.split("\n").length);
    printed = "";
    expect(await run(file)).toBe(0);
    expect(printed).toBe("1 file, no problem\n");
  });

  it("mends many files, says how many, and shows how far it is at a terminal", async () => {
    const clean = "export const half = (x) => x / 2;\n";
    for (let i = 0; i < 230; i++)
      writeFileSync(join(folder, `e${String(i).padStart(3, "0")}.ts`), i % 23 === 0 ? FAULTY : clean);
    const told: string[] = [];
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      told.push(String(text));
      return true;
    });
    vi.stubEnv("TERM", "xterm");
    // a clock by which every look at it is 30 ms later
    let clock = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (clock += 30));
    const terminal = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
    Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
    try {
      await run(folder, "--fix");
    } finally {
      if (terminal === undefined) Reflect.deleteProperty(process.stderr, "isTTY");
      else Object.defineProperty(process.stderr, "isTTY", terminal);
    }
    // 231 files with the one of every test; two faults in each of 11
    const progress = told
      .flatMap((text) => /lint: (\d+) of 231 files \(\d+ s\)$/.exec(text)?.[1] ?? [])
      .map(Number);
    expect(progress.length).toBeGreaterThan(3);
    expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b));
    expect(told.at(-1)).toBe("\r\u001b[K");
    expect(printed).toContain("22 fixes applied in 11 files\n");
    expect(readFileSync(join(folder, "e046.ts"), "utf8")).toContain("this.grad += -out.grad");
    expect(readFileSync(join(folder, "e047.ts"), "utf8")).toBe(clean);
    printed = "";
    told.length = 0;
    expect(await run(folder)).toBe(0);
    expect(printed).toBe("231 files, no problem\n");
    // not a terminal: nothing but the reports
    expect(told).toEqual([]);
  });

  it("puts another function of the file in the place of one that assigns what it is handed", async () => {
    const text = [
      "class T { grad = 0; back = () => {}; constructor(x) { this.x = x; }",
      "  setGrad(g) { this.grad = g; }",
      "  addGrad(g) { this.grad += g; }",
      "  mul(o) { const out = new T(this.x * o.x); out.back = () => { this.addGrad(out.grad * o.x); o.addGrad(out.grad * this.x); }; return out; }",
      "  exp() { const out = new T(Math.exp(this.x)); out.back = () => { this.setGrad(out.grad * out.x); }; return out; } }",
      "export { T };",
    ].join("\n");
    writeFileSync(file, text);
    expect(await run(file, "--fix")).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(text.replace("this.setGrad(out", "this.addGrad(out"));
    expect(printed).toContain("1 fix applied in 1 file\n");
  });

  it("takes further names of slots, in words and in regular expressions", async () => {
    const text = [
      "export const mul = (a, b) => ({",
      "  value: a.value * b.value,",
      "  sweep: (u) => { a.zz = u * b.value; b.zz = u * a.value; },",
      "});",
    ].join("\n");
    writeFileSync(file, text);
    expect(await run(file)).toBe(0);
    expect(await run(file, "--gradient-names", "qq,zz")).toBe(1);
    expect(await run(file, "--gradient-names", "qq", "--gradient-names", "/^z{2,2}$/")).toBe(1);
    expect(() => parseCommandLine(["lint", file, "--gradient-names", "/(/"])).toThrow(
      "--gradient-names /(/: not a regular expression",
    );
  });

  it("leaves a file alone whose faults only structure tells", async () => {
    const text = readFileSync(join(FIXTURES, "overwriting/faulty/all-assign-micro.ts"), "utf8");
    writeFileSync(file, text);
    await run(file, "--fix");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("hands on why a report is silenced", async () => {
    const silenced = FAULTY.replace(
      /^(\s*)(out\._bw = \(\) => \{ this\.grad = )/m,
      "$1// backsweep-disable-next-line overwriting-accumulation -- a chain\n$1$2",
    );
    writeFileSync(file, silenced);
    await run(file, "--json");
    const [{ suppressedMessages }] = JSON.parse(printed) as [{ suppressedMessages: object[] }];
    expect(suppressedMessages).toMatchObject([
      { suppressions: [{ kind: "directive", justification: "a chain" }] },
    ]);
    printed = "";
    await run(file, "--format", "sarif");
    expect(printed).toContain('"justification": "a chain"');
    expect(printed).not.toContain("helpUri");
  });
});
