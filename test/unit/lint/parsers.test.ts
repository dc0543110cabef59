import * as typescript from "@typescript-eslint/parser";
import { parse } from "espree";
import { describe, expect, it } from "vitest";
import { lintText, lintTree } from "../../../engine/lint/lint.js";
import type { LintResult } from "../../../engine/lint/lint.js";
import type { Node } from "../../../engine/lint/tree.js";
import { fixtures } from "./fixtures.js";

const all = ["overwriting/faulty", "overwriting/right", "cases"].flatMap(fixtures);

/** Everything that is said of a report but for where comments stand. */
const said = ({ reports }: LintResult): unknown[] =>
  reports.map(({ rule, start, end, evidence, message, suggestions }) => [
    rule,
    start,
    end,
    evidence,
    message,
    suggestions,
  ]);

describe("trees of other parsers give the reports of ours", () => {
  it.each(all)("@typescript-eslint/parser: $name", ({ name, text }) => {
    const { ast } = typescript.parseForESLint(text, { range: true, loc: true, comment: true });
    expect(said(lintTree(ast as unknown as Node, text, []))).toEqual(said(lintText(text, name)));
  });

  it.each(all.filter(({ name }) => name.endsWith(".js")))("espree: $name", ({ name, text }) => {
    const ast = parse(text, { ecmaVersion: "latest", sourceType: "module", range: true });
    expect(said(lintTree(ast as unknown as Node, text, []))).toEqual(said(lintText(text, name)));
  });

  it("reads what the grammars spell differently", () => {
    const text = [
      "const big = 1n, none = null, re = /a/u;",
      "class A { #g = 0; static s = 1; get g() { return this.#g; } set g(v) { this.#g += v; } async *m(a) { yield a?.b?.(1); } }",
      "const o = { m() { return 1; }, get x() { return 2; }, ['y']: 3, 'z': 4 };",
      "export const grad = async () => (await import('x')).backward;",
      "export { A, o, big, none, re };",
    ].join("\n");
    const ast = parse(text, { ecmaVersion: "latest", sourceType: "module", range: true });
    expect(said(lintTree(ast as unknown as Node, text, []))).toEqual(said(lintText(text, "a.js")));
    expect(lintText(text, "a.js").notes).toEqual([]);
  });
});
