/** Paths as they are shown, and the folder imports must stay inside. */
import { dirname, isAbsolute, relative, sep } from "node:path";
import { isInside, realPath } from "../runner/resolve.js";

/** Relative to the current folder where the path lies in it, else absolute. */
export function shownPath(path: string, cwd = process.cwd()): string {
  for (const base of [cwd, realPath(cwd)]) {
    const way = relative(base, path);
    if (way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return way;
  }
  return path;
}

/** The workspace of a command line: the current folder if the file lies in it, else the folder in which it really lies. */
export function workspaceOf(file: string, cwd = process.cwd()): string {
  return isInside(realPath(file), realPath(cwd)) ? cwd : dirname(realPath(file));
}
