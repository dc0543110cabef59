/** What a user sees when a module cannot be compiled: one line, with a place. */

export type CompileErrorKind = "syntax" | "refused" | "import";

export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Lines and columns count from 1, ends are exclusive. `file` is the path given to `compileModule`. */
export class CompileError extends Error implements Place {
  override readonly name = "CompileError";

  constructor(
    readonly kind: CompileErrorKind,
    message: string,
    readonly file: string,
    readonly line: number,
    readonly column: number,
    readonly endLine: number,
    readonly endColumn: number,
  ) {
    super(message);
  }
}

/** The parser's words, in ours. A message that no row matches is shown as it is, without its "(line:column)" tail. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/^Unexpected keyword '(.+?)'\.?$/, "`$1` is a keyword and does not belong here"],
  [/^Unexpected reserved word '(.+?)'\.?$/, "the reserved word `$1` cannot be a name here"],
  [/^Unterminated string constant\.?$/, "the string is not closed where its line ends"],
  [/^Unterminated (.+?)\.?$/, "the $1 is not closed"],
  [/^Identifier directly after number\.?$/, "a name cannot follow a number directly"],
  [/^Missing catch or finally clause\.?$/, "this `try` needs a `catch` or a `finally`"],
  [/^Illegal newline after throw\.?$/, "what is thrown begins in the line of its `throw`"],
  [/^Bad character escape sequence\.?$/, "this escape sequence is none: write `\\\\` for a backslash"],
  [/^Invalid regular expression flag\.?$/, "the regular expression has a flag that there is not"],
  [/^Expected number in radix (\d+)\.?$/, "expected a digit of base $1"],
  [/^A numeric separator .*$/, "`_` in a number stands between two digits"],
  [/^Identifier '(.+?)' has already been declared\.?$/, "`$1` is declared twice"],
  [/^Export '(.+?)' is not defined\.?$/, "`$1` is exported but not declared"],
  [/^`(.+?)` has already been exported\. Exported identifiers must be unique\.?$/, "`$1` is exported twice"],
  [/^Only one default export allowed per module\.?$/, "a module has one default export; this is a second"],
  [/^Invalid left-hand side in (.+?)\.?$/, "this cannot be assigned to ($1)"],
  [/^'return' outside of function\.?$/, "`return` stands outside a function"],
  [/^Unsyntactic (break|continue)\.?$/, "`$1` stands outside a loop"],
  [/^Missing initializer in (.+?) declaration\.?$/, "this $1 declaration needs a value"],
  [/^'with' in strict mode\.?$/, "`with` is not allowed in a module"],
  [/^Deleting local variable in strict mode\.?$/, "a variable cannot be deleted in a module"],
  [/^(?:Legacy octal|Octal).* in strict mode\.?$/, "octal numbers are written `0o17` in a module"],
  [/^Legacy decimal .*$/, "a number cannot start with 0 in a module"],
  [/^Can not use keyword 'await' outside an async function\.?$/, "`await` stands outside an async function"],
  [
    /^Illegal expression\. Wrap left hand side or entire exponentiation in parentheses\.?$/,
    "write `(-x) ** y` or `-(x ** y)`",
  ],
  [/^Private name #(.+?) is not defined\.?$/, "`#$1` is not a member of this class"],
  [
    /^This experimental syntax requires enabling .*$/,
    "this syntax is not part of the language Backsweep reads",
  ],
];

/** `raw` is the parser's message; the answer is one line without position and jargon. */
export function wordSyntaxMessage(raw: string): string {
  const text = raw
    .replace(/\s*\(\d+:\d+\)\s*$/, "")
    .split("\n")[0]
    .trim();
  for (const [pattern, wording] of wordings) {
    if (pattern.test(text)) return text.replace(pattern, wording);
  }
  return text.replace(/\.$/, "");
}
