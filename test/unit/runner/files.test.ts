/** Which files a run depends on: all that were read, whether or not anything of them was recorded. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Runner } from "../../../runner/client.js";
import { buildForTest, type Built, folderOf, quietRunner } from "./built.js";

let built: Built;
let runner: Runner;

beforeAll(async () => {
  built = await buildForTest();
  runner = quietRunner(built);
});
afterAll(() => {
  runner?.dispose();
});

async function filesOf(text: string): Promise<{ ok: boolean; files: readonly string[] }> {
  const folder = folderOf({
    "a.ts": text,
    "factor.ts": 'export { half as factor } from "./half";\n',
    "half.ts": "export const half = 0.5;\n",
    "scale.json": '{ "by": 3 }\n',
    "other.ts": "export const other = 1;\n",
  });
  try {
    const result = await runner.run({
      file: join(folder.path, "a.ts"),
      root: folder.path,
      options: {},
      timeoutMs: 60_000,
      memoryBytes: 512 * 2 ** 20,
      allowImports: false,
      layout: false,
    });
    const files = (result.files ?? []).map((file) => file.slice(folder.path.length + 1)).sort();
    return { ok: result.ok, files };
  } finally {
    folder.dispose();
  }
}

const head =
  'import { graph } from "backsweep";\nimport { factor } from "./factor";\nimport scale from "./scale.json";\n';
const all = ["a.ts", "factor.ts", "half.ts", "scale.json"];

it("names constants' modules and JSON, and nothing that is not imported", async () => {
  const text = `${head}export const g = graph({ x: 2 }, ({ x }) => x * factor * scale.by);\n`;
  expect(await filesOf(text)).toEqual({ ok: true, files: all });
});

it("names them when the run fails, too", async () => {
  const text = `${head}export const g = graph({ x: 2 }, () => { throw new Error(String(factor * scale.by)); });\n`;
  expect(await filesOf(text)).toEqual({ ok: false, files: all });
});
