/** product.md, "The loader": what is rewritten, and what a traced number is to code that does not know. */
import { describe, expect, it } from "vitest";
import { trace, type Traced } from "./trace.js";

const graph = (body: string): string =>
  `import { graph } from "backsweep";\nexport const g = graph({ x: 2, y: 3 }, ({ x, y }) => {\n${body}\n});\n`;
const run = (body: string): Promise<Traced> => trace(graph(body));
const last = (t: Traced): number => t.rows[t.rows.length - 1].value;
const ops = (t: Traced): string[] => t.rows.filter(({ op }) => op !== "input").map(({ op }) => op);

describe("operators on traced numbers", () => {
  it("arithmetic, unary and compound", async () => {
    const t = await run(
      "let s = x + y - 1; s *= 2; s /= y; s %= 5; s **= 2; s -= -x; s += +y; s++; --s; return s;",
    );
    expect(ops(t)).toEqual(["add", "sub", "mul", "div", "mod", "pow", "neg", "sub", "add", "add", "sub"]);
    expect(last(t)).toBeCloseTo(((((2 + 3 - 1) * 2) / 3) % 5) ** 2 + 2 + 3, 12);
  });
  it("postfix gives the old value and evaluates its target once", async () => {
    const t = await run(
      "let n = 0; const o = { p: x }; const f = () => (n++, o); const old = f().p++; return old * o.p + n;",
    );
    expect(ops(t)).toEqual(["add", "mul", "add"]);
    expect(last(t)).toBe(2 * 3 + 1);
  });
  it("private, super and computed targets", async () => {
    const t = await run(
      `class A { v = x; } class B extends A { #p = y; get q() { return this.#p; } go() { this.#p *= x; this.v += this.q; return this.v; } }
       return new B().go();`,
    );
    expect(last(t)).toBe(2 + 6);
    expect(t.gradient).toEqual({ x: 4, y: 2 });
  });
  it("typeof says number", async () => {
    expect(last(await run('return typeof x === "number" && typeof (x * y) === "number" ? x * 5 : x;'))).toBe(
      10,
    );
  });
  it("comparisons, truth and switch are decisions on primals", async () => {
    const t = await run(
      `let r = x; if (x < y) r = r * 2; if (x === 2) r = r * 3; if (!(x - 2)) r = r * 5;
       switch (y) { case 3: r = r * 7; break; default: r = r * 11; }
       r = (x - 2 && y) + r; r = (x - 2 || y) + r; return r;`,
    );
    expect(last(t)).toBe(2 * 2 * 3 * 5 * 7 + 0 + 3);
    expect(t.decisions.map(({ op, left, outcome }) => [op, left, outcome])).toEqual([
      ["<", 2, true],
      ["===", 2, true],
      ["truth", 0, false],
      ["switch", 3, true],
      ["truth", 0, false],
      ["truth", 0, false],
    ]);
    expect(t.decisions[0]).toMatchObject({ line: 3, column: 16 });
  });
  it("strict equality with what is no number, and nullish tests, need no decision", async () => {
    const t = await run('if (x === null || x == undefined || x === "2") return y * 1; return (x ?? y) * 1;');
    expect(last(t)).toBe(2);
    expect(t.decisions).toEqual([]);
  });
  it("a falsy traced operand of && is given back as itself", async () => {
    const t = await run("const z = x - 2; const r = z && y; return r + 1;");
    expect(t.gradient).toEqual({ x: 1, y: 0 });
  });
  it("assignment with ||= and &&=", async () => {
    const t = await run(
      "let a = x - 2; a ||= y; let b = x; b &&= b * y; const o = { p: a }; o.p &&= o.p * 2; return o.p + b;",
    );
    expect(last(t)).toBe(6 + 6);
  });
  it("loops over traced conditions", async () => {
    const t = await run(
      "let s = x; while (s < 20) s *= y; do { s -= 1; } while (s > 50); for (let t = x; t < 5; t = t + 1) s += t; return s * 1;",
    );
    expect(last(t)).toBe(54 - 1 - 1 - 1 - 1 + 2 + 3 + 4);
  });
});

describe("built-ins on traced numbers", () => {
  it("Math, by any road", async () => {
    const t = await run(
      "const { sin } = Math; const M = Math; return sin(x) + [x, y].map(Math.exp)[0] + M.max(x, y, 1) + Math.hypot(x, y) + Math['cos'](x);",
    );
    expect(ops(t).filter((op) => op !== "add")).toEqual(["sin", "exp", "exp", "max", "max", "hypot", "cos"]);
    expect(t.rows[2]).toMatchObject({ op: "sin", line: 3, column: 46 });
  });
  it("Math.max over a spread, and single operands", async () => {
    const t = await run("const xs = [x, y, 1]; return Math.max(...xs) * Math.min(x) + Math.hypot(y);");
    expect(last(t)).toBe(3 * 2 + 3);
  });
  it("sort's comparator is a decision", async () => {
    const t = await run("const [a, b] = [y, x].sort((p, q) => p - q); return a - b;");
    expect(last(t)).toBe(-1);
    expect(t.decisions.map(({ op }) => op)).toEqual(["sort"]);
  });
  it("filter, find, some, every see primal truth", async () => {
    const t = await run(
      "const z = x - 2; const r = [z, y].filter((v) => v); const f = [z, y].find((v) => v - 0); return r[0] * f * ([z].some((v) => v) ? 5 : 1) * ([z].every((v) => v) ? 7 : r.length);",
    );
    expect(last(t)).toBe(9);
    expect(t.decisions.every(({ op }) => op === "truth")).toBe(true);
    expect(t.decisions).toHaveLength(6);
  });
  it("Number and Boolean, Object.is, includes, indexOf", async () => {
    const t = await run(
      "return Number(x) * (Boolean(x - 2) ? 3 : 5) * (Object.is(x, 2) ? 7 : 1) * ([1, y].includes(3) ? 11 : 1) * ([1, 3].indexOf(y) + 1) * (Number.isFinite(x) ? 13 : 1) * (isNaN(x) ? 0 : 1);",
    );
    expect(last(t)).toBe(2 * 5 * 7 * 11 * 2 * 13);
    expect(t.gradient).toEqual({ x: 10010, y: 0 });
  });
  it("reduce, spread, defaults, destructuring, closures, getters, classes, generators", async () => {
    const t = await run(
      `class P { constructor(v) { this.v = v; } get sq() { return this.v * this.v; } }
       function* both() { yield x; yield y; }
       const f = (a, b = a * 2, ...[c = 1]) => a + b + c; const { p, q = x * 3 } = { p: y };
       return [...both()].reduce((a, b) => a + b) + f(x) + p + q + new P(y).sq;`,
    );
    expect(last(t)).toBe(5 + (2 + 4 + 1) + 3 + 6 + 9);
  });
});

describe("cuts are noted at their place", () => {
  const cuts = async (body: string): Promise<string[]> =>
    (await run(body)).notes
      .filter(({ code }) => code === "cut")
      .map(({ message, line, column }) => `${line}:${column} ${message}`);
  const none = "no derivative flows";
  it("an index", async () => {
    expect(await cuts("return x * [5, 6, 7, 8][y];")).toEqual([`3:25 y is used as an index here: ${none}`]);
  });
  it("a template string, text, toFixed, JSON", async () => {
    expect(await cuts("const s = `${x}`; return x * s.length;")).toEqual([
      `3:14 x is turned into text here: ${none}`,
    ]);
    expect(await cuts('const s = "v" + y; return x * s.length;')).toEqual([
      `3:11 a traced number is turned into text here: ${none}`,
    ]);
    expect(await cuts("const s = x.toFixed(2); return x * s.length;")).toEqual([
      `3:11 a traced number is turned into text by toFixed here: ${none}`,
    ]);
    expect(await cuts("const s = JSON.stringify({ x }); return x * s.length;")).toEqual([
      `3:11 a traced number is written as JSON here: ${none}`,
    ]);
  });
  it("steps, bits, keys, typed arrays", async () => {
    expect(await cuts("return x * Math.floor(y);")).toEqual([
      `3:12 a traced number is rounded by Math.floor here: ${none}`,
    ]);
    expect(await cuts("return x * (y | 0) + (~x << 1);")).toEqual([
      `3:13 y is used in a bit operation here: ${none}`,
      `3:24 x is used in a bit operation here: ${none}`,
    ]);
    expect(await cuts("let n = 5; n &= y; return x * n;")).toEqual([
      `3:17 y is used in a bit operation here: ${none}`,
    ]);
    expect(await cuts("const m = new Map(); m.set(y, x); return m.get(3);")).toEqual([
      `3:22 a traced number is used as a Map key here: ${none}`,
    ]);
    expect(await cuts("const f = new Float64Array(2); f[0] = x * y; return x * f[0];")).toEqual([
      `3:32 a traced number is stored in a typed array here: ${none}`,
    ]);
  });
  it("lengths", async () => {
    expect(await cuts("return x * new Array(y).length;")).toEqual([
      `3:22 y is used as an index here: ${none}`,
    ]);
    expect(await cuts("return x * new Float64Array(y).length;")).toEqual([
      `3:29 y is used as an index here: ${none}`,
    ]);
  });
});

describe("sites", () => {
  it("every operation has the line and columns of its expression", async () => {
    const t = await trace(
      'import { graph } from "backsweep";\nexport const g = graph({ x: 2 }, ({ x }) => {\n  const a =\n    x *\n    (x + 1);\n  return Math.sin(a)  -  x ** 2;\n});\n',
    );
    expect(t.rows.slice(1).map(({ op, line, column, endColumn }) => [op, line, column, endColumn])).toEqual([
      ["add", 5, 6, 11],
      ["mul", 4, 5, 12],
      ["sin", 6, 10, 21],
      ["pow", 6, 26, 32],
      ["sub", 6, 10, 32],
    ]);
  });
  it("scopes: function instances with their call, loop iterations, closures", async () => {
    const t = await trace(
      'import { graph } from "backsweep";\nconst sq = (v) => v * v;\nexport const g = graph({ x: 2 }, ({ x }) => {\n  let s = x;\n  for (let i = 0; i < 2; i++) {\n    s = sq(s);\n  }\n  return s;\n});\n',
    );
    const { scopes, nodes, strings, sites } = t.trace;
    const path = (row: number): string => {
      const out: string[] = [];
      for (let at = row; at > 0; at = scopes.parent[at]) {
        const site = scopes.site[at];
        out.unshift(
          `${strings[scopes.name[at]]}/${scopes.iteration[at]}${site < 0 ? "" : `@${sites.line[site]}:${sites.col[site]}`}`,
        );
      }
      return out.join(" > ");
    };
    expect(path(nodes.scope[1])).toBe("graph/1 > for i/0@5:3 > sq/1@6:9");
    expect(path(nodes.scope[2])).toBe("graph/1 > for i/1@5:3 > sq/2@6:9");
  });
});
