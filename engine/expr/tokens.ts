/** Numbers, names and signs of a formula text. */

export interface Token {
  readonly kind: "number" | "name" | "sign" | "end";
  readonly text: string;
  /** offset in the text, for messages */
  readonly at: number;
}

/** The longer sign first where one begins another. */
const SIGNS = ["**", "<=", ">=", "==", "!=", "&&", "||", ..."+-*/%<>?:(),="];

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy;
const NAME = /[\p{L}_][\p{L}\d_]*/uy;

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/**
 * The tokens of a text, an `end` last.
 *
 * @throws Error naming the first character that begins no token
 */
export function tokens(text: string): Token[] {
  const out: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at])) {
      at++;
      continue;
    }
    const number = match(NUMBER, text, at);
    const name = number === undefined ? match(NAME, text, at) : undefined;
    const sign = SIGNS.find((s) => text.startsWith(s, at));
    const found = number ?? name ?? sign;
    if (found === undefined) throw new Error(`"${text}": unexpected "${text[at]}" at ${at}`);
    out.push({
      kind: number !== undefined ? "number" : name !== undefined ? "name" : "sign",
      text: found,
      at,
    });
    at += found.length;
  }
  out.push({ kind: "end", text: "the end", at });
  return out;
}
