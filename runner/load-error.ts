/** A module cannot be loaded: one line, at a place in the user's source. */
import { extname } from "node:path";
import type { LoadedModule } from "./loader.js";
import type { FailureKind } from "./messages.js";
import type { Place } from "./wire.js";

export class LoadError extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly place: Place,
  ) {
    super(message);
  }
}

/** V8's words for a missing export, turned into the import's place; other errors of linking stay what they are. */
export function linkError(error: unknown, files: readonly LoadedModule[]): unknown {
  if (!(error instanceof SyntaxError)) return error;
  const missing = /^The requested module '(.+)' does not provide an export named '(.+)'$/s.exec(
    error.message,
  );
  const conflicting = /^The requested module '(.+)' contains conflicting star exports for name '(.+?)'/s.exec(
    error.message,
  );
  const found = missing ?? conflicting;
  if (found === null) return error;
  const [, specifier, name] = found;
  const stack = String(error.stack);
  const importing = files
    .flatMap((file) => (file.compiled?.imports ?? []).map((wanted) => ({ file, wanted })))
    .filter(({ wanted }) => wanted.specifier === specifier && wanted.names.includes(name));
  const hit = importing.find(({ file }) => stack.startsWith(`${file.path}:`)) ?? importing[0];
  if (hit === undefined) return error;
  const { line, column, endLine, endColumn } = hit.wanted;
  const json = extname(specifier) === ".json" ? ": JSON has a default export only" : "";
  const message = missing
    ? `"${specifier}" has no export named "${name}"${json}`
    : `"${specifier}" exports "${name}" from two modules: it is ambiguous`;
  return new LoadError("import", message, { file: hit.file.path, line, column, endLine, endColumn });
}
