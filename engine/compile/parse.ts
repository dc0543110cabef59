/** One parser for everything that reads user modules: Babel, whose tree keeps parentheses, so that edits can stay local. */
import { parse, type ParserOptions, type ParserPlugin } from "@babel/parser";
import type { File } from "@babel/types";
import { CompileError } from "./errors.js";
import { Lines } from "./lines.js";
import { syntaxMessage } from "./syntax.js";

export type Language = "ts" | "js";

function options(language: Language, jsx: boolean): ParserOptions {
  // Decorators, accessors and JSX are read in order to be refused by name rather than as a syntax error.
  const plugins: ParserPlugin[] = ["decorators-legacy", "decoratorAutoAccessors"];
  if (language === "ts") plugins.push("typescript");
  if (jsx) plugins.push("jsx");
  return { sourceType: "module", createParenthesizedExpressions: true, attachComment: false, plugins };
}

interface ParserFailure {
  readonly message: string;
  readonly loc?: { readonly line: number; readonly column: number };
  readonly pos?: number;
}

/** Throws `CompileError` of kind "syntax". */
export function parseModule(text: string, file: string, language: Language): File {
  try {
    return parse(text, options(language, language === "js"));
  } catch (error) {
    if (language === "ts") {
      // TypeScript's `<T>x` and JSX exclude each other, so JSX in a .ts file is recognised on a second try.
      try {
        return parse(text, options(language, true));
      } catch {
        // the first error is the one to show
      }
    }
    throw syntaxError(error as ParserFailure, text, file, language);
  }
}

function syntaxError(failure: ParserFailure, text: string, file: string, language: Language): CompileError {
  const lines = new Lines(text);
  const at = Math.min(failure.pos ?? 0, text.length);
  const word = /^[\p{ID_Continue}$]+/u.exec(text.slice(at, at + 200));
  const onLine = at < text.length && !/[\n\r\u2028\u2029]/.test(text[at]);
  const { line, column, endLine, endColumn } = lines.place(
    at,
    word ? at + word[0].length : onLine ? at + 1 : at,
  );
  const message = syntaxMessage({
    text,
    at,
    raw: failure.message,
    lineOf: (offset) => lines.line(offset),
    firstError: (changed) => firstError(changed, language),
  });
  return new CompileError("syntax", message, file, line, column, endLine, endColumn);
}

function firstError(text: string, language: Language): number {
  try {
    parse(text, options(language, language === "js"));
    return Infinity;
  } catch (error) {
    return (error as ParserFailure).pos ?? 0;
  }
}
