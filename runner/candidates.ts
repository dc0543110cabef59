/** The files an import may mean, in the order they are tried: as written, with its TypeScript ending, with an ending, as a folder. */
import { extname, join } from "node:path";

/** Extensions of modules, in the order they are tried for an import without one. */
export const MODULE_EXTENSIONS = [".ts", ".mts", ".js", ".mjs"] as const;
const typed: Readonly<Record<string, string>> = { ".js": ".ts", ".mjs": ".mts" };

export function* candidatePaths(path: string): Generator<string> {
  yield path;
  const extension = extname(path);
  const source = typed[extension];
  if (source !== undefined) yield path.slice(0, -extension.length) + source;
  for (const added of MODULE_EXTENSIONS) yield path + added;
  for (const added of MODULE_EXTENSIONS) yield join(path, `index${added}`);
}
