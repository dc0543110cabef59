/**
 * The text of a function as tokens: enough of JavaScript's grammar to tell names, operators and brackets from what stands in
 * strings, templates, comments and regular expressions (ECMA-262, chapter 12). What cannot be read ends the list.
 */
export interface Token {
  readonly kind: "name" | "number" | "text" | "sign";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SIGNS = [
  ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=",
  "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<",
  ">>", "**",
]; // prettier-ignore

const blank = /\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\//y;
const name = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const number = /0[xob][\da-f_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?[\d_]+)?n?/iy;
const quoted = /"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/y;
const expression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;

/** Words behind which a value begins: a slash there is a regular expression. */
const beforeValue = new Set(
  "return typeof instanceof in of new delete void throw case do else yield await".split(" "),
);

function read(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** End of a template's text from `at`: behind its backtick, or behind the `${` of its next substitution; -1: neither. */
function templateEnd(text: string, at: number): number {
  for (let i = at; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === "`") return i + 1;
    else if (text[i] === "$" && text[i + 1] === "{") return i + 2;
  }
  return -1;
}

/** The tokens of a text; a substitution's tokens stand between "`" and "`" like any others. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  /** open braces by what closes them: a substitution's closing brace goes on with the template */
  const braces: ("block" | "template")[] = [];
  const push = (kind: Token["kind"], start: number, end: number): number => {
    tokens.push({ kind, text: text.slice(start, end), start, end });
    return end;
  };
  const template = (start: number, from: number): number => {
    const end = templateEnd(text, from);
    if (end < 0) return -1;
    if (text[end - 1] === "{") braces.push("template");
    return push(text[end - 1] === "{" ? "sign" : "text", start, end);
  };
  for (let at = 0; at >= 0 && at < text.length;) {
    const gap = read(blank, text, at);
    if (gap !== null) {
      at += gap.length;
      continue;
    }
    const last = tokens.at(-1);
    const value =
      last === undefined || (last.kind === "sign" ? !/^[)\]}]$/.test(last.text) : beforeValue.has(last.text));
    const word = read(name, text, at);
    const digits = word === null ? read(number, text, at) : null;
    const string = read(quoted, text, at) ?? (value ? read(expression, text, at) : null);
    if (word !== null) at = push("name", at, at + word.length);
    else if (digits !== null) at = push("number", at, at + digits.length);
    else if (string !== null) at = push("text", at, at + string.length);
    else if (text[at] === "`") at = template(at, at + 1);
    else if (text[at] === "}" && braces.pop() === "template") at = template(at, at + 1);
    else {
      if (text[at] === "{") braces.push("block");
      const sign = SIGNS.find((one) => text.startsWith(one, at)) ?? text[at];
      at = push("sign", at, at + sign.length);
    }
  }
  return tokens;
}
