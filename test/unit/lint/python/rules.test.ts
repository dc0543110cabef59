import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../../engine/lint/lint.js";
import { lintPython } from "../../../../engine/lint/python/lint-python.js";
import { walkSyntax } from "../../../../engine/lint/python/syntax.js";
import { engines, parser, reported } from "./engines.js";

const all = ["engines-a", "engines-b", "engines-c", "shapes"].flatMap(engines);
const faulty = all.filter(({ faults }) => faults.length > 0);

describe("Python engines", () => {
  it.each(all)("$name: every fault and nothing else", ({ text, faults }) => {
    expect(reported(text)).toEqual(faults);
  });

  it("has right and faulty engines of every rule", () => {
    expect(all.filter(({ name }) => name.startsWith("faulty"))).toEqual(faulty);
    expect(faulty.length).toBeGreaterThan(30);
    expect(all.length - faulty.length).toBeGreaterThan(30);
    const rules = new Set(faulty.flatMap(({ faults }) => faults.map((fault) => fault.split(" ")[1])));
    expect([...rules].sort()).toEqual([
      "not-reverse-topological",
      "overwriting-accumulation",
      "overwritten-backward",
      "same-operand",
    ]);
  });

  it.each(faulty)("$name: suggestions pass the rules and can be read", ({ text }) => {
    const { reports } = lintPython(text, parser);
    const fixable = reports.filter(({ suggestions }) => suggestions.length > 0);
    const fixed = applyEdits(
      text,
      fixable.flatMap(({ suggestions }) => suggestions[0].edits),
    );
    walkSyntax(parser.parse(fixed), ({ type, start }) => {
      expect(type, `${start}\n${fixed}`).not.toBe("ERROR");
    });
    expect(reported(fixed), fixed).toHaveLength(reports.length - fixable.length);
  });

  it("offers a rewrite for every overwriting write but those of several targets, of setattr and of unions of calls", () => {
    const without = faulty.flatMap(({ name, text }) =>
      lintPython(text, parser).reports.flatMap(({ rule, suggestions }) =>
        rule === "overwriting-accumulation" && suggestions.length === 0 ? [name] : [],
      ),
    );
    expect(without).toEqual([
      "faulty-setattr.py",
      "faulty-chained-targets.py",
      "faulty-chained-targets.py",
      "faulty-tuple-targets.py",
      "faulty-union-of-calls.py",
      "faulty-union-of-calls.py",
    ]);
  });

  it.each(faulty)("$name: a comment silences, severities switch off", ({ text, faults }) => {
    const lines = text.split("\n");
    const at = faults.map((fault) => Number(fault.split(" ")[0]));
    for (const line of [...new Set(at)].reverse())
      lines.splice(line - 1, 0, "# backsweep-disable-next-line -- on purpose");
    const { reports, suppressed, notes } = lintPython(lines.join("\n"), parser);
    expect(reports).toEqual([]);
    expect(suppressed.map(({ reason }) => reason)).toEqual(faults.map(() => "on purpose"));
    expect(notes).toEqual([]);
    const severities = Object.fromEntries(faults.map((fault) => [fault.split(" ")[1], "off" as const]));
    expect(reported(text, { severities })).toEqual([]);
  });
});

const MICRO = `class Value:
    def __init__(self, data):
        self.data, self.grad = data, 0.0

    def __add__(self, other):
        out = Value(self.data + other.data)

        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def exp(self):
        out = Value(exp(self.data))

        def _backward():
            self.grad = out.data * out.grad
        out._backward = _backward
        return out
`;

describe("a report on Python", () => {
  it("names node, slot, siblings and the loss, with a fix that siblings prove", () => {
    const { reports } = lintPython(MICRO, parser);
    expect(reports).toHaveLength(1);
    const [report] = reports;
    expect(report.message).toBe(
      "`exp` assigns `self.grad`; `__add__` accumulates into it (line 9). A value used twice keeps only the last contribution.",
    );
    expect([report.severity, report.evidence]).toEqual(["error", "proven-siblings"]);
    expect([report.line, report.column, report.endLine, report.endColumn]).toEqual([18, 13, 18, 44]);
    expect(report.related.map(({ line }) => line)).toEqual([9, 10]);
    expect(applyEdits(MICRO, report.fix ?? [])).toBe(
      MICRO.replace("self.grad = out.data", "self.grad += out.data"),
    );
  });

  it("keeps None as the start of a slot", () => {
    const text = engines("shapes").find(({ name }) => name === "faulty-none-start.py")!.text;
    const [report] = lintPython(text, parser).reports;
    expect(applyEdits(text, report.suggestions[0].edits)).toContain(
      "p.grad = g * w if p.grad is None else p.grad + g * w",
    );
  });

  it("takes further names, and chains at their word", () => {
    const text = MICRO.replaceAll("grad", "zz").replace("self.zz += out.zz", "self.zz = out.zz * 2");
    expect(reported(text.replaceAll("_backward", "run"), { gradientNames: ["zz"] })).not.toEqual([]);
    const single = MICRO.replaceAll("+=", "=");
    expect(reported(single)).toHaveLength(3);
    expect(reported(single, { assumeChain: true })).toEqual([]);
  });

  it("counts columns in UTF-16 and lines whatever ends them", () => {
    const wide = MICRO.replace("            self.grad = out", "            ä = '𝒳'; self.grad = out");
    const [report] = lintPython(wide.replaceAll("\n", "\r\n"), parser).reports;
    expect([report.line, report.column]).toEqual([18, 13 + "ä = '𝒳'; ".length]);
  });
});
