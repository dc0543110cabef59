/** The worker as it is shipped, with the code that V8 kept of it, and compiled from its text: both import the same. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { buildForTest, buildFromText, folderOf, quietRunner } from "./built.js";

const outside = folderOf({ "shared.mjs": "export const three = 3;\n" });
const folder = folderOf({
  "builtin.graph.ts": `import { basename } from "node:path";
import { graph } from "backsweep";
export const f = graph({ x: 2 }, ({ x }) => x * x * basename("a/bc").length);
`,
  "package.graph.ts": `import { two } from "pack";
import { graph } from "backsweep";
export const f = graph({ x: 2 }, ({ x }) => x * x * two);
`,
  "outside.graph.ts": `import { three } from ${JSON.stringify(join(outside.path, "shared.mjs"))};
import { graph } from "backsweep";
export const f = graph({ x: 2 }, ({ x }) => x * x * three);
`,
  "node_modules/pack/package.json": '{ "name": "pack", "type": "module", "main": "index.js" }',
  "node_modules/pack/index.js": 'export const two = (await import("./two.js")).default;\n',
  "node_modules/pack/two.js": "export default 2;\n",
});

const kept = await buildForTest();
const text = await buildFromText();

afterAll(() => {
  text.dispose();
  folder.dispose();
  outside.dispose();
});

describe.each([
  ["with the code that V8 kept", kept, true],
  ["from its text", text, false],
])("the worker %s", (_, built, cached) => {
  const runner = quietRunner(built);
  afterAll(() => runner.dispose());

  it.each([
    ["a module of Node", "builtin.graph.ts", 8],
    ["a package", "package.graph.ts", 8],
    ["a file outside the workspace", "outside.graph.ts", 12],
  ])("imports %s when imports are allowed", async (_, file, slope) => {
    expect(existsSync(join(built.dist, "worker-main.cache"))).toBe(cached);
    const result = await runner.run({
      file: join(folder.path, file),
      root: folder.path,
      options: {},
      timeoutMs: 60_000,
      memoryBytes: 2 ** 28,
      allowImports: true,
      layout: false,
    });
    expect(result.ok ? result.report.gradient : result.failure.message).toEqual({ x: slope });
  });
});
