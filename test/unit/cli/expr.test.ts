/** What `expr` prints beside the ordinary case of the golden file: bounds, large sizes, disagreement, its options. */
import { describe, expect, it } from "vitest";
import { expr } from "../../../cli/expr.js";
import type { OptionValues } from "../../../cli/command.js";
import { plainStyle } from "../../../cli/style.js";
import { expr as analyse } from "../../../engine/analysis/expr.js";
import type { ExprResult } from "../../../engine/analysis/expr-result.js";
import { subjectOf } from "../../../engine/graph/complete.js";
import * as B from "../../../engine/index.js";
import type { GraphDefinition } from "../../../engine/index.js";

const values = (given: Readonly<Record<string, string>>): OptionValues => ({
  text: (option) => given[option],
  texts: () => [],
  flag: () => false,
});

const result = (graph: unknown, given: Readonly<Record<string, string>> = {}): ExprResult =>
  analyse(subjectOf(graph as GraphDefinition, undefined), expr.read(values(given)));

const printed = (x: ExprResult): string =>
  [...expr.human(x, { graph: "g", style: plainStyle, showPath: (path) => path })].join("");

const logistic = (steps: number): unknown =>
  B.graph({ s: 0.3 }, ({ s }) => {
    let x: number = s;
    for (let i = 0; i < steps; i++) x = B.mul(x, B.sub(1.5, x));
    return x;
  });

describe("backsweep expr", () => {
  it("prints the first lines of each part and counts the others", () => {
    const text = printed(result(logistic(100), { limit: "3" }));
    expect(text).toContain("  t1 = 1.5 - s");
    expect(text).toMatch(/^ {2}\.\.\. \d+ more lines \(--limit N\)$/m);
    expect(text.split("\n").filter((line) => /^ {2}[ts]\d+ = /.test(line))).toHaveLength(6);
    expect(text).toContain("dL/ds = ");
    expect(text).toContain("they agree");
  });

  it("prints sizes in digits, then as powers of ten", () => {
    expect(printed(result(logistic(20)))).toMatch(/dL\/ds +\d+ +[\d,]{9,}$/m);
    expect(printed(result(logistic(300)))).toMatch(/dL\/ds +[\d,]+ +\d\.\d\d \* 10\^\d+$/m);
    const json = expr.json(result(logistic(5000)), {
      graph: "g",
      style: plainStyle,
      showPath: (path) => path,
    });
    const [derivative] = json.derivatives as ExprResult["derivatives"];
    expect(derivative.expanded).toBeNull();
    expect(derivative.expandedLog10).toBeGreaterThan(1500);
  });

  it("writes a derivative out where it is small and its line does not say it already", () => {
    const cube = B.graph({ x: 2 }, ({ x }) => B.mul(x, B.mul(x, x)));
    expect(printed(result(cube))).toContain("written out\n  dL/dx = x * x + x * x + x * x\n");
    expect(printed(result(cube, { expand: "3" }))).not.toContain("\nwritten out\n");
    const plain = B.graph({ x: 2 }, ({ x }) => B.sin(x));
    expect(printed(result(plain))).not.toContain("\nwritten out\n");
  });

  it("says where the three ways disagree, and that is a finding, as NaN is", () => {
    const good = result(B.graph({ x: 2 }, ({ x }) => B.sin(x)));
    expect(expr.isFinding(good)).toBe(false);
    const derivatives = good.derivatives.map((d) => ({ ...d, symbolic: 7, agree: false }));
    const wrong = { ...good, derivatives, agree: false };
    expect(printed(wrong)).toContain("DISAGREE");
    expect(printed(wrong)).toContain("they do not agree");
    expect(expr.isFinding(wrong)).toBe(true);
    expect(expr.isFinding(result(B.graph({ x: -2 }, ({ x }) => B.sqrt(x))))).toBe(true);
  });

  it("reads its options, and says what would be right", () => {
    expect(expr.read(values({}))).toEqual({ kind: "expr", node: null, limit: 40, expand: 60 });
    expect(expr.read(values({ node: "a", limit: "0", expand: "7" }))).toEqual({
      kind: "expr",
      node: "a",
      limit: 0,
      expand: 7,
    });
    for (const bad of ["x", "-1", "1.5", ""])
      expect(() => expr.read(values({ limit: bad }))).toThrow(
        "--limit: use a whole number up to 1,000,000,000",
      );
    expect(() => expr.read(values({ expand: "2001" }))).toThrow("--expand: use a whole number up to 2,000");
  });
});
