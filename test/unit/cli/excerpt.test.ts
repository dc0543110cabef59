/** The quoted line of source below a message. */
import { expect, it } from "vitest";
import { excerpt } from "../../../cli/excerpt.js";
import { plainStyle } from "../../../cli/style.js";

it("shows no byte order mark, and marks the place behind one", () => {
  const at = { line: 1, column: 5, endLine: 1, endColumn: 7 };
  const marked = excerpt("\uFEFFlet ab = 1;\nrest", at, plainStyle);
  expect(marked).toBe("  1 | let ab = 1;\n    |     ^^\n");
  expect(marked).toBe(excerpt("let ab = 1;\nrest", at, plainStyle));
});

/** The mark of a part of a line, and what a terminal shows above it: a column of the terminal each. */
it.each([
  ["a b", "b", 2, 1],
  ["\u6f22\u5b57 = x", "x", 7, 1],
  ["let s = '\u2705'; f(\u6f22)", "f(\u6f22)", 14, 5],
  ["'\u{1f44d}' + y", "y", 7, 1],
  // a family of three joined to one, a flag of two letters, a heart made an emoji, a thumb with a skin tone
  ["'\u{1f469}\u200d\u{1f469}\u200d\u{1f467}' + y", "y", 7, 1],
  ["'\u{1f1e8}\u{1f1ed}' + y", "y", 7, 1],
  ["'\u2764\ufe0f' + y", "y", 7, 1],
  ["'\u{1f44d}\u{1f3fd}' + y", "y", 7, 1],
  // an accent that stands by itself, a Korean sign of three parts, half and full width
  ["e\u0301 + y", "y", 4, 1],
  ["\u1112\u1161\u11ab + y", "y", 5, 1],
  ["\uff71\uff21 + y", "y", 6, 1],
  ["\t\u001bx + y", "y", 6, 1],
])("in %j the mark stands below %j", (line, part, lead, width) => {
  const column = line.indexOf(part) + 1;
  const at = { line: 1, column, endLine: 1, endColumn: column + part.length };
  const [shown, marks] = excerpt(line, at, plainStyle).split("\n");
  expect(marks).toBe(`    | ${" ".repeat(lead)}${"^".repeat(width)}`);
  expect(shown).not.toContain("\u001b");
});

it("cuts no sign in two", () => {
  const line = `${"\u{1f44d}".repeat(100)}x`;
  const at = { line: 1, column: 201, endLine: 1, endColumn: 202 };
  for (const padded of [line, ` ${line}`]) {
    const column = padded.indexOf("x") + 1;
    const [shown, marks] = excerpt(padded, { ...at, column, endColumn: column + 1 }, plainStyle).split("\n");
    expect(shown).not.toMatch(/(^|[^\ud800-\udbff])[\udc00-\udfff]/);
    // what was cut off before it is said by dots
    expect(shown.slice(shown.indexOf("|") + 2)).toMatch(/^\.{3,}[^.]/);
    const before = Array.from(shown.slice(6, shown.indexOf("x")));
    expect(marks.indexOf("^")).toBe(6 + before.reduce((width, sign) => width + (sign === "." ? 1 : 2), 0));
  }
});
