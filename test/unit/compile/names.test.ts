/** product.md, "Names". */
import { describe, expect, it } from "vitest";
import { names, trace } from "./trace.js";

const graph = (body: string, inputs = "{ x: 2, y: 3 }", parameters = "{ x, y }"): string =>
  `import { graph } from "backsweep";\nexport const g = graph(${inputs}, (${parameters}) => {\n${body}\n});\n`;

describe("names", () => {
  it("a node is named by the first variable it is assigned to", async () => {
    expect(names(await trace(graph("const a = x * y; const again = a; return again + x;")))).toEqual([
      "a",
      "L",
    ]);
  });
  it("fan-out of the seed", async () => {
    const t = await trace(graph("const a = x * y;\nconst b = a + x;\nconst c = a * y;\nreturn b * c;"));
    expect(names(t)).toEqual(["a", "b", "c", "L"]);
    expect(t.gradient).toEqual({ x: 144, y: 132 });
    expect(t.rows[2]).toMatchObject({ line: 3, column: 11, endColumn: 16, value: 6 });
  });
  it("a variable assigned again gives instances, plain values count", async () => {
    expect(names(await trace(graph("let s = 0; s = s + x; s *= y; s += 1; return s;")))).toEqual([
      "s@1",
      "s@2",
      "s@3",
    ]);
    expect(names(await trace(graph("let s = x; s = s * y; s++; return s;")))).toEqual(["s@1", "s@2"]);
  });
  it("a variable declared in a loop gives instances", async () => {
    const t = await trace(
      graph("let s = 0; for (let i = 0; i < 3; i++) { const t = x * i; s += t; } return s;"),
    );
    expect(names(t)).toEqual(["t@0", "s@1", "t@1", "s@2", "t@2", "s@3"]);
  });
  it("properties and elements", async () => {
    expect(names(await trace(graph("const o = { p: x * y, q: 0 }; o.q = o.p * 2; return o.q;")))).toEqual([
      "p",
      "q",
    ]);
    expect(names(await trace(graph("const h = []; h[0] = x * y; h[1] = h[0] + 1; return h[1];")))).toEqual([
      "h[0]",
      "h[1]",
    ]);
    expect(names(await trace(graph("const h = [x * y, x + y]; return h[0] * h[1];")))).toEqual([
      "h[0]",
      "h[1]",
      "L",
    ]);
    expect(names(await trace(graph("const h = [x, y].map((v) => v * v); return h[0] + h[1];")))).toEqual([
      "h[0]",
      "h[1]",
      "L",
    ]);
  });
  it("locals of a helper carry its instance", async () => {
    const text =
      "function helper(v) { const t = v * v; return t; }\n" +
      graph("return helper(x) + helper(y);").replace("import", ";import");
    expect(names(await trace(text))).toEqual(["helper#1.t", "helper#2.t", "L"]);
  });
  it("callbacks are named after what they are given to", async () => {
    const body = "return [x, y].map((v) => { const t = v * 2; return t; }).reduce((a, b) => a + b);";
    expect(names(await trace(graph(body)))).toEqual(["map#1.t", "map#2.t", "L"]);
  });
  it("destructuring names its targets", async () => {
    expect(names(await trace(graph("const [a, { b }] = [x * y, { b: x + 1 }]; return a + b;")))).toEqual([
      "a",
      "b",
      "L",
    ]);
    expect(
      names(await trace(graph("let a, b; [a, b] = [x * y, x + y]; [a, b] = [b * 1, a * 1]; return a + b;"))),
    ).toEqual(["a@0", "b@0", "a@1", "b@1", "L"]);
  });
  it("a closure's variable belongs to the function that declares it", async () => {
    const body = "let acc = 0; [x, y].forEach((v) => { acc = acc + v; }); return acc;";
    expect(names(await trace(graph(body)))).toEqual(["acc@1", "acc@2"]);
  });
});
