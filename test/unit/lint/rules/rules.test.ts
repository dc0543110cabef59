import { describe, expect, it } from "vitest";
import { applyEdits, lintText } from "../../../../engine/lint/lint.js";
import { rules } from "../../../../engine/lint/rules/index.js";
import { linesOf } from "../fixtures.js";
import { snippets } from "./snippets.js";

const NAMES = rules.map(({ name }) => name).filter((name) => name !== "overwriting-accumulation");

describe.each(NAMES)("%s", (rule) => {
  it.each(snippets(`${rule}.faulty`))(
    "finds every fault of $name and nothing else",
    ({ name, text, faults }) => {
      expect(faults.length).toBeGreaterThan(0);
      expect(linesOf(text, name, rule)).toEqual(faults);
    },
  );

  it.each(snippets(`${rule}.right`))("is silent on $name", ({ name, text }) => {
    expect(linesOf(text, name, rule)).toEqual([]);
  });

  it("has suggestions whose text passes the rule and can be read", () => {
    for (const { name, text } of snippets(`${rule}.faulty`)) {
      const { reports } = lintText(text, name);
      const own = reports.filter((report) => report.rule === rule);
      const fixable = own.filter(({ suggestions }) => suggestions.length > 0);
      const fixed = applyEdits(
        text,
        fixable.flatMap(({ suggestions }) => suggestions[0].edits),
      );
      expect(lintText(fixed, name).notes.filter(({ kind }) => kind === "syntax")).toEqual([]);
      expect(linesOf(fixed, name, rule), `${name}\n${fixed}`).toHaveLength(own.length - fixable.length);
    }
  });

  it("is silenced by a comment and by its severity", () => {
    const [{ name, text, faults }] = snippets(`${rule}.faulty`);
    const lines = text.split("\n");
    lines.splice(faults[0] - 1, 0, `// backsweep-disable-next-line ${rule} -- on purpose`);
    expect(linesOf(lines.join("\n"), name, rule)).toHaveLength(faults.length - 1);
    expect(linesOf(text, name, rule, { severities: { [rule]: "off" } })).toEqual([]);
  });
});
