/**
 * A syntax error in words: what was found, what would have been right, which bracket is open. The parser says what it
 * expected only where a single sign would do; elsewhere it is asked what it would have taken.
 */
import { closing, lookAround, opening, type Around, type Bracket } from "./around.js";
import { wordSyntaxMessage } from "./errors.js";

export interface SyntaxQuestion {
  readonly text: string;
  /** offset of the error */
  readonly at: number;
  /** the parser's message */
  readonly raw: string;
  /** line from 1 of an offset */
  readonly lineOf: (offset: number) => number;
  /** offset of the first error of a text, Infinity: it has none */
  readonly firstError: (text: string) => number;
}

/** What can be missing, in the order in which it is tried; `with` is put in front of the token that was found. */
const candidates = [
  { with: " x ", is: "value" },
  { with: ' "x" ', is: "a string" },
  { with: " ; ", is: "`;` or a new line" },
  { with: " case 1: ", is: "`case` or `default`" },
] as const;

const declaring: ReadonlySet<string> = new Set(
  "const let var function class interface type enum namespace import as . ?. #".split(" "),
);
/** Words that continue a statement, and how that begins. */
const continuing: ReadonlyMap<string, string> = new Map([
  ["else", "if"],
  ["catch", "try"],
  ["finally", "try"],
  ["case", "switch"],
  ["default", "switch"],
]);
/** Words a statement can begin with, for those that are nearly so. */
const beginnings =
  "const let var function return import export class for while if else switch throw async await type interface".split(
    " ",
  );
/** Signs that text processors put in the place of others. */
const typographic: readonly (readonly [RegExp, string])[] = [
  [/[\u201c-\u201f\u00ab\u00bb\uff02]/, '"'],
  [/[\u2018-\u201b\u2032\uff07]/, "'"],
  [/[\u2010-\u2015\u2212]/, "-"],
  [/[\u00d7\u22c5\u00b7]/, "*"],
  [/[\u00f7\u2215]/, "/"],
  [/\u2026/, "..."],
  [/[\uff01-\uff5e]/, ""],
];

const MOST_SHOWN = 24;

/** One line, without a place and without the parser's jargon. */
export function syntaxMessage(question: SyntaxQuestion): string {
  const raw = question.raw.replace(/\s*\(\d+:\d+\)\s*$/, "");
  const strange = /^Unexpected character '(.+)'\.?$/su.exec(raw);
  if (strange !== null) return strangeSign(strange[1]);
  const expected = /^Unexpected token, expected "(.+?)"$/.exec(raw)?.[1] ?? null;
  const semicolon = /^Missing semicolon/.test(raw);
  if (expected === null && !semicolon && !/^Unexpected token/.test(raw)) return wordSyntaxMessage(raw);
  const around = lookAround(question.text, question.at);
  const bracket = brackets(around, question);
  if (bracket !== null) return bracket;
  const found = around.found === null ? "the end of the file" : shown(around.found);
  if (semicolon) return `expected \`;\` or a new line before ${found}${typo(around)}`;
  if (expected !== null)
    return `expected ${alternatives(expected, around)}, found ${found}${openEarlier(around, question)}`;
  return missing(around, found, question);
}

function strangeSign(sign: string): string {
  const meant = typographic.find(([pattern]) => pattern.test(sign));
  // full-width signs stand in the same order as the ordinary ones
  const ordinary = meant?.[1] === "" ? String.fromCodePoint(sign.codePointAt(0)! - 0xfee0) : meant?.[1];
  const hint = ordinary === undefined ? "" : `: write \`${ordinary}\``;
  return `the sign \`${sign}\` is not part of the language${hint}`;
}

/** What is wrong with the brackets, if it is they. */
function brackets({ found, open, astray }: Around, { lineOf, at }: SyntaxQuestion): string | null {
  const of = ({ sign, offset }: Bracket): string =>
    lineOf(offset) === lineOf(at) ? `the \`${sign}\`` : `the \`${sign}\` of line ${lineOf(offset)}`;
  const innermost = open.at(-1);
  if (found === null)
    return innermost === undefined ? null : `the file ends before ${of(astray ?? innermost)} is closed`;
  const opener = opening(found);
  if (opener === null) return null;
  if (innermost === undefined) return `this \`${found}\` closes nothing: no \`${opener}\` is open`;
  const fits = innermost.sign === opener || (innermost.sign === "${" && found === "}");
  return fits ? null : `${of(innermost)} is not closed before this \`${found}\``;
}

/** The sign the parser wanted; in a list that can also end, the bracket that ends it. */
function alternatives(expected: string, { open }: Around): string {
  const innermost = open.at(-1);
  if (expected === "," && innermost !== undefined) return `\`,\` or \`${closing(innermost)}\``;
  return expected === "name" ? "a name" : expected === "string" ? "a string" : `\`${expected}\``;
}

/** Where the bracket that is open was opened, if that is not in sight. */
function openEarlier({ open }: Around, { lineOf, at }: SyntaxQuestion): string {
  const innermost = open.at(-1);
  if (innermost === undefined || innermost.sign === "{") return "";
  const line = lineOf(innermost.offset);
  return line === lineOf(at) ? "" : `; the \`${innermost.sign}\` of line ${line} is open`;
}

function missing(around: Around, found: string, { text, at, firstError }: SyntaxQuestion): string {
  const { before } = around;
  const begun = around.found === null ? undefined : continuing.get(around.found);
  const start = before === null || before === ";" || before === "{" || before === "}";
  if (begun !== undefined && start) return `this ${found} belongs to no \`${begun}\``;
  const taken = candidates.find(
    (one) => firstError(text.slice(0, at) + one.with + text.slice(at)) >= at + one.with.trimEnd().length,
  );
  if (taken === undefined)
    return around.found === null ? "the file ends too early" : `${found} does not belong here`;
  if (taken.is !== "value") return `expected ${taken.is}, found ${found}`;
  if (start) return `expected a value before ${found}`;
  const what = declaring.has(before)
    ? "a name"
    : /^[:|&<]$/.test(before)
      ? "a value or a type"
      : before === ")" || before === "else" || before === "do"
        ? "a statement"
        : "a value";
  return `expected ${what} after ${shown(before)}, found ${found}`;
}

/** Where a statement begins with what is nearly a keyword: that one. */
function typo({ before, begins }: Around): string {
  if (!begins || before === null || beginnings.includes(before)) return "";
  const meant = beginnings.find((word) => nearly(before, word));
  return meant === undefined ? "" : `; did you mean \`${meant}\`?`;
}

/** One sign too many, too few or another, or two that changed places; of short words that would be most of them. */
function nearly(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < 3 || Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const rest = (word: string, skipped: number): string => word.slice(from + skipped);
  if (a.length !== b.length)
    return a.length > b.length ? rest(a, 1) === rest(b, 0) : rest(a, 0) === rest(b, 1);
  const swapped = a[from] === b[from + 1] && a[from + 1] === b[from] && rest(a, 2) === rest(b, 2);
  return swapped || rest(a, 1) === rest(b, 1);
}

function shown(token: string): string {
  const line = token.split(/[\n\r]/, 1)[0];
  const cut = line.length > MOST_SHOWN || line.length < token.length;
  // what ends a substitution of a template and goes on with its text
  if (/^}./s.test(token)) return "`}`";
  // a backtick would end the quotation
  if (/^["'`]/.test(token) && (cut || token.includes("`"))) return "a string";
  return `\`${cut ? `${line.slice(0, MOST_SHOWN)}...` : token}\``;
}
