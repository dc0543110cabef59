/** What stands around a syntax error: the token it was met at, the one before it, and the brackets that are open there. */
import jsTokens from "js-tokens";

export interface Bracket {
  readonly sign: string;
  readonly offset: number;
}

export interface Around {
  /** the last token before the error, null: there is none */
  readonly before: string | null;
  /** `before` is the first token of its line, or follows the end of a statement or the beginning of a block */
  readonly begins: boolean;
  /** the token of the error, null: the text ends there */
  readonly found: string | null;
  /** brackets that are open in front of it, outermost first */
  readonly open: readonly Bracket[];
  /**
   * The first opening brace whose closing brace stands further left than its line begins, as that of an outer block
   * does: where something is open at the end of the text, it is this one that was not closed.
   */
  readonly astray: Bracket | null;
}

const closes: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);
const blank: ReadonlySet<string> = new Set([
  "WhiteSpace",
  "LineTerminatorSequence",
  "MultiLineComment",
  "SingleLineComment",
  "HashbangComment",
]);

/** The bracket that closes this one. */
export const closing = ({ sign }: Bracket): string => (sign === "(" ? ")" : sign === "[" ? "]" : "}");

/** The bracket that this token closes, null: it closes none. */
export const opening = (token: string): string | null => closes.get(token) ?? null;

/** `at`: offset of the error. */
export function lookAround(text: string, at: number): Around {
  const open: Bracket[] = [];
  let astray: Bracket | null = null;
  let before: string | null = null;
  let begins = true;
  let found: string | null = null;
  let offset = 0;
  let fresh = true;
  for (const { type, value } of jsTokens(text)) {
    const start = offset;
    offset += value.length;
    if (type === "LineTerminatorSequence") fresh = true;
    if (blank.has(type)) continue;
    if (start >= at) {
      found = value;
      break;
    }
    begins = fresh || before === null || before === ";" || before === "{" || before === "}";
    before = value;
    if (type === "TemplateHead") open.push({ sign: "${", offset: offset - 2 });
    else if (type === "TemplateTail") open.pop();
    else if (type === "Punctuator") {
      if (value === "(" || value === "[" || value === "{") open.push({ sign: value, offset: start });
      else if (closes.has(value) && open.at(-1)?.sign === closes.get(value)) {
        const opener = open.pop()!;
        if (value === "}" && fresh && indent(text, start) < indent(text, opener.offset)) astray ??= opener;
      }
    }
    fresh = false;
  }
  return { before, begins, found, open, astray };
}

/** How many blanks the line of this offset begins with. */
function indent(text: string, offset: number): number {
  const line = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(line, offset))![0].length;
}
