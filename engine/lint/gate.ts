/** A look at the text that tells, far faster than parsing, that a file cannot hold reverse-mode code. It may say yes too often. */

/** Words of the subject; `upgrade` and `background` are none. */
const WORDS =
  /(?<![a-z])grads?(?![a-z])|[Gg]radient|(?<![A-Za-z])grad|Grad[s_A-Z]?|(?<![A-Za-z])adj(?![a-z])|Adj(?![a-z])|[Aa]djoint|[Cc]otangent|[Dd]erivative|(?<![A-Za-z])der(?![a-z])|[Vv]jp|VJP|[Dd]ifferentiate|[Aa]uto[Dd]iff|[Pp]ull_?[Bb]ack|[Bb]ack_?[Pp]rop|[Bb]ackwards?(?![a-z])|(?<![A-Za-z])(?:bars?|cots?|cts?|deltas?|d[wxyzabv])(?![A-Za-z])|(?<![A-Za-z])BARS?(?![A-Za-z])|GRAD|(?<![A-Za-z])sens(?![a-z])|[Ss]ensitivit|(?<![A-Za-z])d(?:val|value|out|loss)(?![a-z])|[a-z]Bars?(?![a-z])/;

/** `a.p = ... b.p ...` with a product on the line: the same field of two objects, scaled. */
const SAME_FIELD = /\.([\w$#]+)(?:\[[^\]\n]{0,80}\])?\s{0,4}=(?![=>])[^;\n]{0,200}\.\1\b/;

/** `a.p += ... * ... b.p`: the same, added. */
const SAME_FIELD_ADDED = /\.([\w$#]+)(?:\[[^\]\n]{0,80}\])?\s{0,4}[+-]=[^;\n]{0,200}\.\1\b/;

/** An entry assigned a product, in a text that also counts down, pops or reverses. */
const ENTRY = /\]\s{0,4}=(?![=>])[^;\n]{0,200}\*/;
const DOWN = /--\s*\)|--\w+\s*\)|-=\s*1\s*\)|\.(?:pop|reverse|toReversed|reduceRight)\(/;

/** `map.set(key, product)`, in such a text. */
const SET_PRODUCT = /\.set\([^;\n]{0,160}\*/;

/** `node.d += ...`, in such a text. */
const SHORT_SLOT = /\.(?:d|g)\s{0,4}[+-]?=(?![=>])/;

export function mayHoldReverseMode(text: string, extraNames: readonly string[] = []): boolean {
  if (WORDS.test(text)) return true;
  if (extraNames.some((name) => name.startsWith("/") || text.includes(name))) return true;
  if (!text.includes("*")) return false;
  if (
    (text.includes("=>") || text.includes("function")) &&
    (SAME_FIELD.test(text) || SAME_FIELD_ADDED.test(text))
  )
    return true;
  return DOWN.test(text) && (ENTRY.test(text) || SHORT_SLOT.test(text) || SET_PRODUCT.test(text));
}
