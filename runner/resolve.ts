/** From an import's text to a file: relative paths, the extensions people leave out, and the walls of the workspace. */
import { realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { candidatePaths, MODULE_EXTENSIONS } from "./candidates.js";

/** What an import resolves to. */
export type Target =
  | { readonly kind: "file"; readonly path: string; readonly real: string }
  | { readonly kind: "engine" }
  | { readonly kind: "runtime" }
  /** allowed because everything is: a bare package, a `node:` module, or a file in node_modules */
  | { readonly kind: "foreign"; readonly specifier: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "missing"; readonly reason: string };

export interface Walls {
  /** absolute folder, symbolic links resolved */
  readonly root: string;
  readonly allowImports: boolean;
  /** absolute paths that exist as unsaved texts */
  readonly texts: ReadonlySet<string>;
}

export function isModuleFile(path: string): boolean {
  return (MODULE_EXTENSIONS as readonly string[]).includes(extname(path));
}

function isFile(path: string, walls: Walls): boolean {
  if (walls.texts.has(path)) return true;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The path with symbolic links resolved; an unsaved new file keeps its own path in its folder's real one. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    try {
      return join(realpathSync.native(dirname(path)), basename(path));
    } catch {
      return path;
    }
  }
}

export function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function inNodeModules(path: string): boolean {
  return path.split(sep).includes("node_modules");
}

function resolveFile(specifier: string, path: string, walls: Walls): Target {
  const { root, allowImports } = walls;
  const found = [...candidatePaths(path)].find((candidate) => isFile(candidate, walls));
  if (found === undefined) {
    if (!allowImports && !isInside(realPath(path), root)) return refusedOutside(specifier, root);
    return { kind: "missing", reason: `cannot find "${specifier}": there is no file ${path}` };
  }
  const real = realPath(found);
  if (!allowImports && !isInside(real, root))
    return refusedOutside(specifier, root, real === found ? undefined : real);
  if (inNodeModules(real)) {
    if (allowImports) return { kind: "foreign", specifier: real };
    return {
      kind: "refused",
      reason: `"${specifier}" lies in node_modules; allow it with --allow-imports or the setting backsweep.run.allowImports`,
    };
  }
  if (isModuleFile(found) || extname(found) === ".json") return { kind: "file", path: found, real };
  return {
    kind: "refused",
    reason: `cannot import "${specifier}": only modules (${MODULE_EXTENSIONS.join(" ")}) and JSON can be imported`,
  };
}

function refusedOutside(specifier: string, root: string, real?: string): Target {
  const link = real === undefined ? "" : ` (a link to ${real})`;
  return {
    kind: "refused",
    reason: `"${specifier}"${link} is outside ${root}; allow it with --allow-imports or the setting backsweep.run.allowImports`,
  };
}

/**
 * A relative import, from where the importing file really lies, as in Node: a link to a file imports the file's neighbours,
 * not the link's. The path as it was named stays where it leads to the same file.
 */
function resolveRelative(specifier: string, importer: string, walls: Walls): Target {
  const named = resolve(dirname(importer), specifier);
  const place = realPath(importer);
  const path = resolve(dirname(place), specifier);
  if (named === path) return resolveFile(specifier, path, walls);
  const here = resolveFile(specifier, named, walls);
  const there = resolveFile(specifier, path, walls);
  if (here.kind === "file" && there.kind === "file" && here.real === there.real) return here;
  // a neighbour that was never saved is known by the name it has in the editor
  if (here.kind === "file" && there.kind === "missing" && walls.texts.has(here.path)) return here;
  if (there.kind !== "missing" && there.kind !== "refused") return there;
  return { ...there, reason: `${there.reason} (${importer} is a link to ${place})` };
}

/** Resolves an import of the module at `importer` (an absolute path). */
export function resolveImport(specifier: string, importer: string, walls: Walls): Target {
  if (specifier === "backsweep") return { kind: "engine" };
  if (specifier === "backsweep/runtime") return { kind: "runtime" };
  if (specifier.startsWith("./") || specifier.startsWith("../") || specifier === "." || specifier === "..") {
    return resolveRelative(specifier, importer, walls);
  }
  if (specifier.startsWith("file:")) {
    try {
      return resolveFile(specifier, new URL(specifier).pathname, walls);
    } catch {
      return { kind: "missing", reason: `"${specifier}" is not a valid address` };
    }
  }
  if (isAbsolute(specifier)) return resolveFile(specifier, specifier, walls);
  if (walls.allowImports) return { kind: "foreign", specifier };
  const what = specifier.startsWith("node:")
    ? `"${specifier}" is a module of Node`
    : `"${specifier}" is a package`;
  return {
    kind: "refused",
    reason: `${what}: a graph imports only "backsweep", relative modules and JSON; allow it with --allow-imports or the setting backsweep.run.allowImports`,
  };
}
