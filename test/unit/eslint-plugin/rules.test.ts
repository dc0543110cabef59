/**
 * What ESLint reports is what the lint reports: every rule on every sample with both parsers, all rules at once; and under
 * ESLint's own tester each rule alone on the samples it reports something of, and on some of the others.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Linter, RuleTester, type Rule } from "eslint";
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

/** The samples, each linted once, with what ESLint is to report of it. */
const all = samples().map((sample) => ({
  ...sample,
  reports: lintText(sample.text, sample.name).reports.filter(
    ({ severity, evidence }) => severity !== "info" && evidence !== "single-use",
  ),
}));
const testers = [
  { parser: "espree", takes: /\.[mc]?js$/, languageOptions: {} },
  {
    parser: "@typescript-eslint/parser",
    takes: /\.[mc]?[jt]s$/,
    languageOptions: { parser: tseslint.parser as Linter.Parser },
  },
];
/** Samples without a report that each rule is given alone. */
const SOME = 4;

/** A report's fixes as the one replacement that ESLint makes of them. */
function fixOf({ fix }: Report, text: string): ReturnType<typeof oneEdit> | undefined {
  return fix === null ? undefined : oneEdit(fix, text);
}

const placeOf = ({ message, line, column, endLine, endColumn }: Report) => ({
  message,
  line,
  column,
  endLine,
  endColumn,
});

/** A report as ESLint's tester expects it. */
function errorOf(report: Report, text: string): RuleTester.TestCaseError {
  const suggestions = report.suggestions.map(({ title, edits }) => ({
    desc: title,
    output: applyEdits(text, edits),
  }));
  return { ...placeOf(report), suggestions };
}

/** All that is told of a report, by ESLint's linter or as it is to be. */
interface Told {
  readonly rule: string;
  readonly place: Partial<ReturnType<typeof placeOf>>;
  readonly fix: ReturnType<typeof fixOf>;
  readonly suggestions: unknown;
}

function wantedOf(report: Report, text: string): Told {
  const { suggestions } = errorOf(report, text);
  return { rule: `backsweep/${report.rule}`, place: placeOf(report), fix: fixOf(report, text), suggestions };
}

function toldBy(told: Linter.LintMessage, text: string): Told {
  const { message, line, column, endLine, endColumn } = told;
  const suggestions = (told.suggestions ?? []).map(({ desc, fix: { range, text: replacement } }) => ({
    desc,
    output: applyEdits(text, [{ start: range[0], end: range[1], text: replacement }]),
  }));
  return {
    rule: String(told.ruleId),
    place: { message, line, column, endLine, endColumn } as Told["place"],
    fix: told.fix,
    suggestions,
  };
}

function inOrder(a: Told, b: Told): number {
  const before = (a.place.line ?? 0) - (b.place.line ?? 0) || (a.place.column ?? 0) - (b.place.column ?? 0);
  return before || (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0);
}

for (const { parser, takes, languageOptions } of testers) {
  const taken = all.filter(({ name }) => takes.test(name));
  const tester = new RuleTester({ languageOptions });
  describe(`all rules with ${parser}`, () => {
    const config = {
      files: ["**/*.{js,cjs,mjs,ts,cts,mts}"],
      languageOptions,
      plugins: { backsweep: { rules: rules as Record<string, Rule.RuleModule> } },
      // the other way round: no rule hangs on what another has asked before it
      rules: Object.fromEntries(
        Object.keys(rules)
          .map((name) => [`backsweep/${name}`, "error" as const])
          .reverse(),
      ),
    };
    it.each(taken)("$name", ({ name, text, reports }) => {
      const found = new Linter().verify(text, [config], name).map((message) => toldBy(message, text));
      expect(found.sort(inOrder)).toEqual(reports.map((report) => wantedOf(report, text)).sort(inOrder));
    });
  });

  for (const [name, rule] of Object.entries(rules))
    describe(`${name} with ${parser}`, () => {
      const valid: RuleTester.ValidTestCase[] = [];
      const invalid: RuleTester.InvalidTestCase[] = [];
      for (const { name: file, text, reports: found } of taken) {
        const reports = found.filter((report) => report.rule === name);
        const test = { name: file, code: text, filename: file };
        const output = applyEdits(
          text,
          reports.flatMap((report) => {
            const fix = fixOf(report, text);
            return fix === undefined ? [] : [{ start: fix.range[0], end: fix.range[1], text: fix.text }];
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
        expect(valid.length).toBeGreaterThan(SOME);
        if (parser !== "espree") expect(invalid.length).toBeGreaterThan(0);
      });
      tester.run(name, rule as Rule.RuleModule, { valid: valid.slice(0, SOME), invalid });
    });
}
