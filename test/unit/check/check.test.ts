/** What a check says of right and of wrong derivatives; each wrong one is planted on purpose. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as B from "../../../engine/index.js";
import {
  checkGradient,
  custom,
  graph,
  type CheckResult,
  type GraphDefinition,
} from "../../../engine/index.js";
import { check } from "../../../engine/check/check.js";
import { subjectOf } from "../../../engine/graph/complete.js";
import type { RunSettings } from "../../../engine/graph/options.js";
import { GraphRun, type RunOutcome } from "../../../engine/graph/run.js";
import { load } from "../compile/harness.js";
import { definition, randomGraph, type RandomGraph } from "../random-graph.js";

const findings = ({ notes }: CheckResult): string[] =>
  notes.filter(({ severity }) => severity === "finding").map(({ code }) => code);
const codes = ({ notes }: CheckResult): string[] => notes.map(({ code }) => code);

const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = B.mul(x, y);
  return B.mul(B.add(a, x), B.mul(a, y));
});

function runOf(definition: GraphDefinition): RunOutcome {
  const { settings, context } = subjectOf(definition, undefined);
  return new GraphRun(definition, settings, context).run();
}

function withSettings(graphed: GraphDefinition, change: Partial<RunSettings>): CheckResult {
  const subject = subjectOf(graphed, undefined);
  return check({ ...subject, settings: { ...subject.settings, ...change } }, { kind: "check" });
}

/** A random graph without numbers such as 1e-300, beside which no evaluation in doubles tells anything. */
function tame(): fc.Arbitrary<RandomGraph> {
  const rounded = (x: number): number => Math.round(x * 2 ** 20) / 2 ** 20;
  return randomGraph().map(({ inputs, steps, outputs }) => ({
    inputs: inputs.map(rounded),
    steps: steps.map((step) => ({
      ...step,
      constant: step.constant === null ? null : rounded(step.constant),
    })),
    outputs,
  }));
}

/** The one graph of a module that went through the loader. */
async function loaded(inputs: string, body: string): Promise<GraphDefinition> {
  const text = `import * as B from "backsweep";\nexport const g = B.graph(${inputs}, ({ x, y }) => {\n${body}\n});\n`;
  return (await load({ "g.ts": text }, "rewritten")).namespace.g as GraphDefinition;
}

describe("a right derivative", () => {
  it("passes every test of the opening example", () => {
    const result = checkGradient(fanOut);
    expect(result.verdict).toBe("ok");
    expect(result.notes).toEqual([]);
    expect(result.movedFrom).toEqual([]);
    expect(result.differences.map(({ along, derivative, verdict }) => [along, derivative, verdict])).toEqual([
      ["x", 144, "ok"],
      ["y", 132, "ok"],
    ]);
    for (const { off } of result.differences) expect(off).toBeLessThan(1e-6);
    for (const { order } of result.taylor) expect(order).toBeCloseTo(2, 2);
  });

  it("is not called wrong on random graphs", () => {
    fc.assert(
      fc.property(tame(), (random) => {
        expect(findings(checkGradient(definition(random)))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it("is not called wrong where one step fits badly", () => {
    const wave = graph({ x: 0.3 }, ({ x }) => B.sin(B.mul(1000, x)));
    const edge = graph({ x: 0.5 }, ({ x }) => B.sqrt(B.sub(x, 0.4999999)));
    const tiny = graph({ x: 1e-9 }, ({ x }) => B.log(x));
    const large = graph({ x: 3e20 }, ({ x }) => B.mul(B.sqrt(x), 1e10));
    for (const one of [wave, edge, tiny, large] as unknown as GraphDefinition[])
      expect(checkGradient(one).verdict).toBe("ok");
    expect(codes(checkGradient(edge))).toEqual(["domain"]);
  });

  it("is not called wrong where quotients cannot settle", () => {
    const chaos = graph({ x: 0.3, r: 3.9 }, ({ x, r }) => {
      let v: number = x;
      for (let i = 0; i < 40; i++) v = B.mul(B.mul(r, v), B.sub(1, v));
      return v;
    });
    const result = checkGradient(chaos);
    expect(findings(result)).toEqual([]);
    expect(codes(result)).toContain("unclear");
  });

  it("is checked with the draws of its stream, cuts held", () => {
    const random = graph({ x: 2 }, ({ x }) => B.add(B.mul(B.square(x), B.normal()), B.dropout(x, 0.5)));
    expect(checkGradient(random).verdict).toBe("ok");
    // 2 x would be the derivative through the cut
    const cut = graph({ x: 2 }, ({ x }) => B.mul(x, B.stopGradient(B.square(x))));
    expect(checkGradient(cut)).toMatchObject({ verdict: "ok", differences: [{ derivative: 4 }] });
  });

  it("passes in every number format", () => {
    for (const dtype of ["f32", "f16", "bf16"] as const) {
      expect(
        withSettings(fanOut as unknown as GraphDefinition, { dtype, cotangentDtype: dtype }).verdict,
      ).toBe("ok");
    }
  });

  it("of many inputs is checked along random directions", () => {
    const w = Array.from({ length: 60 }, (_, i) => i / 7);
    const result = checkGradient(
      graph({ w }, ({ w: all }) => all.map((x) => B.square(x)).reduce((a, b) => B.add(a, b))),
    );
    expect(result).toMatchObject({ verdict: "ok", by: "direction" });
    expect(result.differences).toHaveLength(20);
  });

  it("of several outputs is that of their sum", () => {
    const several = graph({ x: 2, w: [1, 2] }, ({ x, w }) => ({ a: B.mul(x, w[0]), b: B.square(w[1]) }));
    const result = checkGradient(several);
    expect(result.verdict).toBe("ok");
    expect(result.differences.map(({ along, derivative }) => [along, derivative])).toEqual([
      ["x", 1],
      ["w[0]", 2],
      ["w[1]", 4],
    ]);
  });
});

describe("a wrong derivative", () => {
  it("of last-writer-wins is found by every test", () => {
    const result = withSettings(fanOut as unknown as GraphDefinition, {
      accumulate: "last-writer-wins",
      order: "breadth",
    });
    expect(result.verdict).toBe("failed");
    expect(findings(result)).toEqual(["jvp-vjp", "derivative", "derivative", "taylor"]);
    expect(result.differences.map(({ derivative }) => derivative)).toEqual([90, 96]);
    expect(result.notes[1].message).toBe("the derivative by x is 90, the difference quotient 144");
  });

  const forward = (x: number): number => x * x * x;
  it.each([
    ["a factor", (g: number, _y: number, x: number) => g * 2.9 * x * x],
    ["a sign", (g: number, _y: number, x: number) => -g * 3 * x * x],
    ["a small part", (g: number, _y: number, x: number) => g * 3 * x * x * (1 + 1e-5)],
    ["a constant", (g: number, _y: number, x: number) => g * (3 * x * x + 1e-3)],
    ["NaN", () => NaN],
  ])("of a custom primitive, off by %s, is found and named", (_, vjp) => {
    const cube = custom({ name: "cube", forward, vjp });
    const result = checkGradient(graph({ x: 2, y: 3 }, ({ x, y }) => B.mul(cube(B.mul(x, y)), y)));
    expect(result.verdict).toBe("failed");
    const named = result.notes.find(({ code }) => code === "custom-rule")!;
    expect(named.message).toMatch(/cube/);
  });

  it("that forgets its cotangent is found although it is right for 1", () => {
    const cube = custom({ name: "cube", forward, vjp: (_g, _y, x) => 3 * x * x });
    const result = checkGradient(graph({ x: 2 }, ({ x }) => cube(x)));
    expect(findings(result)).toContain("custom-rule");
    expect(result.notes.find(({ code }) => code === "custom-rule")!.message).toMatch(/not linear in g/);
  });

  it("of one operand of two is found, and the other is not blamed", () => {
    const f = custom({
      name: "area",
      forward: (a, b) => a * a * b,
      vjp: (g, _y, a, b) => [g * 2 * a * b, g * a],
    });
    const result = checkGradient(graph({ x: 2, y: 3 }, ({ x, y }) => f(x, y)));
    expect(result.customRules[0]).toMatchObject({ name: "area", slot: 1, vjp: 2, verdict: "failed" });
    expect(result.differences.map(({ verdict }) => verdict)).toEqual(["ok", "failed"]);
  });

  it("of a jvp is found by the dot product, and the difference quotient says which is wrong", () => {
    const f = custom({ name: "cube", forward, vjp: (g, _y, x) => g * 3 * x * x, jvp: ([t], _y, x) => t * x });
    const result = checkGradient(graph({ x: 2 }, ({ x }) => f(x)));
    expect(findings(result)).toEqual(["jvp-vjp", "custom-rule"]);
    expect(result.notes[1].message).toMatch(
      /jvp gives 2, vjp gives 12, which the difference quotient confirms/,
    );
  });

  it("is found beside a kink and beside a stationary point", () => {
    const wrongSquare = custom({ name: "square", forward: (x) => x * x, vjp: (g, _y, x) => g * 3 * x });
    const kink = checkGradient(graph({ x: 0 }, ({ x }) => B.add(B.abs(x), wrongSquare(B.add(x, 1)))));
    expect(kink.verdict).toBe("failed");
    const flat = checkGradient(graph({ x: 0 }, ({ x }) => wrongSquare(x)));
    expect(flat.verdict).toBe("failed");
    expect(flat.movedFrom).toHaveLength(1);
  });

  it("on random graphs is found", () => {
    const bad = custom({ name: "bad", forward: (x) => 2 * x, vjp: (g) => 2.001 * g });
    fc.assert(
      fc.property(randomGraph(8), (random) => {
        const right = definition(random);
        const wrong = graph(right.inputs, (inputs) => {
          const outputs = (right.fn as unknown as (given: unknown) => number[])(inputs);
          return bad(outputs[outputs.length - 1]);
        });
        const result = checkGradient(wrong);
        // a last node that is no function of the inputs never reaches the rule
        const reached = result.customRules.length > 0;
        expect(result.verdict === "failed").toBe(reached);
      }),
      { numRuns: 30 },
    );
  });
});

describe("a point that proves nothing", () => {
  it("moves off a kink and says so", () => {
    const result = checkGradient(graph({ x: 0, y: 1 }, ({ x, y }) => B.mul(B.abs(x), y)));
    expect(result.verdict).toBe("ok");
    expect(codes(result)).toEqual(["kink"]);
    expect(result.movedFrom).toEqual([
      { at: { x: 0, y: 1 }, code: "kink", why: "abs is not differentiable here: derivative 0 at 0" },
    ]);
    expect(result.at.x).not.toBe(0);
  });

  it("recognises a kink that no primitive tells of", () => {
    const f = custom({
      name: "bend",
      forward: (x) => (x > 0 ? 2 * x : x),
      vjp: (g, _y, x) => (x > 0 ? 2 * g : g),
    });
    const result = checkGradient(graph({ x: 0 }, ({ x }) => f(x)));
    expect(result.verdict).toBe("ok");
    expect(result.movedFrom[0].why).toMatch(/not differentiable by x here: 1 from below, 2 from above/);
  });

  it("moves off a stationary point and says so", () => {
    const result = checkGradient(graph({ x: 0 }, ({ x }) => B.square(x)));
    expect(result).toMatchObject({ verdict: "ok", movedFrom: [{ at: { x: 0 } }] });
    expect(codes(result)).toEqual(["stationary"]);
  });

  it("does not claim that a constant's derivative was proved", () => {
    const result = checkGradient(graph({ x: 1 }, ({ x }) => B.add(B.mul(0, x), 3)));
    expect(result.verdict).toBe("proves-nothing");
    expect(codes(result)).toEqual(["stationary"]);
  });

  it("is a graph without inputs, or whose outputs are plain numbers", () => {
    expect(checkGradient(graph({}, () => 1)).verdict).toBe("proves-nothing");
    expect(codes(checkGradient(graph({ x: 1 }, () => 1)))).toEqual(["nothing"]);
  });

  it("is a tape whose values are given: only the two sweeps are compared", () => {
    const given = B.tape([{ value: 2 }, { value: 6, parents: [[0, 3]] }]);
    expect(checkGradient(given)).toMatchObject({
      verdict: "ok",
      differences: [],
      notes: [{ code: "given" }],
    });
  });
});

describe("branches", () => {
  it("steps that cross one are left out", async () => {
    const result = checkGradient(await loaded("{ x: 0.01 }", "return x > 0 ? x * x : -x;"));
    expect(result).toMatchObject({ verdict: "ok", movedFrom: [] });
    expect(codes(result)).toEqual(["branch"]);
    expect(result.differences[0].central!.step).toBeLessThan(0.01);
  });

  it("a point on the edge of one is left", async () => {
    const result = checkGradient(await loaded("{ x: 0 }", "return x > 0 ? x * 2 : x;"));
    expect(result.verdict).toBe("ok");
    expect(result.movedFrom).toHaveLength(1);
    expect(result.movedFrom[0].why).toMatch(/crosses .*however small the step/);
    // `x` is the branch at 0, so that 2 x, on the other side, would say nothing of the 1 that is shown there
    expect(result).toMatchObject({ sameBranch: true, differences: [{ derivative: 1 }] });
    expect(result.at.x).toBeLessThan(0);
  });

  it.each([
    ["equality", "return x === y ? 3 * x : y;"],
    ["a truth value", "return (x - y ? 5 * x : 7 * x) + y;"],
    ["switch", "switch (x) { case 1: return y; case 2: return 2 * x * y; default: return x - y; }"],
  ])("a point that is alone on one (%s) is not called right for what holds beside it", async (_, body) => {
    const result = checkGradient(await loaded("{ x: 2, y: 2 }", body));
    expect(result).toMatchObject({ verdict: "proves-nothing", sameBranch: false });
    const note = result.notes.find(({ message }) => message.includes("were not checked"))!;
    expect(note).toMatchObject({ code: "branch", severity: "warning" });
    expect(note.message).toMatch(/^the derivatives shown at x = 2, y = 2 were not checked: at x = \d/);
    expect(note.place).toMatchObject({ line: 3 });
  });

  it("stays on the branch from a stationary point too", async () => {
    const result = checkGradient(await loaded("{ x: 0 }", "return x > 0.001 ? 7 * x : x * x;"));
    expect(result).toMatchObject({ verdict: "ok", sameBranch: true });
    expect(result.at.x).toBeLessThan(0.001);
  });

  it("stays on it where every input must go its own way", async () => {
    const result = checkGradient(
      await loaded("{ x: 0, y: 0 }", "return (x > 0 ? 9 * x : x) + (y < 0 ? 9 * y : 2 * y);"),
    );
    expect(result).toMatchObject({ verdict: "ok", sameBranch: true });
    expect(result.differences.map(({ derivative }) => derivative)).toEqual([1, 2]);
  });

  it("a jump where a key is looked up is not called a wrong derivative", async () => {
    const result = checkGradient(
      await loaded("{ x: 2, y: 2 }", "return new Set([y]).has(x) ? 4 * x : x + y;"),
    );
    expect(findings(result)).toEqual([]);
    expect(result.verdict).toBe("proves-nothing");
  });

  it("NaN beside a point is no finding about it", async () => {
    // a table has an element at 2 and none beside it
    const result = checkGradient(await loaded("{ x: 2 }", "const t: any = { 2: 7 }; return t[x] * x;"));
    expect(findings(result)).toEqual([]);
    expect(result.verdict).toBe("proves-nothing");
  });

  it("a wrong derivative beside one is found all the same", async () => {
    const wrong = `const f = B.custom({ name: "wrong", forward: (v) => v * v, vjp: (g, _y, v) => g * v });`;
    const result = checkGradient(await loaded("{ x: 2, y: 2 }", `${wrong} return x === y ? x : f(y) + x;`));
    expect(result.verdict).toBe("failed");
  });
});

describe("a point without a derivative", () => {
  const odd = (a: number, b: number): number => (a === 0 && b === 0 ? 0 : (a * a * b) / (a * a + b * b));
  const points = {
    "x^y at (0, 0)": graph({ x: 0, y: 0 }, ({ x, y }) => B.pow(x, y)),
    "x^y at (0, 0) beside a smooth part": graph({ x: 0, y: 0, z: 3 }, ({ x, y, z }) =>
      B.add(B.pow(x, y), B.square(z)),
    ),
    "x^y at (0, 2)": graph({ x: 0, y: 2 }, ({ x, y }) => B.pow(x, y)),
    "x^x at 0": graph({ x: 0 }, ({ x }) => B.pow(x, x)),
    "x^1.5 at 0": graph({ x: 0 }, ({ x }) => B.pow(x, 1.5)),
    "atan2 at (0, 0)": graph({ x: 0, y: 0 }, ({ x, y }) => B.atan2(x, y)),
    "atan2 on its cut": graph({ x: 0, y: -1 }, ({ x, y }) => B.atan2(x, y)),
    "hypot at (0, 0)": graph({ x: 0, y: 0 }, ({ x, y }) => B.hypot(x, y)),
    "max of equals": graph({ x: 1, y: 1 }, ({ x, y }) => B.max(x, y)),
    "min of equals": graph({ x: 1, y: 1 }, ({ x, y }) => B.min(x, y)),
    "the median of equals": graph({ x: 1, y: 1, z: 1 }, ({ x, y, z }) =>
      B.max(B.min(x, y), B.min(B.max(x, y), z)),
    ),
    "r sin 3t at the origin": graph({ x: 0, y: 0 }, ({ x, y }) =>
      B.mul(B.hypot(x, y), B.sin(B.mul(3, B.atan2(y, x)))),
    ),
    "clip at a bound": graph({ x: 1, y: 1 }, ({ x, y }) => B.add(B.clip(x, 0, 1), B.square(y))),
    "a norm at 0": graph({ w: [[0, 0]] }, ({ w }) => B.tensor(w as never).norm()),
    "a row of norms at 0": graph(
      {
        w: [
          [0, 0],
          [1, 2],
        ],
      },
      ({ w }) =>
        B.tensor(w as never)
          .norm({ axis: 1 })
          .sum(),
    ),
    "a sum of magnitudes": graph({ w: [[0, 3]] }, ({ w }) => B.tensor(w as never).norm({ ord: 1 })),
    "a largest magnitude": graph({ w: [[3, -3]] }, ({ w }) => B.tensor(w as never).norm({ ord: Infinity })),
    "no variance": graph({ w: [[2, 2, 2]] }, ({ w }) => B.tensor(w as never).std()),
    "a largest of equals": graph({ w: [[1, 1, 0]] }, ({ w }) => B.tensor(w as never).max()),
  };

  it.each(Object.entries(points as unknown as Record<string, GraphDefinition>))(
    "%s: `run` remarks it, and the check moves on",
    (_, definition) => {
      const { report } = runOf(definition);
      expect(report.notes.map(({ code }) => code)).toContain("kink");
      const result = checkGradient(definition);
      expect(findings(result)).toEqual([]);
      expect(result.movedFrom[0].code).toBe("kink");
      expect(result.verdict).toBe("ok");
    },
  );

  it("is not remarked where what varies is smooth", () => {
    const smooth = [
      graph({ x: 0 }, ({ x }) => B.pow(x, 0)),
      graph({ x: 0 }, ({ x }) => B.pow(x, 2)),
      graph({ y: 1.5 }, ({ y }) => B.pow(0, y)),
      graph({ w: [[0, 3]] }, ({ w }) => B.tensor(w as never).norm()),
    ] as unknown as GraphDefinition[];
    for (const definition of smooth) expect(runOf(definition).report.notes).toEqual([]);
  });

  it("is recognised where only a direction shows it", () => {
    // every partial derivative is 0 at the origin; along (1, 1) the slope is 1/2
    const f = custom({
      name: "odd",
      forward: odd,
      vjp: (g, _y, a, b) => {
        const r = a * a + b * b;
        return r === 0 ? [0, 0] : [(g * 2 * a * b * b * b) / r / r, (g * (a ** 4 - a * a * b * b)) / r / r];
      },
    });
    const result = checkGradient(graph({ x: 0, y: 0 }, ({ x, y }) => B.add(y, f(x, y))));
    expect(result.verdict).toBe("ok");
    expect(result.movedFrom[0]).toMatchObject({ code: "kink" });
    expect(result.movedFrom[0].why).toMatch(/along a random direction the slope is/);
  });

  it("does not hide a wrong derivative beside it", () => {
    const wrong = custom({ name: "wrong", forward: (x) => x * x, vjp: (g, _y, x) => g * x });
    const result = checkGradient(graph({ x: 0, y: 2 }, ({ x, y }) => B.add(B.abs(x), wrong(y))));
    expect(result.verdict).toBe("failed");
    // a kink that goes with the point wherever it moves
    const stuck = graph({ y: 2 }, ({ y }) => B.mul(B.max(y, y), 3));
    const lost = checkGradient(graph({ y: 2 }, ({ y }) => B.add(B.max(y, y), B.mul(0.5, wrong(y)))));
    expect(checkGradient(stuck).verdict).toBe("ok");
    expect(lost.verdict).toBe("failed");
  });

  it("of a function that is finite on one side only is left for one inside", () => {
    const half = custom({
      name: "half",
      forward: (x) => (x < 0 ? NaN : x * x),
      vjp: (g, _y, x) => 2 * g * x,
    });
    const result = checkGradient(graph({ x: 0, y: 3 }, ({ x, y }) => B.add(half(x), B.square(y))));
    expect(result).toMatchObject({ verdict: "ok", movedFrom: [{ code: "domain" }] });
    expect(result.at.x).toBeGreaterThan(0);
  });
});

describe("findings about the function itself", () => {
  it("NaN is one, with the first node in forward order", () => {
    const result = checkGradient(graph({ x: -1 }, ({ x }) => B.log(x)));
    expect(result.verdict).toBe("failed");
    expect(result.notes[0]).toMatchObject({ code: "non-finite", severity: "finding" });
    expect(result.notes[0].message).toMatch(/first in forward order \(log of -1\)/);
  });

  it("an infinite derivative is one", () => {
    expect(checkGradient(graph({ x: 0 }, ({ x }) => B.sqrt(x))).verdict).toBe("failed");
  });

  it("so is a function that gives something else each time", () => {
    let calls = 0;
    const result = checkGradient(graph({ x: 2 }, ({ x }) => B.mul(x, ++calls)));
    expect(findings(result)).toEqual(["not-repeatable"]);
  });
});

describe("a function that throws beside the point it is asked about", () => {
  it("is not compared, and the point and the error are told", async () => {
    const { namespace } = await load(
      {
        "main.graph.ts": `
          import { graph } from "backsweep";
          export const beside = graph({ n: 3, x: 2 }, ({ n, x }) => new Array(n as number).fill(1).length * n * x);
          export const always = graph({ n: 2.5 }, ({ n }) => new Array(n as number).fill(1).length * n);`,
      },
      "rewritten",
    );
    const result = checkGradient(namespace.beside as GraphDefinition);
    expect(result).toMatchObject({ verdict: "proves-nothing", differences: [] });
    expect(result.notes).toHaveLength(1);
    expect(result.notes[0]).toMatchObject({ code: "domain", severity: "warning" });
    expect(result.notes[0].message).toMatch(
      /^at n = \d\.\d+, a point of the check's own beside n = 3, the graph function throws RangeError: Invalid array length/,
    );
    expect(() => checkGradient(namespace.always as GraphDefinition)).toThrow(RangeError);
  });
});
