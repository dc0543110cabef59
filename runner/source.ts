/** Reads a module's text: unsaved text before disk, UTF-8 and of a size a person can have written. */
import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { MODULE_EXTENSIONS } from "./candidates.js";
import { megabytes } from "./lost.js";

const LARGEST_BYTES = 16 * 2 ** 20;

export class SourceError extends Error {}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read (permission denied)",
  EPERM: "it may not be read (permission denied)",
  EISDIR: "it is a folder, not a file",
  ENOTDIR: "a part of its path is not a folder",
  ELOOP: "its symbolic links go round in a circle",
  ENAMETOOLONG: "its name is too long",
};

/** Why a file could not be opened, as a sentence fragment. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ""] ?? message;
}

/** Throws when there is no file of a size to be read. */
export function checkFile(path: string): void {
  const name = basename(path);
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) throw new SourceError(`cannot run ${name}: it is a folder, not a file`);
    if (!stat.isFile()) throw new SourceError(`cannot run ${name}: it is not a regular file`);
    if (stat.size > LARGEST_BYTES) {
      throw new SourceError(
        `${name} is ${megabytes(stat.size)} of text: more than ${megabytes(LARGEST_BYTES)} is not read as a module`,
      );
    }
  } catch (error) {
    throw error instanceof SourceError ? error : unreadable(name, error);
  }
}

function unreadable(name: string, error: unknown): SourceError {
  return new SourceError(`cannot read ${name}: ${reasonOf(error)}`);
}

/** @throws SourceError with one line, naming the file */
export function readSource(path: string, texts: Readonly<Record<string, string>>): string {
  const unsaved = texts[path];
  if (unsaved !== undefined) return unsaved;
  checkFile(path);
  const name = basename(path);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw unreadable(name, error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SourceError(`${name} is not UTF-8 text`);
  }
}

/** Throws when the file asked for is no module at all. */
export function checkExtension(path: string): void {
  const extension = extname(path);
  if ((MODULE_EXTENSIONS as readonly string[]).includes(extension)) return;
  if (extension === ".cjs" || extension === ".cts") {
    throw new SourceError(
      `${basename(path)} is a CommonJS file: a graph definition is an ES module (.ts .mts .js .mjs)`,
    );
  }
  const python = extension === ".py" ? " (Python is read by backsweep lint alone)" : "";
  throw new SourceError(
    `${basename(path)} is no module: graph definitions and audits are files with one of the endings ${MODULE_EXTENSIONS.join(" ")}${python}`,
  );
}
