import { readFileSync } from "node:fs";
import js from "@eslint/js";
import { ESLint, Linter, type Rule } from "eslint";
import tseslint from "typescript-eslint";
import { describe, expect, it } from "vitest";
import plugin, { configs, meta, rules } from "../../../eslint-plugin/index.js";
import { rules as all } from "../../../engine/lint/rules/index.js";

const FAULTY = `export class Value {
  constructor(data, children, backward) { this.data = data; this.grad = 0; this.children = children; this.backward = backward; }
  add(other) {
    const out = new Value(this.data + other.data, [this, other], () => {
      this.grad += out.grad;
      other.grad += out.grad;
    });
    return out;
  }
  mul(other) {
    const out = new Value(this.data * other.data, [this, other], () => {
      this.grad = other.data * out.grad;
      other.grad += this.data * out.grad;
    });
    return out;
  }
}
`;

/** A whole engine that assigns: nothing but structure tells. */
const STRUCTURE = FAULTY.replace(/\+= out\.grad/g, "= out.grad").replace("other.grad +=", "other.grad =");

const verify = (text: string, options: object = {}, settings: object = {}): Linter.LintMessage[] =>
  new Linter().verify(text, [
    {
      // the type of the plugin is ESLint's own, as far as ESLint can tell
      plugins: { backsweep: plugin satisfies ESLint.Plugin },
      rules: { "backsweep/overwriting-accumulation": ["error", options] },
      settings: { backsweep: settings },
    },
  ]);

describe("the ESLint plugin", () => {
  it("has every rule of the table, documented", () => {
    expect(Object.keys(rules)).toEqual(all.map(({ name }) => name));
    expect(meta.name).toBe("backsweep");
    for (const [name, rule] of Object.entries(rules)) {
      const { docs, schema, hasSuggestions, fixable, type } = (rule satisfies Rule.RuleModule).meta;
      expect(readFileSync(`docs/rules/${name}.md`, "utf8")).toContain(name);
      expect(docs.description.length).toBeGreaterThan(20);
      expect({ hasSuggestions, fixable, type }).toEqual({
        hasSuggestions: true,
        fixable: "code",
        type: "problem",
      });
      expect(schema[0].additionalProperties).toBe(false);
    }
  });

  it("recommends every rule with one severity, and ESLint takes the configuration", async () => {
    const { recommended } = configs;
    expect(Object.keys(recommended.rules)).toEqual(all.map(({ name }) => `backsweep/${name}`));
    expect(recommended.rules["backsweep/overwriting-accumulation"]).toBe("error");
    expect(recommended.plugins.backsweep).toBe(plugin);
    expect(plugin.configs.recommended).toBe(recommended);
    const eslint = new ESLint({
      overrideConfigFile: true,
      overrideConfig: [js.configs.recommended, recommended],
    });
    const [{ messages }] = await eslint.lintText(FAULTY, { filePath: "value.js" });
    expect(messages.map(({ ruleId, line, severity }) => ({ ruleId, line, severity }))).toEqual([
      { ruleId: "backsweep/overwriting-accumulation", line: 12, severity: 2 },
    ]);
  });

  it("reads the tree of @typescript-eslint/parser", () => {
    const typed = FAULTY.replace(
      "export class Value {",
      "export class Value {\n  declare data: number;\n  grad: number;",
    ).replace("add(other)", "add(other: Value): Value");
    const messages = new Linter().verify(
      typed,
      [
        {
          ...configs.recommended,
          languageOptions: { parser: tseslint.parser as Linter.Parser },
          files: ["**/*.ts"],
        },
      ],
      "value.ts",
    );
    expect(messages.map(({ ruleId, line }) => [ruleId, line])).toEqual([
      ["backsweep/overwriting-accumulation", 14],
    ]);
  });

  it("fixes what siblings prove and suggests the rest", () => {
    const [proven] = verify(FAULTY);
    expect(proven.fix?.text).toMatch(/\+=/);
    const structural = verify(STRUCTURE);
    expect(structural.length).toBeGreaterThan(0);
    for (const message of structural) {
      expect(message.fix).toBeUndefined();
      expect(message.suggestions?.length).toBeGreaterThan(0);
    }
  });

  it("reports by the evidence asked for", () => {
    expect(verify(STRUCTURE, { evidence: "proven" })).toEqual([]);
    expect(verify(FAULTY, { evidence: "proven" })).toHaveLength(1);
    expect(verify(STRUCTURE, { evidence: "all" }).map(({ line }) => line)).toEqual(
      verify(STRUCTURE).map(({ line }) => line),
    );
    // what is only information never appears
    expect(verify(STRUCTURE, { assumeChain: true, evidence: "all" })).toEqual([]);
  });

  it("takes names from its options and from the settings all rules share", () => {
    const own = FAULTY.replaceAll("grad", "slope");
    expect(verify(own, { gradientNames: ["slope"] }).map(({ line }) => line)).toEqual([12]);
    expect(verify(own, {}, { gradientNames: ["/^slo/"] }).map(({ line }) => line)).toEqual([12]);
    expect(() => verify(own, { gradientNames: ["/(/"] })).toThrow(
      /gradientNames: \/\(\/ is no regular expression/,
    );
    expect(() => verify(own, { gradientName: ["slope"] })).toThrow(/gradientName/);
  });

  it("heeds ESLint's comments, and Backsweep's", () => {
    const above = (comment: string): string =>
      FAULTY.replace("      this.grad = other", `      ${comment}\n      this.grad = other`);
    expect(
      verify(above("// eslint-disable-next-line backsweep/overwriting-accumulation -- a chain")),
    ).toEqual([]);
    expect(verify(above("// backsweep-disable-next-line overwriting-accumulation -- a chain"))).toEqual([]);
    const another = verify(above("// eslint-disable-next-line no-undef"));
    expect(another.filter(({ ruleId }) => ruleId !== null).map(({ line }) => line)).toEqual([13]);
  });

  it("says nothing of text without reverse-mode code", () => {
    expect(verify("const gradient = context.createLinearGradient(0, 0, 1, 1);\ngradient.x = 1;")).toEqual([]);
  });
});
