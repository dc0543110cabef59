/** Modules as the loader makes them, in this process. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compileModule } from "../engine/compile/index.js";
import { places } from "./places.js";

/** Imports a TypeScript module of the benchmark rewritten, with this process's runtime. It must import nothing but types. */
export async function importRewritten<T>(path: string): Promise<T> {
  const { root, build } = places();
  const file = join(root, path);
  const { code } = compileModule(readFileSync(file, "utf8"), {
    file,
    language: "ts",
    runtime: pathToFileURL(join(build, "runtime.mjs")).href,
  });
  return importText<T>(code, `${path.replaceAll("/", "-")}.rewritten-${process.pid}`);
}

export async function importText<T>(code: string, name: string): Promise<T> {
  const folder = join(places().build, "modules");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, code);
  return (await import(pathToFileURL(file).href)) as T;
}
