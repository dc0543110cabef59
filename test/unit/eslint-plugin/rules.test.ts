/** Every rule under ESLint's own tester, with both parsers: what ESLint reports is what the lint reports. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
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

const VALUE = `class Value {
  constructor(data, operands) {
    this.data = data;
    this.grad = 0;
    this.operands = operands;
    this.backward = () => {};
  }
  add(other) {
    const out = new Value(this.data + other.data, [this, other]);
    out.backward = () => {
      this.grad += out.grad;
      other.grad += out.grad;
    };
    return out;
  }
  tanh() {
    const t = Math.tanh(this.data);
    const out = new Value(t, [this]);
    out.backward = () => {
      this.grad += (1 - t * t) * out.grad;
    };
    return out;
  }
}
`;

const further: readonly Sample[] = [
  { name: "overwritten-backward.js", text: VALUE.replaceAll("out.backward", "this.backward") },
  { name: "dropped-upstream.js", text: VALUE.replace("(1 - t * t) * out.grad", "1 - t * t") },
  {
    name: "unknown-op-identity.js",
    text: `function sweep(tape, adj) {
  for (let i = tape.length - 1; i >= 0; i--) {
    const { op, a, b } = tape[i];
    const g = adj[i];
    switch (op) {
      case "add":
        adj[a] += g;
        adj[b] += g;
        break;
      case "mul":
        adj[a] += g * tape[b].value;
        adj[b] += g * tape[a].value;
        break;
      default:
        adj[a] += g;
    }
  }
  return adj;
}
`,
  },
];

const ENGINES = resolve(import.meta.dirname, "../../../examples");

/**
 * Engines of the gallery and of the lint's own tests, and three that neither has, as far as JavaScript's or TypeScript's
 * parser can read them.
 */
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
  const engines = ["faulty-engines", "correct-engines"].flatMap((gallery) =>
    readdirSync(join(ENGINES, gallery)).map((name) => ({
      name,
      text: readFileSync(join(ENGINES, gallery, name), "utf8"),
    })),
  );
  return [
    ...cases,
    ...folders.filter((folder) => existsSync(join(FIXTURES, folder))).flatMap(fixtures),
    ...engines,
    ...further,
  ];
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
