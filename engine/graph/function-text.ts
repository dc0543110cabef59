/** The text of a function as tokens, without blanks and comments. */
import jsTokens from "js-tokens";

export interface Token {
  /** a template's text in front of its first substitution, and behind its last, are signs: they open and close */
  readonly kind: "name" | "number" | "text" | "sign";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type Type =
  ReturnType<typeof jsTokens> extends Iterable<infer T extends { type: string }> ? T["type"] : never;

/** Null: not part of the program. */
const kinds: Readonly<Record<Type, Token["kind"] | null>> = {
  IdentifierName: "name",
  PrivateIdentifier: "name",
  NumericLiteral: "number",
  StringLiteral: "text",
  NoSubstitutionTemplate: "text",
  RegularExpressionLiteral: "text",
  TemplateMiddle: "text",
  TemplateHead: "sign",
  TemplateTail: "sign",
  Punctuator: "sign",
  Invalid: "sign",
  WhiteSpace: null,
  LineTerminatorSequence: null,
  MultiLineComment: null,
  SingleLineComment: null,
  HashbangComment: null,
};

/** The tokens of a text in order; between the signs of a template stand those of its substitutions. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const { type, value } of jsTokens(text)) {
    const kind = kinds[type];
    if (kind !== null) tokens.push({ kind, text: value, start: at, end: at + value.length });
    at += value.length;
  }
  return tokens;
}
