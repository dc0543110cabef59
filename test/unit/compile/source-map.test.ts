/** The source map of a compiled module, read back by Node's own reader, against the module's column map. */
import { SourceMap } from "node:module";
import { describe, expect, it } from "vitest";
import { compileModule } from "../../../engine/compile/index.js";
import { sourceMapOf } from "../../../engine/compile/source-map.js";

const texts = {
  arithmetic: `import { graph } from "backsweep";
export const f = graph({ x: 2, y: 3 }, ({ x, y }: { x: number; y: number }) => {
  const a: number = x * y + Math.sin(x);

  return a > 3 ? a ** 2 : -a;
});
`,
  "line ends of Windows, and tabs": "const u: number = 1;\r\n\r\n\tconst v = u * 2 + u;\r\nexport { v };\r\n",
  "signs beyond the first plane": 'const s: string = "😀😀" + `${1 * 2}`; export const t = s.length * 3;\n',
  nothing: "",
};

describe("the source map", () => {
  it.each(Object.entries(texts))("%s: says of every word what the column map says", (_, text) => {
    const compiled = compileModule(text, { file: "/a.ts", language: "ts" });
    const map = new SourceMap(JSON.parse(sourceMapOf(compiled, text, "file:///a.ts")) as never);
    const rows = compiled.code.split(/\r\n|\n/);
    let words = 0;
    for (const [line, row] of rows.entries()) {
      for (const { index } of row.matchAll(/[\w$]+/g)) {
        const { originalLine, originalColumn } = map.findEntry(line, index) as {
          originalLine: number;
          originalColumn: number;
        };
        expect([originalLine, originalColumn]).toEqual([line, compiled.columnMap(line + 1, index + 1) - 1]);
        words++;
      }
    }
    expect(words).toBeGreaterThan(5);
  });

  it("carries the source and its name", () => {
    const compiled = compileModule(texts.arithmetic, { file: "/a.ts", language: "ts" });
    expect(JSON.parse(sourceMapOf(compiled, texts.arithmetic, "file:///a.ts"))).toMatchObject({
      version: 3,
      sources: ["file:///a.ts"],
      sourcesContent: [texts.arithmetic],
    });
  });
});
