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
