/** Every rule under ESLint's own tester, with both parsers: what ESLint reports is what the lint reports. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RuleTester, type Linter, type Rule } from "eslint";
import tseslint from "typescript-eslint";
import { afterAll, describe, expect, it } from "vitest";
import { oneEdit } from "../../../cli/lint-results.js";
import { rules } from "../../../eslint-plugin/index.js";
import { applyEdits, lintText } from "../../../engine/lint/lint.js";
import type { Report } from "../../../engine/lint/report.js";
import { FIXTURES, fixtures } from "../lint/fixtures.js";

RuleTester.describe = describe;
RuleTester.it = it;
RuleTester.itOnly = it.only;
// it stands in no types of ESLint's
Object.assign(RuleTester, { afterAll });

interface Sample {
  readonly name: string;
  readonly text: string;
}

/** All samples of the lint's own tests that JavaScript's or TypeScript's parser can read. */
function samples(): Sample[] {
  const expected = JSON.parse(readFileSync(join(FIXTURES, "cases/expected.json"), "utf8")) as {
    readonly file: string;
  }[];
  const cases = expected.map(({ file }) => ({
    name: file,
    text: readFileSync(join(FIXTURES, "cases", file), "utf8"),
  }));
  const folders = ["overwriting", ...Object.keys(rules)].flatMap((rule) =>
    ["faulty", "right"].map((kind) => `${rule}/${kind}`),
  );
  return [...cases, ...folders.filter((folder) => existsSync(join(FIXTURES, folder))).flatMap(fixtures)];
}

const all = samples();
const testers = [
  { parser: "espree", takes: /\.[mc]?js$/, tester: new RuleTester() },
  {
    parser: "@typescript-eslint/parser",
    takes: /\.[mc]?[jt]s$/,
    tester: new RuleTester({ languageOptions: { parser: tseslint.parser as Linter.Parser } }),
  },
];

function errorOf(report: Report, text: string): RuleTester.TestCaseError {
  return {
    message: report.message,
    line: report.line,
    column: report.column,
    endLine: report.endLine,
    endColumn: report.endColumn,
    suggestions: report.suggestions.map(({ title, edits }) => ({
      desc: title,
      output: applyEdits(text, edits),
    })),
  };
}

for (const { parser, takes, tester } of testers)
  for (const [name, rule] of Object.entries(rules))
    describe(`${name} with ${parser}`, () => {
      const valid: RuleTester.ValidTestCase[] = [];
      const invalid: RuleTester.InvalidTestCase[] = [];
      for (const { name: file, text } of all.filter((sample) => takes.test(sample.name))) {
        const reports = lintText(text, file).reports.filter(
          (report) => report.rule === name && report.severity !== "info" && report.evidence !== "single-use",
        );
        const test = { name: file, code: text, filename: file };
        const output = applyEdits(
          text,
          reports.flatMap(({ fix }) => {
            if (fix === null) return [];
            const { range, text: replacement } = oneEdit(fix, text);
            return [{ start: range[0], end: range[1], text: replacement }];
          }),
        );
        if (reports.length === 0) valid.push(test);
        else
          invalid.push({
            ...test,
            output: output === text ? null : output,
            errors: reports.map((report) => errorOf(report, text)),
          });
      }
      it("has samples of both kinds", () => {
        expect(valid.length).toBeGreaterThan(0);
        if (parser !== "espree") expect(invalid.length).toBeGreaterThan(0);
      });
      tester.run(name, rule as Rule.RuleModule, { valid, invalid });
    });
