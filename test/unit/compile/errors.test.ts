/** Bad modules: one clear message, with its place. */
import { describe, expect, it } from "vitest";
import { compileModule, CompileError, type Language } from "../../../engine/compile/index.js";

function failure(text: string, language: Language = "ts"): string {
  try {
    compileModule(text, { file: "/w/a.ts", language });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    expect(error.message).not.toMatch(/\(\d+:\d+\)|\n/);
    return `${error.kind} ${error.line}:${error.column}-${error.endLine}:${error.endColumn} ${error.message}`;
  }
  return "compiles";
}

describe("refused by name and place", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["@dec class A {}", "refused 1:1-1:5 decorators are not supported"],
    ["class A {\n  @dec m() {}\n}", "refused 2:3-2:7 decorators are not supported"],
    ["class A { constructor(@Inject() x) {} }", "refused 1:23-1:32 decorators are not supported"],
    [
      'import x = require("x");',
      "refused 1:1-1:25 `import x = ...` is not supported: write `import x from ...`",
    ],
    ["export = 5;", "refused 1:1-1:12 `export =` is not supported: write `export default`"],
    ["const a = <div>hi</div>;", "refused 1:11-1:24 JSX is not supported"],
    ["const a = <></>;", "refused 1:11-1:16 JSX is not supported"],
    [
      "await import(name);",
      "refused 1:7-1:19 `import()` of a computed path is refused: write the path as a string",
    ],
    ["const p = 1 + process.pid;", "refused 1:15-1:22 `process` is refused in a module that Backsweep runs"],
    ["const o = { process };", "refused 1:13-1:20 `process` is refused in a module that Backsweep runs"],
    [
      "declare const process: any; process.exit();",
      "refused 1:29-1:36 `process` is refused in a module that Backsweep runs",
    ],
    ["class A { accessor x = 1; }", "refused 1:11-1:21 `accessor` fields are not supported"],
  ];
  for (const [text, expected] of cases) it(text, () => expect(failure(text)).toBe(expected));

  it("what only looks like it is fine", () => {
    for (const text of [
      "const process = 1; process + 1;",
      "function f(process: any) { return process.exit; }",
      "const t = typeof process;",
      "a.process; ({ process: 1 }); class A { process = 1 }",
      'import type fs from "node:fs"; import { type X } from "./x.ts";',
      "await import(`./x.ts`);",
      "let a = b < c > (d);",
    ]) {
      expect(failure(text)).toBe("compiles");
    }
  });
});

describe("syntax errors", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["const a = ;", "syntax 1:11-1:12 expected a value after `=`, found `;`"],
    ["const a = 1;\nfunction f( {", "syntax 2:14-2:14 the file ends before the `{` is closed"],
    ["let a; let a;", "syntax 1:12-1:13 `a` is declared twice"],
    ["const a;", "syntax 1:8-1:9 this const declaration needs a value"],
    ["return 1;", "syntax 1:1-1:7 `return` stands outside a function"],
    ["a b", "syntax 1:2-1:2 expected `;` or a new line before `b`"],
    ["export { nothing };", "syntax 1:10-1:17 `nothing` is exported but not declared"],
    ["const s = 'abc", "syntax 1:11-1:12 the string is not closed where its line ends"],
    ["-x ** 2", "syntax 1:2-1:3 write `(-x) ** y` or `-(x ** y)`"],
  ];
  for (const [text, expected] of cases) {
    it(JSON.stringify(text), () => {
      const actual = failure(text);
      expect(actual.replace(/-\d+:\d+ /, " ")).toBe(expected.replace(/-\d+:\d+ /, " "));
    });
  }
  it("types in a .js file", () => expect(failure("const a: number = 1;", "js")).toMatch(/^syntax 1:8/));
});
