/**
 * A scanner of TypeScript just good enough to tell code from comments, strings, templates and regular expressions. It
 * runs on every opened file, so it is small and linear; the parser proper is loaded only to run a graph.
 */

export interface Token {
  /** "word": identifier or keyword; "string": a string literal, `text` is its content; "mark": one punctuator character */
  readonly kind: "word" | "string" | "mark";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const wordStart = /[\p{ID_Start}$_]/u;
const wordRest = /[\p{ID_Continue}$\u200c\u200d]/u;

/** Words after which a slash begins a regular expression, not a division. */
const beforeExpression = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await export default".split(" "),
);

function beginsRegExp(previous: Token | null): boolean {
  if (previous === null) return true;
  if (previous.kind === "word") return beforeExpression.has(previous.text) && !/^\d/.test(previous.text);
  if (previous.kind === "string") return false;
  // after `)` and `]` comes a division; after `}` either may come, and a division after an object literal is rare
  return previous.text !== ")" && previous.text !== "]";
}

/** The tokens of a source text. Contents of template literals are skipped, the code in their `${}` is not. */
export function* tokens(text: string): Generator<Token> {
  let at = text.startsWith("#!") ? lineEnd(text, 0) : 0;
  let previous: Token | null = null;
  /** brace depth at which each open template's `${` was entered */
  const templates: number[] = [];
  let depth = 0;
  while (at < text.length) {
    const start = at;
    const c = text[at];
    if (/\s/.test(c)) {
      at++;
      continue;
    }
    if (c === "/" && text[at + 1] === "/") {
      at = lineEnd(text, at);
      continue;
    }
    if (c === "/" && text[at + 1] === "*") {
      const end = text.indexOf("*/", at + 2);
      at = end < 0 ? text.length : end + 2;
      continue;
    }
    let token: Token;
    if (c === '"' || c === "'") {
      at = stringEnd(text, at);
      token = { kind: "string", text: text.slice(start + 1, at - 1), start, end: at };
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
        token = { kind: "mark", text: "{", start, end: at };
        previous = token;
        continue;
      }
      // a finished template is a value, like a string whose content nobody needs
      token = { kind: "string", text: "", start, end: at };
    } else if (c === "/" && beginsRegExp(previous)) {
      at = regExpEnd(text, at);
      token = { kind: "string", text: "", start, end: at };
    } else if (wordStart.test(c) || c >= "\ud800") {
      at++;
      while (at < text.length && (wordRest.test(text[at]) || text[at] >= "\ud800")) at++;
      token = { kind: "word", text: text.slice(start, at), start, end: at };
    } else if (c >= "0" && c <= "9") {
      at++;
      while (at < text.length && /[\w.]/.test(text[at])) at++;
      token = { kind: "word", text: text.slice(start, at), start, end: at };
    } else {
      at++;
      if (c === "{") depth++;
      else if (c === "}") depth--;
      token = { kind: "mark", text: c, start, end: at };
    }
    previous = token;
    yield token;
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
      while (at < text.length && wordRest.test(text[at])) at++;
      return at;
    }
  }
  return from + 1;
}
