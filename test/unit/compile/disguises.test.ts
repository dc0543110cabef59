/**
 * Ways in which ordinary code could meet a traced number as something else than a number. Each of these once gave a wrong
 * gradient without a word.
 */
import { describe, expect, it } from "vitest";
import { trace } from "./trace.js";

const run = (body: string, before = ""): ReturnType<typeof trace> =>
  trace(
    `import { graph } from "backsweep";\n${before}\nexport const g = graph({ x: 2, y: 3 }, ({ x, y }: any) => {\n${body}\n});\n`,
  );

describe("a traced number shows nothing of itself", () => {
  it.each([
    ["a ref unwrapped by its value", "const u = (r: any) => r?.value ?? r; return u({ value: x }) * u(y);"],
    [
      "destructured with a default",
      "const { value = x, id = 1, tape = 1, named = 1 } = x; return value * y * id * tape * named;",
    ],
    [
      "a deep clone by instanceof",
      "const c = (o: any): any => (o instanceof Object ? Object.fromEntries(Object.entries(o).map(([k, v]) => [k, c(v)])) : o); const s = c({ a: x, b: { c: y } }); return s.a > 1 ? s.a * s.b.c : s.b.c;",
    ],
    [
      "a search for its keys",
      "return Object.keys(x).length === 0 && Object.keys({ ...x }).length === 0 ? x * y : x;",
    ],
    ["its constructor", "return x.constructor === Number ? x * y : x;"],
    ["its tag", "return Object.prototype.toString.call(x) === '[object Number]' ? x * y : x;"],
    ["in", "let thrown = false; try { 'a' in x; } catch { thrown = true; } return thrown ? x * y : x;"],
    [
      "includes of an array-like",
      "return Array.prototype.includes.call({ length: 1, 0: x }, 2) ? x * y : x;",
    ],
  ])("%s", async (_, body) => {
    expect((await run(body)).gradient).toEqual({ x: 3, y: 2 });
  });

  it("takes methods that a program adds to Number.prototype", async () => {
    const { gradient } = await run(
      "return x.doubled() * y;",
      "(Number.prototype as any).doubled = function () { return this * 2; };",
    );
    delete (Number.prototype as { doubled?: unknown }).doubled;
    expect(gradient).toEqual({ x: 6, y: 4 });
  });
});

describe("an object whose primitive is a traced number", () => {
  const money = "class Money { constructor(readonly c: number) {} valueOf() { return this.c; } }";

  it.each([
    ["compared", "const a: any = new Money(x), b: any = new Money(y); return b > a ? x * y : x;"],
    ["multiplied", "return (new Money(x) as any) * (new Money(y) as any);"],
    ["added to 0", "return (0 + (new Money(x) as any)) * y;"],
    [
      "converted by Number, Math and unary plus",
      "return Number(new Money(x)) * +(new Money(y) as any) * Math.max(new Money(1) as any);",
    ],
    ["compared loosely", "return (new Money(x) as any) == 2 ? x * y : x;"],
    ["in a literal", "const t: any = { valueOf: () => x, toString: () => '7' }; return t * y;"],
    ["by Symbol.toPrimitive", "const t: any = { [Symbol.toPrimitive]: () => x }; return t * y;"],
  ])("%s", async (_, body) => {
    expect((await run(body, money)).gradient).toEqual({ x: 3, y: 2 });
  });
});

describe("structuredClone", () => {
  it("copies primals and says so at its place", async () => {
    const { gradient, notes } = await run(
      "const s = structuredClone({ p: x, q: [y], m: new Map([[1, x]]), s: new Set([2]) });\nreturn s.p > 1 && s.m.get(1) === 2 ? x * y : y;",
    );
    expect(gradient).toEqual({ x: 3, y: 2 });
    expect(notes[0]).toMatchObject({ code: "cut", line: 4 });
    expect(notes[0].message).toContain("copied by structuredClone");
  });

  it("is the real one where nothing is traced", async () => {
    const { gradient } = await run(
      "const cycle: any = { d: new Date(5) }; cycle.self = cycle; const c = structuredClone(cycle); return c.self === c && c !== cycle && c.d.getTime() === 5 ? x * y : x;",
    );
    expect(gradient).toEqual({ x: 3, y: 2 });
  });
});

describe("names and places", () => {
  it("counts an element that is stored again", async () => {
    const { rows } = await run("const a = [0]; a[0] = x * 2; a[0] = a[0] * y; return a[0];");
    expect(rows.map((row) => row.name)).toEqual(["x", "y", "a[0]@0", "a[0]@1"]);
    const once = await run("const a = [0]; a[0] = x * y; return a[0];");
    expect(once.rows.map((row) => row.name)).toEqual(["x", "y", "a[0]"]);
  });

  it("never places a cut in another graph", async () => {
    const text = `import { graph } from "backsweep";
export const g = graph({ x: 2 }, ({ x }: any) => { const b: any[] = [1, 2, 3]; b.length = x; return b.length * x; });
export const last = graph({ x: 2 }, ({ x }: any) => x);
`;
    const { notes } = await trace(text);
    expect(notes.map((note) => note.line)).toEqual([2]);
  });
});
