/** From paths, folders and globs to files, without what ignore files name. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { globSync, isDynamicPattern } from "tinyglobby";
import { UsageError } from "./usage-error.js";

const LINTED = /\.(?:[mc]?[jt]s|[jt]sx|pyw?)$/i;
const DECLARATIONS = /\.d\.[mc]?ts$/i;
const NEVER = new Set(["node_modules", "site-packages", "__pycache__", ".venv", ".git", ".hg", ".svn"]);
const IGNORE_FILES = [".gitignore", ".backsweepignore"];

export const isLinted = (path: string): boolean => LINTED.test(path) && !DECLARATIONS.test(path);

export interface FilesToLint {
  /** absolute paths, each once, in the order of the arguments and of the alphabet below them */
  readonly files: readonly string[];
  /** those of them that were named, not found in a folder or by a pattern */
  readonly named: ReadonlySet<string>;
  /** folders that could not be read, with the reason */
  readonly closed: ReadonlyMap<string, string>;
  /** how many files and folders ignore files took away */
  readonly ignored: number;
}

/** Throws UsageError. */
export function filesToLint(paths: readonly string[], cwd: string): FilesToLint {
  const found = new Set<string>();
  const named = new Set<string>();
  const closed = new Map<string, string>();
  const ignored = new Ignored();
  for (const path of paths) {
    const full = resolve(cwd, path);
    if (existsSync(full)) {
      // a file that is named is meant, whatever ignore files say
      if (statSync(full).isDirectory()) for (const file of filesBelow(full, ignored, closed)) found.add(file);
      else {
        found.add(full);
        named.add(full);
      }
      continue;
    }
    if (!isDynamicPattern(path)) throw new UsageError(`lint: no such file or folder: ${path}`);
    const matches = globSync(path.split(sep).join("/"), {
      cwd,
      absolute: true,
      ignore: ["**/node_modules/**"],
      dot: false,
    })
      .map((match) => resolve(match))
      .filter((match) => isLinted(match) && !ignored.file(match))
      .sort();
    for (const match of matches) found.add(match);
  }
  return { files: [...found], named, closed, ignored: ignored.count };
}

function filesBelow(root: string, ignored: Ignored, closed: Map<string, string>): string[] {
  const out: string[] = [];
  const folders = [root];
  while (folders.length > 0) {
    const folder = folders.pop()!;
    const below: string[] = [];
    let entries;
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      closed.set(folder, reasonOf(error));
      continue;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (NEVER.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!ignored.folder(path)) below.push(path);
      } else if (entry.isFile() && isLinted(entry.name) && !ignored.file(path)) out.push(path);
    }
    folders.push(...below.reverse());
  }
  return out;
}

/** Why the file system would not: its own word for it. */
export const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** Ignore files of every folder up to the one that holds `.git`, each read once. */
class Ignored {
  readonly #filters = new Map<string, Ignore | null>();
  readonly #tops = new Map<string, string>();
  /** what was taken away so far */
  count = 0;

  file(path: string): boolean {
    return this.#ignored(path, "");
  }

  folder(path: string): boolean {
    return this.#ignored(path, "/");
  }

  #ignored(path: string, end: string): boolean {
    const top = this.#top(dirname(path));
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const filter = this.#filter(folder);
      if (filter !== null && filter.ignores(relative(folder, path).split(sep).join("/") + end)) {
        this.count++;
        return true;
      }
      if (folder === top || dirname(folder) === folder) return false;
    }
  }

  /** The repository's root, or the folder itself outside of one. */
  #top(folder: string): string {
    const known = this.#tops.get(folder);
    if (known !== undefined) return known;
    const parent = dirname(folder);
    const top = existsSync(join(folder, ".git")) || parent === folder ? folder : this.#top(parent);
    this.#tops.set(folder, top);
    return top;
  }

  #filter(folder: string): Ignore | null {
    let filter = this.#filters.get(folder);
    if (filter === undefined) {
      const texts = IGNORE_FILES.map((name) => join(folder, name))
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, "utf8"));
      filter = texts.length === 0 ? null : ignore().add(texts.join("\n"));
      this.#filters.set(folder, filter);
    }
    return filter;
  }
}
