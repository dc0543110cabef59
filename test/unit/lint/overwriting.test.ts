import { describe, expect, it } from "vitest";
import { applyEdits, lintText } from "../../../engine/lint/lint.js";
import { fixtures, linesOf } from "./fixtures.js";

const RULE = "overwriting-accumulation";

describe("overwriting-accumulation", () => {
  it.each(fixtures("overwriting/faulty"))(
    "finds every fault of $name and nothing else",
    ({ name, text, faults }) => {
      expect(faults.length).toBeGreaterThan(0);
      expect(linesOf(text, name, RULE)).toEqual(faults);
    },
  );

  it.each(fixtures("overwriting/right"))("is silent on $name", ({ name, text }) => {
    expect(linesOf(text, name, RULE)).toEqual([]);
  });

  it.each(fixtures("overwriting/faulty"))("fixed text of $name passes", ({ name, text }) => {
    const { reports } = lintText(text, name);
    const fixed = applyEdits(
      text,
      reports.flatMap(({ suggestions }) => suggestions[0]?.edits ?? []),
    );
    const again = lintText(fixed, name);
    const left = reports.filter(
      ({ suggestions, severity }) => suggestions.length === 0 && severity !== "info",
    );
    expect(again.notes.filter(({ kind }) => kind === "syntax")).toEqual([]);
    expect(again.reports.filter(({ severity }) => severity !== "info")).toHaveLength(left.length);
  });

  it("offers a rewrite for every fault", () => {
    const all = fixtures("overwriting/faulty").flatMap(({ name, text }) => lintText(text, name).reports);
    const without = all.filter(({ rule, suggestions }) => rule === RULE && suggestions.length === 0);
    expect(without.map(({ message }) => message)).toEqual([]);
  });

  it("offers none where what an assignment gives is used: a sum would be used in its place", () => {
    const text = fixtures("overwriting/faulty")
      .find(({ name }) => name === "chained-assignment.js")!
      .text.replace("this.grad = o.grad = out.grad;", "const g = (this.grad = out.grad); o.grad += g;");
    const [report] = lintText(text, "used.js").reports;
    expect(report).toMatchObject({ line: 11, rule: RULE, suggestions: [], fix: null });
  });

  it("offers none where the slot is read for the contribution again: it would hold the sum", () => {
    const text = fixtures("overwriting/faulty")
      .find(({ name }) => name === "chained-assignment.js")!
      .text.replace("this.grad = o.grad = out.grad;", "this.grad = out.grad; o.grad += this.grad;");
    const [report] = lintText(text, "later.js").reports;
    expect(report).toMatchObject({ line: 11, rule: RULE, suggestions: [], fix: null });
  });

  it("adds to each link of a chain of assignments a value that is made once", () => {
    const { text, name } = fixtures("overwriting/faulty").find(
      (one) => one.name === "chained-assignment.js",
    )!;
    const [{ suggestions }] = lintText(text, name).reports;
    expect(suggestions[0].title).toBe("Add to `this.grad` and `o.grad`");
    expect(applyEdits(text, suggestions[0].edits)).toContain(
      "{ const c = out.grad; this.grad += c; o.grad += c; }",
    );
  });

  it("names node, slot, siblings and the loss", () => {
    const { text, name } = fixtures("overwriting/faulty").find((one) => one.name === "closure-one-op.ts")!;
    const [report] = lintText(text, name).reports;
    expect(report.message).toBe(
      "`neg` assigns `this.grad`; `add` and `sub` accumulate into it (lines 7, 18). A value used twice keeps only the last contribution.",
    );
    expect(report.evidence).toBe("proven-siblings");
    expect(report.severity).toBe("error");
    expect(report.related.map(({ line }) => line)).toEqual([7, 7, 18]);
    expect(report.fix).toEqual([
      {
        start: text.indexOf("= -out.grad; }; // fault"),
        end: text.indexOf("= -out.grad; }; // fault") + 1,
        text: "+=",
      },
    ]);
  });

  it("names those that add into the same slot, else the field: a unary operation has no second operand", () => {
    const text = (unary: string): string => `export class V {
      constructor(v, ins = []) { this.v = v; this.grad = 0; this.ins = ins; this.back = () => {}; }
      neg() { const out = new V(-this.v, [this]); out.back = () => { this.grad -= out.grad; }; return out; }
      mul(o) { const out = new V(this.v * o.v, [this, o]); out.back = () => {
        this.grad += o.v * out.grad;
        o.grad = this.v * out.grad; }; return out; }
      ${unary} }`;
    const told = (unary: string): string => lintText(text(unary), "engine.js").reports[0].message;
    expect(told("")).toContain("`mul` assigns `o.grad`; `neg` accumulates into `grad` (line 3).");
    expect(
      told(
        "add(o) { const out = new V(this.v + o.v, [this, o]); out.back = () => { this.grad += out.grad;\n o.grad += out.grad; }; return out; }",
      ),
    ).toContain("`mul` assigns `o.grad`; `add` accumulates into it (line 8).");
  });

  it("has a fix only where siblings prove it", () => {
    for (const { text, name } of fixtures("overwriting/faulty"))
      for (const report of lintText(text, name).reports)
        expect(report.fix !== null).toBe(
          report.evidence === "proven-siblings" && report.suggestions.length > 0,
        );
  });

  it("shows a chain as information only", () => {
    const { text, name } = fixtures("overwriting/right").find((one) => one.name === "layers.ts")!;
    const { reports } = lintText(text, name);
    expect(reports.map(({ severity, evidence }) => [severity, evidence])).toEqual([["info", "single-use"]]);
  });

  it("takes further names, and chains at their word", () => {
    const text = [
      "export const mul = (a, b) => ({",
      "  value: a.value * b.value,",
      "  sweep: (u) => { a.zz = u * b.value; b.zz = u * a.value; },",
      "});",
    ].join("\n");
    expect(linesOf(text, "a.js", RULE)).toEqual([]);
    expect(linesOf(text, "a.js", RULE, { gradientNames: ["zz"] })).toEqual([3, 3]);
    expect(linesOf(text, "a.js", RULE, { gradientNames: ["zz"], assumeChain: true })).toEqual([]);
    expect(linesOf(text, "a.js", RULE, { gradientNames: ["zz"], severities: { [RULE]: "off" } })).toEqual([]);
  });
});
