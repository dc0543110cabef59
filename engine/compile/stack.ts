/** From an error's stack to the user's own frames, with columns of the source. */
import type { CompiledModule } from "./compiled.js";

export interface UserFrame {
  /** function name as the engine gives it, or null at module level */
  readonly func: string | null;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const located = /^\s*at (?:(.*?) \()?(?:async )?(.+?):(\d+):(\d+)\)?$/;

/**
 * The frames of `stack` that lie in compiled modules, innermost first. Everything else (the runtime, Node, packages) is
 * left out. `lookup` gets what stands in the frame: a path or a `file:` URL.
 */
export function mapStack(
  stack: string | undefined,
  lookup: (file: string) => CompiledModule | undefined,
): UserFrame[] {
  const out: UserFrame[] = [];
  for (const line of (stack ?? "").split("\n")) {
    const match = located.exec(line);
    if (match === null) continue;
    const [, name, where, row, column] = match;
    const module = lookup(where) ?? (where.startsWith("file:") ? lookup(pathOf(where)) : undefined);
    if (module === undefined) continue;
    out.push({
      func: functionName(name),
      file: module.file,
      line: Number(row),
      column: module.columnMap(Number(row), Number(column)),
    });
  }
  return out;
}

function functionName(name: string | undefined): string | null {
  if (name === undefined) return null;
  const clean = name
    .replace(/^async /, "")
    .replace(/^new /, "")
    .replace(/ \[as .*\]$/, "")
    .replace(/^(?:Object|Module)\./, "");
  return clean === "" || clean === "<anonymous>" ? null : clean;
}

/** The path of a `file:` URL, its query dropped (loaders add one to load a module anew). */
function pathOf(url: string): string {
  const path = decodeURIComponent(url.replace(/^file:\/\//, "").replace(/[?#].*$/, ""));
  return /^\/[A-Za-z]:\//.test(path) ? path.slice(1) : path;
}
