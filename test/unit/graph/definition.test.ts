import { describe, expect, it } from "vitest";
import {
  add,
  custom,
  graph,
  mul,
  reverseAccumulate,
  sqrt,
  stopGradient,
  tape,
  log,
  relu,
  sub,
  sin,
} from "../../../engine/index.js";
import { contributions, gradient, jvp, sweep, valueAndGradient, vjp } from "../../../engine/graph/queries.js";
import { resolveOptions } from "../../../engine/graph/options.js";
import { GraphRun } from "../../../engine/graph/run.js";
import { nodeExpression, nodeName, nodeOp, nodeTitle } from "../../../engine/trace/read.js";

describe("graph()", () => {
  it("refuses what is no definition, each in one sentence", () => {
    const any = graph as unknown as (...args: unknown[]) => unknown;
    expect(() => any({ x: 1 })).toThrow("the second argument must be a function");
    expect(() => any({ x: "1" }, () => 0)).toThrow(
      'input "x" is the string "1": use a number, an array of numbers, nested arrays or a Float64Array',
    );
    expect(() => any({ x: [1, null] }, () => 0)).toThrow('input "x[1]" is null, not a number');
    expect(() => any({ x: [[1, 2], [3]] }, () => 0)).toThrow(
      "input x[1] has length 1 where 2 elements were expected",
    );
    expect(() => any({ x: 1 }, async () => 0)).toThrow("an async function cannot be a graph");
    expect(() => any({ x: 1 }, function* () {})).toThrow("a generator function cannot be a graph");
    expect(() => any([1], () => 0)).toThrow("inputs must be an object");
  });

  it("refuses what is no output", () => {
    const bad =
      (value: unknown): (() => unknown) =>
      () =>
        sweep(graph({ x: 1 }, () => value as number));
    expect(bad(undefined)).toThrow(
      "the graph returned undefined: return a number, an array or a record of numbers",
    );
    expect(bad("3")).toThrow('the graph returned the string "3"');
    expect(bad({ b: [1] })).toThrow(`output "b" is an array, not a number or a tensor: make a tensor of it`);
    expect(bad([])).toThrow("the graph returned no output");
    expect(bad([1, true])).toThrow("the graph's output [1] is a boolean, not a number or a tensor");
    expect(bad(Promise.resolve(1))).toThrow("the graph function returned a promise");
  });

  it("gives array inputs as arrays of scalars", () => {
    const dot = graph({ w: [1, 2, 3], b: 0.5 }, ({ w, b }) =>
      w.reduce((s, x, i) => add(s, mul(x, i + 1)), b),
    );
    expect(valueAndGradient(dot)).toEqual({ value: 14.5, gradient: { w: [1, 2, 3], b: 1 } });
    expect(gradient(dot, { w: [1, 1] })).toEqual({ w: [1, 2], b: 1 });
    expect(() => gradient(dot, { w: 3 })).toThrow('the input "w" takes an array of 3 numbers');
    expect(() => gradient(dot, { q: 3 } as never)).toThrow('there is no input "q"; inputs are w, b');
  });

  it("seeds several outputs as asked, and says so when it was not", () => {
    const two = graph({ x: 2 }, ({ x }) => ({ p: mul(x, x), q: mul(x, 5) }));
    const both = sweep(two);
    expect(both.report.gradient).toEqual({ x: 9 });
    expect(both.report.notes.map((note) => note.code)).toEqual(["several-outputs"]);
    expect(vjp(two, { p: 1, q: 0 })).toEqual({ x: 4 });
    expect(vjp(two, { p: 0, q: -2 })).toEqual({ x: -10 });
    expect(() => vjp(two, { p: 1 })).toThrow("the option cotangent gives no number for output q");
    expect(nodeName(both.trace, 1)).toBe("p");
  });

  it("adds the seed and the uses of an output that is used again", () => {
    const chained = graph({ x: 3 }, ({ x }) => {
      const a = mul(x, x);
      return [a, mul(a, 2)];
    });
    expect(sweep(chained).report.gradient).toEqual({ x: 18 });
    // assignment loses the seed
    expect(sweep(chained, { accumulate: "last-writer-wins" }).report.gradient).toEqual({ x: 12 });
    expect(sweep(chained, { accumulate: "kahan" }).report.gradient).toEqual({ x: 18 });
  });

  it("returns an input, or a constant, with its gradient", () => {
    expect(sweep(graph({ x: 3 }, ({ x }) => x)).report.gradient).toEqual({ x: 1 });
    const constant = sweep(graph({ x: 3 }, () => 7));
    expect(constant.report.gradient).toEqual({ x: 0 });
    expect(constant.report.notes[0].message).toBe("the output does not depend on x: its gradient is 0");
    expect(constant.trace.header.outputs[0]).toMatchObject({ node: -1, value: 7 });
  });

  it("refuses a traced number kept from an earlier run", () => {
    let kept = 0;
    const g = graph({ x: 3 }, ({ x }) => {
      const y = kept === 0 ? mul(x, 1) : mul(x, kept);
      kept = y;
      return y;
    });
    sweep(g);
    expect(() => sweep(g)).toThrow("kept from an earlier run");
  });

  it("says that its function is given a record, where that is taken for a number", () => {
    const taken = graph({ x: 2, y: 1 }, ((inputs: unknown) => (inputs as number) * 2) as never);
    expect(() => sweep(taken)).toThrow(
      "the graph function is given a record of the inputs, not a number: write ({ x, y }) => ...",
    );
    // what reads it as a record goes on
    const read = graph({ x: 2, y: 3 }, (inputs) => {
      const { x, ...others } = inputs;
      expect(Object.keys(inputs)).toEqual(["x", "y"]);
      expect(Reflect.ownKeys(others)).toEqual(["y"]);
      return mul(x, others.y);
    });
    expect(sweep(read).report.gradient).toEqual({ x: 3, y: 2 });
    expect(sweep(read).report.notes).toEqual([]);
  });

  it("names an input that is asked for and is none", () => {
    const asked = graph({ x: 2, w: 3 }, (inputs) => {
      const { ww = 1 } = inputs as unknown as { ww?: number };
      return mul(inputs.x, ww);
    });
    const { report } = sweep(asked);
    expect(report.notes[0]).toMatchObject({ code: "unknown-input", severity: "warning" });
    expect(report.notes[0].message).toBe(
      'the graph function asks for "ww", and there is no such input: inputs are x, w',
    );
  });

  it("says how an element of an input is set", () => {
    const lists = graph(
      {
        x: 2,
        w: [1, 2],
        M: [
          [1, 2],
          [3, 4],
        ],
      },
      ({ x }) => x,
    );
    const set =
      (name: string): (() => unknown) =>
      () =>
        sweep(lists, { set: { [name]: 1 } });
    expect(set("w[0]")).toThrow('"w[0]" is one element, and an input is set as a whole: write w=1,2 with');
    expect(set("M[0][1]")).toThrow("write M=[[1,2],[3,4]] with that element changed");
    expect(set("x[0]")).toThrow('the input "x" is a number');
    expect(set("q[0]")).toThrow('there is no input "q[0]"');
  });

  it("throws on implicit conversion where no loader rewrote the file", () => {
    const g = graph({ x: 3 }, ({ x }) => x * 2);
    expect(() => sweep(g)).toThrow("this file was not loaded by Backsweep");
    expect(() => sweep(graph({ x: 3 }, ({ x }) => Number(`${x}`)))).toThrow(
      "this file was not loaded by Backsweep",
    );
  });
});

describe("notes and findings", () => {
  it("names the first NaN in forward order with its operands, and the first in the sweep", () => {
    const g = graph({ x: 1 }, ({ x }) => {
      const bad = sqrt(sub(x, 2));
      return mul(bad, x);
    });
    const { report } = sweep(g);
    expect(report.finding).toBe(true);
    expect(report.notes.map((note) => note.message)).toEqual([
      "sqrt (node 2) is NaN: the first in forward order (sqrt of -1)",
      "L hands NaN to x (cotangent 1): the first in the reverse sweep",
    ]);
  });

  it("finds an infinity that only the reverse sweep makes", () => {
    const { report } = sweep(graph({ x: 0 }, ({ x }) => sqrt(x)));
    expect(report.notes.filter((note) => note.severity === "finding").map((note) => note.message)).toEqual([
      "L hands Infinity to x (cotangent 1): the first in the reverse sweep",
    ]);
  });

  it("does not blame a value that is on no path to the output", () => {
    const { report } = sweep(
      graph({ x: -1 }, ({ x }) => {
        log(x);
        return mul(x, 2);
      }),
    );
    expect(report.finding).toBe(false);
    expect(report.notes[0]).toMatchObject({ code: "non-finite", severity: "warning" });
  });

  it("states the convention at a kink", () => {
    const { report } = sweep(graph({ x: 0 }, ({ x }) => relu(x)));
    expect(report.notes[0].code).toBe("kink");
    expect(report.notes[0].message).toMatch(/^relu is not differentiable here: /);
    expect(report.gradient).toEqual({ x: 0 });
  });

  it("finds NaN in an output that depends on no input", () => {
    const { report } = sweep(graph({ x: 2 }, (given) => (given as unknown as { y: number }).y * 2));
    expect(report.finding).toBe(true);
    expect(report.notes.map((note) => note.message)).toContain("the output is NaN, and depends on no input");
  });

  it("warns of an unused input by name, elements too", () => {
    const { report } = sweep(graph({ x: 1, w: [1, 2] }, ({ w }) => mul(w[0], 2)));
    expect(report.notes.map((note) => note.message)).toEqual([
      "the output does not depend on x: its gradient is 0",
      "the output does not depend on w[1]: its gradient is 0",
    ]);
    expect(report.gradient).toEqual({ x: 0, w: [2, 0] });
  });
});

describe("tape([...])", () => {
  const seed = [
    { value: 2, name: "x" },
    { value: 3, name: "y" },
    {
      value: 6,
      parents: [
        [0, 3],
        [1, 2],
      ],
    },
    {
      value: 8,
      parents: [
        [2, 1],
        [0, 1],
      ],
    },
    [
      18,
      [
        [2, 3],
        [1, 6],
      ],
    ],
    {
      value: 144,
      parents: [
        [3, 18],
        [4, 8],
      ],
    },
  ] as const;

  it("sweeps the seed's form, pairs accepted", () => {
    const { report, trace } = sweep(tape(seed));
    expect(report.gradient).toEqual({ x: 144, y: 132 });
    expect(report.lastWriterWins.gradient).toEqual({ x: 90, y: 96 });
    expect(nodeName(trace, 2)).toBe("v2");
    expect(reverseAccumulate(seed)).toEqual([144, 132, 42, 18, 8, 1]);
    expect(jvp(tape(seed), { x: 1 }).tangents).toEqual([144]);
  });

  it("refuses a parent that does not come before its child, and set values", () => {
    expect(() => tape([{ value: 1, parents: [[0, 1]] }])).toThrow("node 0 names parent 0");
    expect(() => reverseAccumulate([])).toThrow("give at least one node");
    expect(() => sweep(tape(seed), { set: { x: 1 } })).toThrow("inputs cannot be set");
  });
});

describe("custom, stopGradient, expressions", () => {
  it("uses a custom rule in both directions", () => {
    const cube = custom({ name: "cube", forward: (x) => x ** 3, vjp: (g, _y, x) => g * 3 * x * x });
    const g = graph({ x: 2 }, ({ x }) => mul(cube(x), cube(x)));
    expect(gradient(g)).toEqual({ x: 192 });
    expect(jvp(g, { x: 1 })).toEqual({ values: [64], tangents: [192] });
    expect(nodeOp(sweep(g).trace, 1)).toBe("cube");
    expect(cube(3)).toBe(27);
  });

  it("refuses a rule that does not answer for every operand", () => {
    const bad = custom({ forward: (a, b) => a * b, vjp: (g) => [g] });
    expect(() => gradient(graph({ x: 2 }, ({ x }) => bad(x, x)))).toThrow("vjp must return 2 contributions");
  });

  it("cuts where stopGradient says so, and notes it", () => {
    const g = graph({ x: 3 }, ({ x }) => mul(stopGradient(mul(x, x)), x));
    const { report } = sweep(g);
    expect(report.gradient).toEqual({ x: 9 });
    expect(report.notes[0].code).toBe("cut");
  });

  it("puts expressions together where there is no source", () => {
    const { trace } = sweep(graph({ x: 2 }, ({ x }) => sin(mul(x, 3))));
    expect(nodeExpression(trace, 1)).toBe("mul(x, 3)");
    expect(nodeTitle(trace, 1)).toBe("mul(x, 3)");
    expect(nodeTitle(trace, 2)).toBe("L");
  });

  it("lists contributions with both slots of a repeated operand", () => {
    const g = graph({ x: 2, y: 3 }, ({ x, y }) => {
      const a = mul(x, y);
      const b = add(a, x);
      const c = mul(a, y);
      const d = mul(a, a);
      return add(mul(b, c), d);
    });
    expect(gradient(g)).toEqual({ x: 180, y: 156 });
    const { trace } = sweep(g);
    expect(nodeName(trace, 2)).toBeNull();
    const into = contributions(
      graph({ a: 6 }, ({ a }) => mul(a, a)),
      "a",
    );
    expect(into).toEqual({
      parts: [
        { from: "L", slot: 0, local: 6, value: 6 },
        { from: "L", slot: 1, local: 6, value: 6 },
      ],
      sum: 12,
    });
  });
});

describe("the first bad contribution", () => {
  it("is named where it flows, not where its victim was first paid", () => {
    const g = graph({ x: 2, y: 3 }, ({ x, y }) => add(mul(sqrt(sub(x, y)), y), x));
    expect(sweep(g).report.notes.at(-1)?.message).toBe(
      "mul (node 4) hands NaN to y (cotangent 1): the first in the reverse sweep",
    );
  });

  it("tells an overflow of the sum from a bad contribution", () => {
    const g = graph({ x: 1 }, ({ x }) => add(mul(x, 1e308), mul(x, 1e308)));
    expect(sweep(g).report.notes.at(-1)?.message).toBe(
      "the contributions to x overflow to Infinity when they are added: the first in the reverse sweep",
    );
  });
});

describe("a recording that stopped early", () => {
  it("gives its first nodes, however many were recorded", () => {
    const long = graph({ x: 2 }, ({ x }) => {
      let a = x;
      for (let i = 0; i < 200_000; i++) a = mul(a, 1);
      throw new RangeError(`stopped at ${i(a)}`);
    });
    const i = (_: number): string => "the end";
    const run = new GraphRun(long as never, resolveOptions(long as never, {}), {
      name: "long",
      graphs: ["long"],
      root: "",
      limitBytes: Infinity,
    });
    expect(() => run.run()).toThrow("stopped at the end");
    const partial = run.partial()!;
    expect([partial.nodes.n, partial.header.recorded, partial.header.complete]).toEqual([
      50_000,
      200_001,
      false,
    ]);
    expect(partial.edges.to.at(-1)).toBe(49_999);
  });
});
