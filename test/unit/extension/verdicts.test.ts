/** A derivative check as a test's verdict, and the text of a new graph. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkGradient, custom, graph } from "../../../engine/index.js";
import { mul } from "../../../engine/graph/calls.js";
import { graphNameOf, newGraphText } from "../../../extension/features/graph-text.js";
import { errored, sentenceOf, verdictOf, type TestVerdict } from "../../../extension/features/verdicts.js";
import { recognise } from "../../../extension/recognise.js";

type Graph = Parameters<typeof checkGradient>[0];

function verdict(definition: unknown): TestVerdict {
  const result = checkGradient(definition as Graph);
  return verdictOf({ graph: "g", settings: {} as never, result, failure: null });
}

describe("the verdict", () => {
  it("passes a right gradient", () => {
    expect(verdict(graph({ x: 3, y: 2 }, ({ x, y }) => mul(x, y)))).toMatchObject({
      outcome: "passed",
      findings: [],
    });
  });

  it("fails a wrong rule with what was expected", () => {
    const square = custom({
      name: "square",
      forward: (x: number) => x * x,
      vjp: (g: number, _y: number, x: number) => [x * g],
    });
    const { outcome, findings } = verdict(graph({ x: 3 }, ({ x }) => square(x)));
    expect(outcome).toBe("failed");
    expect(findings[0].actual).toBe("x: 3");
    expect(Number(findings[0].expected!.slice("x: ".length))).toBeCloseTo(6, 6);
    expect(findings.some(({ text }) => /rule of square/.test(text))).toBe(true);
  });

  it("skips what proves nothing", () => {
    const { outcome, output } = verdict(graph({ x: 3 }, ({ x }) => mul(mul(x, 0), x)));
    expect(outcome).toBe("skipped");
    expect(output[0]).toMatch(/nothing is proved/);
  });

  it("of a run that failed is an error at the user's place", () => {
    const failure = {
      kind: "syntax" as const,
      message: "unexpected token",
      file: "/w/a.graph.ts",
      line: 4,
      column: 2,
      endLine: 4,
      endColumn: 3,
      frames: [],
    };
    expect(errored("g", failure)).toMatchObject({
      outcome: "errored",
      findings: [{ text: "unexpected token", place: { line: 4 } }],
    });
    expect(errored("g", { ...failure, file: null, line: 0 }).findings[0].place).toBeNull();
  });
});

describe("what a verdict says in one line", () => {
  const place = { file: "/models/engine.ts", line: 12, column: 1, endLine: 12, endColumn: 4 };
  const said = (text: string, at: typeof place | null): string | null =>
    sentenceOf({ name: "g", outcome: "failed", findings: [{ text, place: at }], output: [] });

  it("is its first line, with the place once", () => {
    expect(said("a rule is wrong.\nmore", place)).toBe("a rule is wrong (engine.ts:12)");
    expect(said("the last line reached is engine.ts:12", place)).toBe(
      "the last line reached is engine.ts:12",
    );
    expect(said("a rule is wrong.", null)).toBe("a rule is wrong");
    expect(sentenceOf({ name: "g", outcome: "passed", findings: [], output: [] })).toBeNull();
  });
});

describe("a new graph", () => {
  it("exports what the file is called", () => {
    expect(graphNameOf("my-loss")).toBe("myLoss");
    expect(graphNameOf("2d")).toBe("graph_2d");
    expect(graphNameOf("class")).toBe("graph_class");
    expect(graphNameOf("...")).toBe("graph1");
  });

  it("is recognised, whatever its file is called", () => {
    fc.assert(
      fc.property(fc.string(), (file) => {
        const name = graphNameOf(file);
        expect(recognise(newGraphText(name)).graphs.map((found) => found.name)).toEqual([name]);
      }),
    );
  });
});
