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
  const { line, column, endLine, endColumn } = namePlace(hit.file.text, hit.wanted, name) ?? hit.wanted;
  const json = extname(specifier) === ".json" ? ": JSON has a default export only" : "";
  const message = missing
    ? `"${specifier}" has no export named "${name}"${json}`
    : `"${specifier}" exports "${name}" from two modules: it is ambiguous`;
  return new LoadError("import", message, { file: hit.file.path, line, column, endLine, endColumn });
}

interface Span {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Where a statement that ends with `from "specifier"` names what it imports; null where the name is not found in it. */
function namePlace(text: string, specifier: Span, name: string): Span | null {
  const lines = text.split("\n");
  const before = [
    ...lines.slice(0, specifier.line - 1),
    lines[specifier.line - 1].slice(0, specifier.column - 1),
  ];
  const statement = before.join("\n");
  const begins = Math.max(statement.lastIndexOf("import"), statement.lastIndexOf("export"));
  // a name in a comment is another
  const bare = statement
    .slice(begins + 6)
    .replace(/\/\*[^]*?\*\/|\/\/.*/g, (comment) => comment.replace(/[^\n]/g, " "));
  const words = Array.from(bare.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
  const at = words.findLast(([word]) => word === name);
  if (begins < 0 || at === undefined) return null;
  const head = statement.slice(0, begins + 6 + at.index).split("\n");
  const line = head.length;
  const column = head[line - 1].length + 1;
  return { line, column, endLine: line, endColumn: column + name.length };
}
