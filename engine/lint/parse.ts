/** From text to the ESTree that the rules read, with the parser of the loader. Broken files give what can be read of them. */
import { parse, type ParseResult, type ParserPlugin } from "@babel/parser";
import { toEstree } from "./estree.js";
import type { Node } from "./tree.js";

export interface Comment {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export interface Parsed {
  readonly root: Node;
  readonly comments: readonly Comment[];
}

/** A file that cannot be read; `line` and `column` from 1. */
export class ParseFailure extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
    /** the parser ran out of stack: no error of the text */
    readonly deep = false,
  ) {
    super(message);
  }
}

const TYPESCRIPT = /\.[mc]?tsx?$/i;

function plugins(file: string, jsx: boolean): ParserPlugin[] {
  const list: ParserPlugin[] = ["decorators-legacy", "decoratorAutoAccessors", "explicitResourceManagement"];
  if (TYPESCRIPT.test(file)) list.push("typescript");
  else if (!jsx) list.push("flow");
  if (jsx) list.push("jsx");
  return list;
}

/** Throws ParseFailure. Syntax errors that the parser can step over are not told: a file is linted while it is typed. */
export function parseForLint(text: string, file: string): Parsed {
  const tree = parseAlone(text, file);
  const comments = (tree.comments ?? []).map(({ value, start, end }) => ({
    value,
    start: start ?? 0,
    end: end ?? 0,
  }));
  const root = tree.program as unknown as Node;
  toEstree(root);
  return { root, comments };
}

/** The parser's own tree, as it comes. Throws ParseFailure. */
export function parseAlone(text: string, file: string): ParseResult {
  // JSX stands in .js and .jsx and .tsx; in .ts `<T>x` is a cast
  const jsx = !/\.[mc]?ts$/i.test(file);
  try {
    return attempt(text, file, jsx);
  } catch (error) {
    if (error instanceof RangeError) throw new ParseFailure("nested too deeply to be read", 1, 1, true);
    try {
      return attempt(text, file, !jsx);
    } catch (second) {
      if (second instanceof RangeError) throw new ParseFailure("nested too deeply to be read", 1, 1, true);
      throw failure(error);
    }
  }
}

const attempt = (text: string, file: string, jsx: boolean): ParseResult =>
  parse(text, {
    sourceType: "unambiguous",
    errorRecovery: true,
    attachComment: false,
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowUndeclaredExports: true,
    plugins: plugins(file, jsx),
  });

function failure(error: unknown): ParseFailure {
  const { message, loc } = error as { message?: string; loc?: { line: number; column: number } };
  const words = (message ?? "cannot be read").replace(/\s*\(\d+:\d+\)\s*$/, "").split("\n")[0];
  return new ParseFailure(words, loc?.line ?? 1, (loc?.column ?? 0) + 1);
}
