/** The symbolic view against the reverse sweep, against its own printed lines, and at its limits. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expr, expression } from "../../../engine/analysis/expr.js";
import type { ExprResult } from "../../../engine/analysis/expr-result.js";
import { apply } from "../../../engine/graph/calls.js";
import { subjectOf } from "../../../engine/graph/complete.js";
import * as B from "../../../engine/index.js";
import type { GraphDefinition } from "../../../engine/index.js";
import type { Local } from "../../../engine/ops/primitive.js";
import { primitive, primitives } from "../../../engine/ops/table.js";
import { smoothPoints } from "../ops/samples.js";
import { definition, randomGraph } from "../random-graph.js";

const ask = (graph: unknown, options: { node?: string; limit?: number; expand?: number } = {}): ExprResult =>
  expr(subjectOf(graph as GraphDefinition, undefined), {
    kind: "expr",
    node: options.node ?? null,
    limit: options.limit ?? 1e6,
    expand: options.expand ?? 60,
  });

const messages = ({ notes }: ExprResult): string => notes.map(({ message }) => message).join();

/** Runs the printed lines as a program, with the table's primitives as functions; numbers by line name. */
function execute(result: ExprResult): Map<string, number> {
  const names = new Map<string, string>();
  // a name, or the element of an array input, each as a whole
  const plain = (text: string): string =>
    text.replace(/(?<![\w.])[A-Za-z_]\w*(?:\[\d+\])?/g, (name) => names.get(name) ?? name);
  const functions = primitives.map(({ name }) => name).join(", ");
  const rows = Object.fromEntries(primitives.map(({ name, value }) => [name, value]));
  const values: number[] = [];
  const run = (text: string): number =>
    (
      new Function("rows", "values", `const { ${functions} } = rows; return ${plain(text)};`) as (
        ...args: unknown[]
      ) => number
    )(rows, values);
  const out = new Map<string, number>();
  const enter = (name: string, value: number): void => {
    values.push(value);
    names.set(name, `values[${values.length - 1}]`);
    out.set(name, value);
  };
  for (const { name, value } of result.at) enter(name, value);
  for (const { name, text } of result.lines) enter(name, run(text));
  for (const { name, text } of result.derivatives) out.set(name, run(text));
  return out;
}

const fanOut = B.graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = B.mul(x, y);
  const b = B.add(a, x);
  const c = B.mul(a, y);
  return B.mul(b, c);
});

describe("the fan-out graph", () => {
  it("has its derivative in x with x y shared", () => {
    const result = expression(fanOut);
    expect(result.lines.map(({ part, name, text, value }) => [part, name, text, value])).toEqual([
      ["value", "t1", "x * y", 6],
      ["value", "t2", "t1 + x", 8],
      ["value", "t3", "t1 * y", 18],
      ["value", "L", "t2 * t3", 144],
      ["reverse", "t4", "t2 * y + t3", 42],
    ]);
    const [x, y] = result.derivatives;
    expect([x.name, x.text, x.reverse, x.symbolic]).toEqual(["dL/dx", "t3 + t4 * y", 144, 144]);
    expect([y.name, y.text, y.reverse, y.symbolic]).toEqual(["dL/dy", "t2 * t1 + t4 * x", 132, 132]);
    expect([x.shared, x.expanded, y.shared, y.expanded]).toEqual([9, "21", 10, "25"]);
    expect(result.together).toMatchObject({ shared: 12, expanded: "46" });
    expect(result.outputSize).toMatchObject({ shared: 6, expanded: "11" });
    expect(Math.abs(x.numerical! - 144)).toBeLessThan(1e-6);
    expect(x.tree).toBe("x * y * y + ((x * y + x) * y + x * y * y) * y");
    expect(new Function("x", "y", `return ${x.tree}`)(2, 3)).toBe(144);
    expect(result.agree).toBe(true);
  });

  it("has a derivative in an intermediate node, by name or by id", () => {
    const named = B.graph({ x: 2, y: 3 }, ({ x, y }) => {
      const a = B.mul(x, y);
      return { b: B.add(a, x), c: B.mul(a, y) };
    });
    const [b] = ask(named, { node: "#2" }).derivatives;
    // dL/d(x y) of L = b + c: 1 + y
    expect([b.node, b.reverse, b.symbolic]).toEqual(["#2", 4, 4]);
    expect(b.numerical).toBeCloseTo(4, 8);
    const [c] = ask(named, { node: "c" }).derivatives;
    expect([c.text, c.reverse]).toEqual(["1", 1]);
    expect(() => ask(named, { node: "q" })).toThrow('there is no node "q"; there are x, y, b, c');
    expect(() => ask(named, { node: "99" })).toThrow('there is no node "99"');
  });
});

describe("on random graphs", () => {
  it("the evaluated expression equals the reverse sweep, and so do its printed lines", () => {
    fc.assert(
      fc.property(randomGraph(16), (g) => {
        const result = ask(definition(g));
        expect(result.agree).toBe(true);
        const executed = execute(result);
        for (const { name, reverse, symbolic } of result.derivatives) {
          expect(Math.abs(symbolic - reverse)).toBeLessThanOrEqual(1e-11 * (1 + Math.abs(reverse)));
          // the lines are the expression: the same double, but for the sign of a zero
          expect(executed.get(name)! + 0, name).toBe(symbolic + 0);
        }
        for (const { name, value } of result.lines) expect(executed.get(name)! + 0).toBe(value + 0);
      }),
      { numRuns: 80 },
    );
  });

  it("agrees where rounding further up the graph is all that is left", () => {
    // (w + 1) - 1 is 0 in the sweep and w by a quotient, and nothing of it shows in what x itself receives; found by
    // the property above with w = 5e-291
    for (const w of [5e-290, 1e-200, 1e-20]) {
      const result = ask(
        B.graph({ x: 0 }, ({ x }) => {
          const a = B.add(x, x);
          return [B.sub(a, a), B.mul(a, w)];
        }),
      );
      const [d] = result.derivatives;
      expect([d.reverse, d.numerical! > 0, d.agree]).toEqual([0, true, true]);
    }
  });

  it("written out has as many entries as the tree size says, and the same value", () => {
    fc.assert(
      fc.property(randomGraph(7), (g) => {
        const result = ask(definition(g), { expand: 500 });
        for (const { tree, expanded, symbolic } of result.derivatives) {
          if (tree === null) continue;
          const inputs = result.at.map(({ value }) => value);
          const names = result.at.map(({ name }) => name);
          const value = (
            new Function(...names, "sigmoid", `const { sin, cos, tanh, atan } = Math; return ${tree};`) as (
              ...args: unknown[]
            ) => number
          )(...inputs, primitive("sigmoid").value);
          expect(Math.abs(value - symbolic)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(symbolic)));
          // an upper bound of the names and signs in the text
          expect(Number(expanded)).toBeGreaterThanOrEqual((tree.match(/[a-z]\w*/g) ?? []).length);
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe("every primitive", () => {
  it.each(primitives.map((row) => [row.name, row] as const))("%s", (name, row) => {
    for (const p of smoothPoints(row, 3)) {
      const inputs = Object.fromEntries(row.operands.map((operand, i) => [operand, p[i]]));
      const graph = B.graph(inputs, (given) => {
        const operands = Object.values(given as Record<string, number>);
        const y = apply(name, operands);
        // used twice, and times a factor: a derivative alone may hide a wrong sharing
        return B.mul(y, B.add(y, 1.5));
      });
      const result = ask(graph);
      const executed = execute(result);
      for (const { name: derivative, reverse, symbolic, agree, why } of result.derivatives) {
        const error = Math.abs(symbolic - reverse);
        expect(error, `${derivative} of ${name}(${p})`).toBeLessThanOrEqual(1e-12 * Math.abs(reverse));
        expect(executed.get(derivative)! + 0).toBe(symbolic + 0);
        expect(agree, `${derivative} of ${name}(${p}) ${why}`).toBe(true);
      }
    }
  });
});

describe("what has no rule in the table", () => {
  it("a primitive of the user's own stands by its name", () => {
    const twice = B.custom({ name: "cube", forward: (x) => x ** 3, vjp: (g, _y, x) => 3 * x * x * g });
    const result = ask(B.graph({ x: 2 }, ({ x }) => B.mul(twice(x), x)));
    const [d] = result.derivatives;
    expect([d.text, d.reverse, d.symbolic]).toEqual(["t1 + x * cube'(x)", 32, 32]);
    expect(d.agree).toBe(true);
    expect(messages(result)).toContain("f' stands for the derivative of a primitive of your own");
    const wrong = B.custom({ name: "cube", forward: (x) => x ** 3, vjp: (g, _y, x) => 2 * x * x * g });
    expect(ask(B.graph({ x: 2 }, ({ x }) => B.mul(wrong(x), x))).agree).toBe(false);
  });

  it("a cut is a symbol, and the quotient holds it too", () => {
    const result = ask(B.graph({ x: 3 }, ({ x }) => B.mul(x, B.stopGradient(B.square(x)))));
    const [d] = result.derivatives;
    expect([d.reverse, d.symbolic, d.text]).toEqual([9, 9, "cut#2"]);
    expect(d.numerical).toBeCloseTo(9, 6);
    expect(result.agree).toBe(true);
  });

  it("a given tape has its local derivatives in numbers", () => {
    const given = B.tape([
      { name: "x", value: 2 },
      { name: "a", value: 6, parents: [[0, 3]] },
      {
        name: "L",
        value: 36,
        parents: [
          [1, 6],
          [0, 0.5],
        ],
      },
    ]);
    const [d] = ask(given).derivatives;
    expect([d.text, d.reverse, d.symbolic, d.why]).toEqual(["18.5", 18.5, 18.5, "the values are given"]);
  });

  it("an operation on arrays is refused where it stands", () => {
    const arrays = B.graph({ w: [[1, 2]] }, ({ w }) => (w as unknown as { sum(): number }).sum());
    expect(() => ask(arrays)).toThrow("expr writes derivatives of scalar operations; this one is on arrays");
  });
});

describe("special cases", () => {
  it("an input that the output does not use has derivative 0", () => {
    const [x, y] = ask(B.graph({ x: 1, y: 2 }, ({ x }) => B.sin(x))).derivatives;
    expect([x.text, y.text, y.reverse, y.symbolic, y.shared]).toEqual(["cos(x)", "0", 0, 0, 1]);
  });

  it("an output that is an input, or a number", () => {
    expect(ask(B.graph({ x: 1 }, ({ x }) => x)).derivatives[0].text).toBe("1");
    const constant = ask(B.graph({ x: 1 }, () => 5));
    expect([constant.derivatives[0].text, constant.agree]).toEqual(["0", true]);
  });

  it("several outputs are summed with their cotangents, and it says so", () => {
    const two = B.graph({ x: 2 }, ({ x }) => [B.square(x), B.sin(x)], { cotangent: [3, -1] });
    const result = ask(two);
    expect(result.derivatives[0].text).toBe("3 * (2 * x) - cos(x)");
    expect(result.notes.map(({ message }) => message)).toEqual([
      "differentiated is the sum of the outputs times their cotangents, 3 * L[0] + -1 * L[1]",
    ]);
    expect(result.agree).toBe(true);
  });

  it("at a kink the quotient is left out and the convention stands", () => {
    const [d] = ask(B.graph({ x: 0 }, ({ x }) => B.relu(x))).derivatives;
    expect([d.reverse, d.symbolic, d.numerical, d.why, d.agree]).toEqual([
      0,
      0,
      null,
      "not differentiable here",
      true,
    ]);
    expect(d.text).toBe("x > 0 ? 1 : x <= 0 ? 0 : NaN");
  });

  it("NaN agrees with NaN, and the branch not taken makes none", () => {
    const [nan] = ask(B.graph({ x: -1 }, ({ x }) => B.sqrt(x))).derivatives;
    expect([nan.reverse, nan.symbolic, nan.agree]).toEqual([NaN, NaN, true]);
    const [safe] = ask(B.graph({ x: 0 }, ({ x }) => B.mul(B.max(x, 1), Infinity))).derivatives;
    expect([safe.reverse, safe.symbolic]).toEqual([0, 0]);
  });

  it("lines and trees are bounded, and what is left out is counted", () => {
    const long = B.graph({ x: 0.3 }, ({ x }) => {
      let s: number = x;
      for (let i = 0; i < 100; i++) s = B.mul(s, B.sub(1.9, s));
      return s;
    });
    const result = ask(long, { limit: 5 });
    expect(result.lines.filter(({ part }) => part === "value")).toHaveLength(5);
    expect(result.lines.filter(({ part }) => part === "reverse")).toHaveLength(5);
    expect(result.totals.value).toBeGreaterThan(100);
    const [d] = result.derivatives;
    expect(d.tree).toBeNull();
    expect(d.shared).toBeLessThan(800);
    // four uses of every state a step: an expression of more than 2^100 entries
    expect(BigInt(d.expanded!)).toBeGreaterThan(2n ** 100n);
    expect(d.expandedLog10).toBeCloseTo(d.expanded!.length - 1, -0.4);
    expect(result.agree).toBe(true);
  });

  it("many inputs are listed up to 50", () => {
    const wide = B.graph({ x: Array.from({ length: 60 }, (_, i) => i + 1) }, ({ x }) =>
      (x as unknown as number[]).reduce((sum, v) => B.add(sum, B.square(v)), 0),
    );
    const result = ask(wide);
    expect([result.derivatives.length, result.omitted]).toEqual([50, 10]);
    expect(result.derivatives[49]).toMatchObject({
      node: "x[49]",
      text: "2 * x[49]",
      reverse: 100,
      agree: true,
    });
    expect(ask(wide, { node: "x[59]" }).derivatives[0].reverse).toBe(120);
  });

  it("a chain of 200,000 operations takes no stack, and its sizes are exact", () => {
    const n = 200_000;
    const chain = B.graph({ x: 0.5 }, ({ x }) => {
      let s: number = x;
      for (let i = 0; i < n; i++) s = B.sin(s);
      return s;
    });
    const result = ask(chain, { limit: 3 });
    const [d] = result.derivatives;
    // n cosines of arguments of 1 to n entries, and n - 1 products
    const tree = (BigInt(n) * BigInt(n + 1)) / 2n + BigInt(n) + BigInt(n - 1);
    expect(d.expanded).toBe(tree.toString());
    // n - 1 inner sines, n cosines, n - 1 products, x
    expect(d.shared).toBe(3 * n - 1);
    expect(Math.abs(d.symbolic - d.reverse)).toBeLessThanOrEqual(1e-9 * d.reverse);
    expect(d.why).toBe("too many operations to repeat");
  });
});

describe("a planted fault", () => {
  it("in a rule is seen as a disagreement", () => {
    const rules = primitive("sinh").local as Local[];
    const right = rules[0];
    const graph = B.graph({ x: 0.4 }, ({ x }) => B.sinh(x));
    rules[0] = (a, b, c, y) => right(a, b, c, y) * (1 + 1e-6);
    try {
      expect(ask(graph).agree).toBe(false);
    } finally {
      rules[0] = right;
    }
    expect(ask(graph).agree).toBe(true);
  });
});
