import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseCommandLine } from "../../../cli/args.js";
import type { LintCall } from "../../../cli/lint.js";
import { lintCommand } from "../../../cli/lint-command.js";
import { filesToLint } from "../../../cli/lint-files.js";
import { eslintJson, stylish } from "../../../cli/lint-print.js";
import { oneEdit, resultOf } from "../../../cli/lint-results.js";
import { sarif } from "../../../cli/lint-sarif.js";
import { plainStyle } from "../../../cli/style.js";
import { lintText } from "../../../engine/lint/lint.js";
import { FIXTURES } from "./fixtures.js";

let folder = "";
const put = (path: string, text = "export {};\n"): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backsweep-lint-cli-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const call = (...words: string[]): LintCall => parseCommandLine(["lint", ...words]) as LintCall;

describe("the files of a call", () => {
  const found = (...paths: string[]): string[] =>
    filesToLint(paths, folder).files.map((path) => relative(folder, path));

  it("are the scripts below a folder, without node_modules and what ignore files name", () => {
    put(".git/HEAD", "");
    put("a.ts");
    put("b/c.mjs");
    put("b/d.tsx");
    put("b/types.d.ts");
    put("b/readme.md");
    put("node_modules/x/index.js");
    put("out/x.js");
    put("b/gen/x.js");
    put("b/keep.gen.js");
    put(".gitignore", "out/\n*.gen.js\n");
    put("b/.backsweepignore", "gen\n");
    expect(found(".")).toEqual(["a.ts", "b/c.mjs", "b/d.tsx"]);
    expect(found("b")).toEqual(["b/c.mjs", "b/d.tsx"]);
  });

  it("are those a glob matches, and every file that is named, once", () => {
    put("a.ts");
    put("b/c.ts");
    put("b/x.txt");
    put(".gitignore", "a.ts\n");
    expect(found("**/*.ts")).toEqual(["b/c.ts"]);
    expect(found("a.ts", "./a.ts", "b")).toEqual(["a.ts", "b/c.ts"]);
  });

  it("have to exist", () => {
    expect(() => found("nowhere.ts")).toThrow("lint: no such file or folder: nowhere.ts");
  });
});

it("says so where ignore files leave nothing", async () => {
  put("a.ts");
  put("sub/b.ts");
  put(".backsweepignore", "a.ts\nsub/\n");
  await expect(lintCommand(call(folder))).rejects.toThrow(
    `lint: no JavaScript, TypeScript or Python file in ${folder}: 2 files and folders left out, as .gitignore or .backsweepignore say`,
  );
});

describe("a file that is named", () => {
  async function run(...paths: string[]): Promise<{ code: number; text: string }> {
    const lines: string[] = [];
    const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk, ...rest) => {
      lines.push(String(chunk));
      const done = rest.at(-1) as unknown;
      if (typeof done === "function") (done as () => void)();
      return true;
    });
    const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
    try {
      const code = await lintCommand(call(...paths));
      return { code, text: lines.join("") };
    } finally {
      write.mockRestore();
      cwd.mockRestore();
    }
  }

  it("is told not to be linted, where nothing can be read of it", async () => {
    put("broken.ts", "export const x = (1;\n");
    put("data.json", "{}");
    put("good.ts", "export const x = 1;\n");
    writeFileSync(join(folder, "bytes.ts"), Buffer.from([0x2f, 0x2f, 0xff, 0xfe, 0x0a]));
    const broken = await run("broken.ts");
    expect(broken).toMatchObject({ code: 2 });
    expect(broken.text).toMatch(/1:20 +error +not linted: /);
    const data = await run("data.json", "good.ts");
    expect(data.code).toBe(2);
    expect(data.text).toContain("not linted: no JavaScript, TypeScript or Python file");
    expect((await run("bytes.ts")).text).toContain("not linted: not UTF-8 text");
    // below a folder only what shows reverse-mode code is parsed
    expect(await run(".")).toEqual({ code: 0, text: "3 files, no problem\n" });
  });
});

describe("the words of a call", () => {
  it("are read", () => {
    expect(
      call(
        "a.ts",
        "b",
        "--format",
        "sarif",
        "--fix",
        "--evidence",
        "proven",
        "--rule",
        "overwriting-accumulation:warn",
      ),
    ).toEqual({
      command: "lint",
      paths: ["a.ts", "b"],
      format: "sarif",
      fix: true,
      evidence: "proven",
      options: { severities: { "overwriting-accumulation": "warning" }, assumeChain: false },
    });
    expect(call("a.ts", "--json").format).toBe("json");
  });

  it.each([
    [["lint"], "lint: no file given"],
    [["lint", "a.ts", "--format", "xml"], "--format xml: not one of stylish, json, sarif"],
    [["lint", "a.ts", "--evidence", "some"], "--evidence some: not one of proven, structural, all"],
    [["lint", "a.ts", "--rule", "overwriting:error"], '--rule overwriting:error: no rule "overwriting"'],
    [["lint", "a.ts", "--rule", "overwriting-accumulation:loud"], "overwriting-accumulation:off"],
    [["lint", "a.ts", "--json", "--format", "sarif"], "exclude each other"],
    [["lint", "a.ts", "--dtype", "f32"], "lint takes no --dtype"],
  ])("%j is refused", (words, message) => {
    expect(() => parseCommandLine(words as string[])).toThrow(message as string);
  });
});

describe("what is printed", () => {
  const path = join(FIXTURES, "overwriting/faulty/closure-one-op.ts");
  const text = readFileSync(path, "utf8");
  const result = resultOf(path, text, lintText(text, path), "structural");

  it("for people", () => {
    const page = [...stylish([result], call("x"), plainStyle, join(FIXTURES, "overwriting"))].join("");
    expect(page).toMatchInlineSnapshot(`
      "faulty/closure-one-op.ts
        12:23  error    \`neg\` assigns \`this.grad\`; \`add\` and \`sub\` accumulate into it (lines 7, 18). A value used twice keeps only the last contribution.  overwriting-accumulation
                 7:23 \`add\` accumulates here
                 7:46 \`add\` accumulates here
                 18:7 \`sub\` accumulates here
         19:7  error    \`sub\` assigns \`o.grad\`; \`add\` accumulates into it (line 7). A value used twice keeps only the last contribution.  overwriting-accumulation
                 7:23 \`add\` accumulates here
                 7:46 \`add\` accumulates here
                 18:7 \`sub\` accumulates here

      2 problems (2 errors, 0 warnings)
      2 fixes proven by the same engine: apply with --fix
      "
    `);
  });

  it("as ESLint's json formatter does", () => {
    const [file] = JSON.parse(eslintJson([result], call("x"))) as Record<string, unknown>[];
    expect(file).toMatchObject({
      filePath: path,
      errorCount: 2,
      warningCount: 0,
      fixableErrorCount: 2,
      suppressedMessages: [],
    });
    expect((file.messages as unknown[])[0]).toMatchObject({
      ruleId: "overwriting-accumulation",
      severity: 2,
      line: 12,
      column: 23,
      endLine: 12,
      endColumn: 44,
      fix: { text: "+=" },
      suggestions: [{ desc: "Add to `this.grad`" }],
    });
  });

  it("with the severity of the rule, not of the report", () => {
    const alone = join(FIXTURES, "overwriting/faulty/map-tape.ts");
    const source = readFileSync(alone, "utf8");
    const all = lintText(source, alone);
    expect(all.reports.map(({ severity }) => severity)).toEqual(["warning"]);
    const counts = (words: string[]): unknown =>
      (
        JSON.parse(eslintJson([resultOf(alone, source, all, "structural")], call("x", ...words))) as unknown[]
      )[0];
    expect(counts([])).toMatchObject({ errorCount: 1, warningCount: 0 });
    expect(counts(["--rule", "overwriting-accumulation:warning"])).toMatchObject({
      errorCount: 0,
      warningCount: 1,
    });
    expect(resultOf(alone, source, all, "proven").reports).toEqual([]);
  });

  it("as SARIF 2.1.0", () => {
    const document = JSON.parse(sarif([result], FIXTURES)) as {
      version: string;
      runs: Record<string, unknown>[];
    };
    expect(document.version).toBe("2.1.0");
    const [run] = document.runs;
    const results = run.results as Record<string, unknown>[];
    expect(results).toHaveLength(2);
    expect(results[0]).toMatchObject({
      ruleId: "overwriting-accumulation",
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "overwriting/faulty/closure-one-op.ts", uriBaseId: "ROOT" },
            region: { startLine: 12, startColumn: 23, endLine: 12, endColumn: 44 },
          },
        },
      ],
    });
    expect(results[0].relatedLocations).toHaveLength(3);
    const { driver } = run.tool as { driver: { rules: { id: string; help: { markdown: string } }[] } };
    expect(driver.rules).toHaveLength(11);
    for (const { id, help } of driver.rules) expect(help.markdown).toContain(`# ${id}\n`);
    const prints = results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints));
    expect(new Set(prints).size).toBe(2);
    // a line above moves the report and leaves its fingerprint
    const moved = `// one line more\n${text}`;
    const after = JSON.parse(
      sarif([resultOf(path, moved, lintText(moved, path), "structural")], FIXTURES),
    ) as typeof document;
    expect(
      (after.runs[0].results as typeof results).map(({ partialFingerprints }) =>
        JSON.stringify(partialFingerprints),
      ),
    ).toEqual(prints);
  });

  it("joins the edits of a fix into one", () => {
    const edits = [
      { start: 8, end: 9, text: "Y" },
      { start: 2, end: 3, text: "X" },
    ];
    expect(oneEdit(edits, "0123456789")).toEqual({ range: [2, 9], text: "X34567Y" });
  });
});
