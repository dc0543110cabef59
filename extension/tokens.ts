/**
 * A scanner of TypeScript just good enough to tell code from comments, strings, templates and regular expressions. It
 * runs on every opened file, so it is small and linear; the parser proper is loaded only to run a graph.
 */

/** "word": identifier, keyword or number; "string": a string literal; "mark": one punctuator character; "value": a template or a regular expression */
export type TokenKind = "word" | "string" | "mark" | "value";

/** Words after which a slash begins a regular expression, not a division. */
const beforeExpression = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await export default".split(" "),
);

const SPACE = 1;
const WORD = 2;
const DIGIT = 3;
/** What begins with each ASCII character; the rest are marks, or begin a string, template, comment or expression. */
const ascii = Uint8Array.from({ length: 128 }, (_, code) => {
  const c = String.fromCharCode(code);
  if (/\s/.test(c)) return SPACE;
  if (/[A-Za-z$_]/.test(c)) return WORD;
  return /\d/.test(c) ? DIGIT : 0;
});

function kindOf(code: number): number {
  if (code < 128) return ascii[code];
  // what is neither space nor ASCII stands in words only, as far as a program is valid
  return /\s/.test(String.fromCharCode(code)) ? SPACE : WORD;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && kindOf(text.charCodeAt(at)) >= WORD) at++;
  return at;
}

function numberEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && (kindOf(text.charCodeAt(at)) >= WORD || text[at] === ".")) at++;
  return at;
}

/**
 * Tells the tokens of a source text in order. Contents of template literals are skipped, the code in their `${}` is
 * not. Tokens are told as ranges, since most of them are of no interest to anybody.
 */
export function eachToken(text: string, visit: (kind: TokenKind, start: number, end: number) => void): void {
  let at = text.startsWith("#!") ? lineEnd(text, 0) : 0;
  let previous: TokenKind | null = null;
  let previousStart = 0;
  /** brace depth at which each open template's `${` was entered */
  const templates: number[] = [];
  let depth = 0;
  const beginsRegExp = (): boolean => {
    if (previous === null) return true;
    if (previous === "word")
      return beforeExpression.has(text.slice(previousStart, wordEnd(text, previousStart)));
    // after `)` and `]` comes a division; after `}` either may come, and a division after an object literal is rare
    return previous === "mark" && text[previousStart] !== ")" && text[previousStart] !== "]";
  };
  while (at < text.length) {
    const start = at;
    const kind = kindOf(text.charCodeAt(at));
    if (kind === SPACE) {
      at++;
      continue;
    }
    let token: TokenKind = "mark";
    if (kind === WORD) {
      at = wordEnd(text, at);
      token = "word";
    } else if (kind === DIGIT) {
      at = numberEnd(text, at);
      token = "word";
    } else {
      const c = text[at];
      if (c === "/" && text[at + 1] === "/") {
        at = lineEnd(text, at);
        continue;
      }
      if (c === "/" && text[at + 1] === "*") {
        const end = text.indexOf("*/", at + 2);
        at = end < 0 ? text.length : end + 2;
        continue;
      }
      if (c === '"' || c === "'") {
        at = stringEnd(text, at);
        token = "string";
      } else if (c === "`" || (c === "}" && templates.at(-1) === depth - 1)) {
        if (c === "}") {
          templates.pop();
          depth--;
        }
        const end = templateEnd(text, at + 1);
        at = end.at;
        if (end.opens) {
          templates.push(depth++);
          // what follows `${` is the beginning of an expression
          previous = "mark";
          previousStart = at - 1;
          continue;
        }
        token = "value";
      } else if (c === "/" && beginsRegExp()) {
        at = regExpEnd(text, at);
        token = "value";
      } else {
        at++;
        if (c === "{") depth++;
        else if (c === "}") depth--;
      }
    }
    previous = token;
    previousStart = start;
    visit(token, start, at);
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** After the closing quote; an unclosed string ends with its line. */
function stringEnd(text: string, from: number): number {
  const quote = text[from];
  let at = from + 1;
  for (; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === quote) return at + 1;
  }
  return Math.min(at, text.length);
}

/** After the closing backtick, or after the `${` that opens an expression. */
function templateEnd(text: string, from: number): { at: number; opens: boolean } {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "`") return { at: at + 1, opens: false };
    else if (text[at] === "$" && text[at + 1] === "{") return { at: at + 2, opens: true };
  }
  return { at: text.length, opens: false };
}

/** After the closing slash and flags; a slash that closes on no line was a division after all. */
function regExpEnd(text: string, from: number): number {
  let inClass = false;
  for (let at = from + 1; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "[") inClass = true;
    else if (text[at] === "]") inClass = false;
    else if (text[at] === "/" && !inClass) {
      at++;
      return wordEnd(text, at);
    }
  }
  return from + 1;
}
