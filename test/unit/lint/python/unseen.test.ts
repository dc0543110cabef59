import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../../engine/lint/lint.js";
import { lintPython } from "../../../../engine/lint/python/lint-python.js";
import { walkSyntax } from "../../../../engine/lint/python/syntax.js";
import { engines, parser, reported } from "./engines.js";

// a batch that the rules met unread, by somebody who had not seen them
const all = engines("unseen-1");
const faulty = all.filter(({ faults }) => faults.length > 0);

describe("unseen Python engines", () => {
  it("are as many right ones as faulty ones", () => {
    expect([faulty.length, all.length - faulty.length]).toEqual([12, 12]);
    expect(faulty.flatMap(({ faults }) => faults)).toHaveLength(31);
  });

  it.each(all)("$name: every fault and nothing else", ({ text, faults }) => {
    expect(reported(text)).toEqual(faults);
  });

  it.each(faulty)("$name: what is suggested can be read and takes its reports away", ({ text }) => {
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
});
