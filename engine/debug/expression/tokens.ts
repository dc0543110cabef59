/** The words of an expression over the state of a sweep, with their columns. */

/** A mistake in an expression, with the column (from 1) it was found at. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  constructor(
    readonly detail: string,
    readonly column: number,
  ) {
    super(`${detail} (column ${column})`);
  }
}

export interface Token {
  readonly kind: "number" | "name" | "string" | "sign" | "end";
  readonly text: string;
  /** from 1 */
  readonly column: number;
}

/** Longest expression that is read. */
const LONGEST = 4_096;

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
/** `a`, `x@3`, `square#2.t`, `h@1[2]`, `#17`; an index in brackets belongs to the name */
const NAME =
  /(?:[\p{L}_$][\p{L}\p{N}_$]*#\d+\.)?[\p{L}_$][\p{L}\p{N}_$]*(?:@\d+)?(?:\[\d+\])*(?:@\d+)?|#\d+/uy;
const STRING = /"[^"]*"|'[^']*'/y;
const SIGNS = /===|!==|\*\*|==|!=|<=|>=|&&|\|\||[-+*/%<>!?:(),=]/y;

export function tokenize(text: string): Token[] {
  if (text.length > LONGEST)
    throw new ExpressionError(`the expression is longer than ${LONGEST} characters`, 1);
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp, kind: Token["kind"]): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return false;
    tokens.push({ kind, text: found[0], column: at + 1 });
    at += found[0].length;
    return true;
  };
  while (at < text.length) {
    if (/\s/.test(text[at])) at++;
    else if (
      !take(NUMBER, "number") &&
      !take(NAME, "name") &&
      !take(STRING, "string") &&
      !take(SIGNS, "sign")
    )
      throw new ExpressionError(`"${String.fromCodePoint(text.codePointAt(at)!)}" is not understood`, at + 1);
  }
  tokens.push({ kind: "end", text: "the end", column: text.length + 1 });
  return tokens;
}
