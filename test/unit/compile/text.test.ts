/** The text of the rewritten module: lines stay, columns map back, stacks show the user's places. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compileModule, mapStack } from "../../../engine/compile/index.js";
import { load } from "./harness.js";

const folder = fileURLToPath(new URL("../../fixtures/ordinary/", import.meta.url));
const compile = (text: string) => compileModule(text, { file: "/w/a.ts", language: "ts" });

describe("lines", () => {
  for (const name of readdirSync(folder)) {
    it(`${name} keeps its lines`, () => {
      const text = readFileSync(folder + name, "utf8");
      for (const source of [
        text,
        text.replace(/\n/g, "\r\n"),
        text.replace(/; /g, ";\n").replace(/, /g, ",\n"),
      ]) {
        let code: string;
        try {
          code = compileModule(source, { file: name, language: name.endsWith("js") ? "js" : "ts" }).code;
        } catch {
          continue; // breaking lines anywhere can break the program
        }
        const count = (t: string): number => t.split(/\r\n|\n/).length;
        expect(count(code)).toBe(count(source));
      }
    });
  }
  it("the first line keeps a hashbang and directives harmless", () => {
    expect(compile('#!/usr/bin/env node\n"use strict";\nexport const a = 1;').code.split("\n")).toHaveLength(
      3,
    );
    expect(compile("function f(x) { 'use strict'; return x * 2 }").code).toMatch(/\{ 'use strict'; const/);
    expect(compile("function f(x) { 'use strict'\nreturn x * 2 }").code).toMatch(/\{ 'use strict'; const/);
  });
});

describe("columns", () => {
  it("identifiers of the code map to themselves in the source", () => {
    const text = readFileSync(`${folder}matrix.ts`, "utf8");
    const { code, columnMap } = compile(text);
    const source = text.split("\n");
    let checked = 0;
    code.split("\n").forEach((line, i) => {
      for (const match of line.matchAll(/(?<![$\w.#"'])(?:newton|minor|sieve|Matrix|gcd|seed)(?![\w$"'])/g)) {
        const at = match.index + 1;
        if (i === 0 || /^\{"file"/.test(line)) continue;
        const column = columnMap(i + 1, at);
        expect(source[i].slice(column - 1, column - 1 + match[0].length)).toBe(match[0]);
        checked++;
      }
    });
    expect(checked).toBeGreaterThan(10);
  });
});

describe("stacks", () => {
  it("show the user's own frames with source columns", async () => {
    const text = [
      "function inner(o: any) {",
      "  return 1 + o.missing.deep;",
      "}",
      "export const run = () => [1].map((v) => v * 2 + inner({ v }));",
    ].join("\n");
    const { namespace, compiled, url } = await load({ "main.ts": text }, "rewritten");
    let stack = "";
    try {
      (namespace.run as () => void)();
    } catch (error) {
      stack = (error as Error).stack!;
    }
    const module = [...compiled.values()][0];
    const frames = mapStack(stack, (file) => (file === url || compiled.has(file) ? module : undefined));
    expect(frames.slice(0, 3).map(({ func, line, column }) => [func, line, column])).toEqual([
      ["inner", 2, 24],
      [null, 4, 49],
      ["run", 4, 30],
    ]);
  });
});

describe("what a compiled module tells", () => {
  it("imports with their names and places", () => {
    const { imports, mayHoldGraphs } = compile(
      'import d, { a as b, type T } from "./x.ts";\nimport * as n from "backsweep";\nimport "./s.js";\nimport j from "./d.json" with { type: "json" };\nexport { q } from "./q.ts";\nawait import("./dyn.ts");\nimport type { U } from "./gone.ts";',
    );
    expect(
      imports.map(({ specifier, names, line, column, dynamic }) => [specifier, names, line, column, dynamic]),
    ).toEqual([
      ["./x.ts", ["default", "a"], 1, 35, false],
      ["backsweep", ["*"], 2, 20, false],
      ["./s.js", [], 3, 8, false],
      ["./d.json", ["default"], 4, 15, false],
      ["./q.ts", ["q"], 5, 19, false],
      ["./dyn.ts", [], 6, 14, true],
    ]);
    expect(mayHoldGraphs).toBe(true);
  });
  it("counters that only ever hold plain numbers are left as they are", () => {
    expect(compile("for (let i = 0; i < 10; i++) { let j = i * 2; j += i; }").code).toMatch(
      /let j = i \* 2; j \+= i;/,
    );
  });
  it("generated names stay clear of the user's", () => {
    expect(compile("const $b = 1, $bf0 = 2; $b * $bf0;").code).toMatch(/^import \* as \$\$b /);
  });
});
