import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { primitivesMarkdown } from "../../../engine/ops/document.js";
import { define } from "../../../engine/ops/primitive.js";
import { primitive, primitives } from "../../../engine/ops/table.js";

describe("docs/primitives.md", () => {
  const page = primitivesMarkdown(primitives);

  it("is what the table says now (node scripts/primitives-doc.mjs writes it)", () => {
    const url = new URL("../../../docs/primitives.md", import.meta.url);
    expect(readFileSync(url, "utf8")).toBe(page);
  });

  it("has a line and a note for every primitive, and seven cells in every line", () => {
    for (const row of primitives) {
      const lines = page.split("\n").filter((x) => x.startsWith(`| ${row.name}${row.basic ? "\\*" : ""} |`));
      expect(lines.length, row.name).toBe(1);
      expect(lines[0].replaceAll("\\|", "").split("|").length - 2).toBe(7);
      expect(page).toContain(`- **${row.name}**(`);
    }
  });
});

describe("a row's texts", () => {
  /** Names a formula may use besides the operands: elementary functions, constants, JavaScript syntax. */
  const vocabulary = new Set(
    (
      "sqrt cbrt exp log log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc abs sign " +
      "min max floor ceil round trunc polygamma Γ ψ Φ PI"
    ).split(" "),
  );

  // the derivatives are read by a program: test/unit/expr/derivative.test.ts
  it.each(primitives.map((p) => [p.name, p] as const))("%s: the formula uses its operands", (_n, row) => {
    const words = row.formula.match(/[\p{L}][\p{L}\d]*/gu) ?? [];
    expect(words.filter((w) => !vocabulary.has(w) && !row.operands.includes(w))).toEqual([]);
  });

  it("that are JavaScript evaluate to the value", () => {
    const functions = Object.getOwnPropertyNames(Math).join(", ");
    const run = (row: (typeof primitives)[number], p: number[]): number =>
      (
        new Function("Math", ...row.operands, `const { ${functions} } = Math; return ${row.formula};`) as (
          ...args: unknown[]
        ) => number
      )(Math, ...p);
    let evaluated = 0;
    for (const row of primitives) {
      if (/erf|gamma|gelu$|round/i.test(row.name)) continue; // symbols Math does not have, or not its round
      for (const p of [
        [0.3, 0.7, 0.9],
        [0.6, 0.4, -0.2],
      ].map((x) => x.slice(0, row.arity))) {
        if (row.name === "acosh") p[0] += 1;
        const [a, b = 0, c = 0] = p;
        expect(run(row, p), row.formula).toBeCloseTo(row.value(a, b, c), 12);
        evaluated++;
      }
    }
    expect(evaluated).toBeGreaterThan(80);
  });

  it("are refused when a per-slot field does not fit the operands", () => {
    const good = primitive("mul");
    expect(() => define({ ...good, local: good.local.slice(1) })).toThrow('"mul": local has 1 entries');
    expect(() => define({ ...good, operands: [] })).toThrow('"mul": 0 operands');
  });
});
