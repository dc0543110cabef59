/** The problem modules of `examples/gradbench/problems`, rewritten by the loader and run in this process. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "../compile/harness.js";

const folder = fileURLToPath(new URL("../../../examples/gradbench/problems", import.meta.url));

/** Loads a problem module, and those it imports from its own folder, as the runner would: every operation is traced. */
export async function tracedProblem<Module>(name: string): Promise<Module> {
  const texts: Record<string, string> = {};
  for (const file of [`${name}.ts`, ...readdirSync(folder)]) {
    texts[file] ??= readFileSync(join(folder, file), "utf8").replace(/"\.\/([\w-]+)\.js"/g, '"./$1.ts"');
  }
  return (await load(texts, "rewritten")).namespace as Module;
}
