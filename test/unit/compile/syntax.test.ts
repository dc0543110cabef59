/** What a syntax error is said to be: what was found, what would have been right, and which bracket is open. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lookAround } from "../../../engine/compile/around.js";
import { compileModule, CompileError } from "../../../engine/compile/index.js";

function said(text: string): string {
  try {
    compileModule(text, { file: "/w/a.ts", language: "ts" });
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return `${error.line}:${error.column} ${error.message}`;
  }
  return "compiles";
}

function table(cases: readonly (readonly [string, string])[]): void {
  for (const [text, expected] of cases) it(JSON.stringify(text), () => expect(said(text)).toBe(expected));
}

describe("what is missing", () => {
  table([
    ["const a = x * ;", "1:15 expected a value after `*`, found `;`"],
    ["const = 3", "1:7 expected a name after `const`, found `=`"],
    ["a..b", "1:3 expected a name after `.`, found `.`"],
    ["x.", "1:3 expected a name after `.`, found the end of the file"],
    ["const a: = 3", "1:10 expected a value or a type after `:`, found `=`"],
    ["if (a) ) {}", "1:8 this `)` closes nothing: no `(` is open"],
    ["{ * 2 }", "1:3 expected a value before `*`"],
    ["import a from x", "1:15 expected a string, found `x`"],
    ["import a 'x'", "1:10 expected `from`, found `'x'`"],
    ["switch (a) { cas 1: }", "1:14 expected `case` or `default`, found `cas`"],
    ["class A { x y }", "1:13 expected `;` or a new line, found `y`"],
    ["const a = 3 4", "1:12 expected `;` or a new line before `4`"],
    ["if a > 1 {}", "1:4 expected `(`, found `a`"],
    ["f(a b)", "1:5 expected `,` or `)`, found `b`"],
    ["({ a: 1 b: 2 })", "1:9 expected `,` or `}`, found `b`"],
    ["a ? b", "1:6 expected `:`, found the end of the file"],
    ["`${a + }`", "1:8 expected a value after `+`, found `}`"],
    ["f(`a` `b\nc`, )\n(", "3:2 the file ends before the `(` is closed"],
    ['const f = ("constructor" toString)', "1:26 expected `,` or `)`, found `toString`"],
    ["else {}", "1:1 this `else` belongs to no `if`"],
    ["async () => { for await (a b) }", "1:19 `await` does not belong here"],
    [`f(a "${"y".repeat(30)}")`, "1:5 expected `,` or `)`, found a string"],
  ]);
});

describe("brackets", () => {
  table([
    ["}", "1:1 this `}` closes nothing: no `{` is open"],
    ["[1, 2}", "1:6 the `[` is not closed before this `}`"],
    ["f((a) => {\n  b();\n)", "3:1 the `{` of line 1 is not closed before this `)`"],
    ["f(\n  1;", "2:4 expected `,` or `)`, found `;`; the `(` of line 1 is open"],
    ["const s = '(';\n/* [ */ f(/[(]/, `{`", "2:21 the file ends before the `(` is closed"],
    ["function f() {\n  a();\n", "3:1 the file ends before the `{` of line 1 is closed"],
  ]);
  it("of blocks that end together the inner one was not closed, as its place in the line shows", () => {
    expect(said("function f() {\n  if (a) {\n    b();\n}\nf();\n")).toBe(
      "6:1 the file ends before the `{` of line 2 is closed",
    );
    expect(said("f(\n  function () {\n    b();\n    },\n  g(")).toBe(
      "5:5 the file ends before the `(` is closed",
    );
  });
});

describe("words that are nearly right", () => {
  table([
    ["cosnt a = 1;", "1:6 expected `;` or a new line before `a`; did you mean `const`?"],
    ["f();\nfucntion g() {}", "2:9 expected `;` or a new line before `g`; did you mean `function`?"],
    ["() => { retrun 3 }", "1:15 expected `;` or a new line before `3`; did you mean `return`?"],
    ["lett a = 1", "1:5 expected `;` or a new line before `a`; did you mean `let`?"],
    ["whle (a) {}", "1:9 expected `;` or a new line before `{`"],
    ["b = cosnt a", "1:10 expected `;` or a new line before `a`"],
    ["value a", "1:6 expected `;` or a new line before `a`"],
    ["const q = \u201ca\u201d;", '1:11 the sign `\u201c` is not part of the language: write `"`'],
    ["a \u2212 b", "1:3 the sign `\u2212` is not part of the language: write `-`"],
    ["f(a\uff09", "1:4 the sign `\uff09` is not part of the language: write `)`"],
    ["a \u2603 b", "1:3 the sign `\u2603` is not part of the language"],
  ]);
});

describe("of any text", () => {
  const example = readFileSync(new URL("../../../examples/fan-out.graph.ts", import.meta.url), "utf8");

  it("one line in our words, without the parser's", () => {
    const spoil = fc.tuple(
      fc.nat(example.length),
      fc.nat(6),
      fc.constantFrom("", "(", "}", "`", ",", " const ", "=>", "\n", " else ", "${", "'"),
    );
    fc.assert(
      fc.property(spoil, ([at, deleted, inserted]) => {
        const words = said(example.slice(0, at) + inserted + example.slice(at + deleted));
        expect(words).not.toMatch(/\n|\(\d+:\d+\)|Unexpected|semicolon|token/);
      }),
      { numRuns: 400 },
    );
  });

  it("what is open at a place is what was opened and not closed before it", () => {
    const piece = fc.constantFrom("(", ")", "[", "]", "{", "}", "a", " ", "'('", "/*{*/");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        const open: string[] = [];
        for (const sign of pieces) {
          if (/^[([{]$/.test(sign)) open.push(sign);
          else if (["()", "[]", "{}"].includes(`${open.at(-1) ?? ""}${sign}`)) open.pop();
        }
        expect(lookAround(text, text.length).open.map(({ sign }) => sign)).toEqual(open);
      }),
    );
  });
});
