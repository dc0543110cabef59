/** A look at the text that tells, far faster than parsing, that a file cannot hold reverse-mode code. It may say yes too often. */

/** Words of the subject; `upgrade` and `background` are none. */
const WORDS =
  /(?<![a-z])grads?(?![a-z])|[Gg]radient|(?<![A-Za-z])grad|Grad[s_A-Z]?|(?<![A-Za-z])adjs?(?![a-z])|Adjs?(?![a-z])|[Aa]djoint|[Cc]otangent|[Dd]erivative|(?<![A-Za-z])derivs?(?![a-z])|(?<![A-Za-z])der(?![a-z])|[Vv]jp|VJP|[Dd]ifferentiate|[Aa]uto[Dd]iff|[Pp]ull_?[Bb]ack|\.pull\(|[Bb]ack_?[Pp]rop|[Bb]ackwards?(?![a-z])|(?<![A-Za-z])(?:bars?|cots?|cts?|deltas?|d[wxyzabv])(?![A-Za-z])|(?<![A-Za-z])BARS?(?![A-Za-z])|GRAD|(?<![A-Za-z])sens(?![a-z])|[Ss]ensitivit|(?<![A-Za-z])d(?:val|value|out|loss)(?![a-z])|[a-z]Bars?(?![a-z])/;

/** `a.p = ... b.p ...` with a product on the line: the same field of two objects, scaled. */
const SAME_FIELD = /\.([\w$#]+)(?:\[[^\]\n]{0,80}\])?\s{0,4}(?:\?\?|\|\|)?=(?![=>])[^;\n]{0,200}\.\1\b/;

/** `a.p += ... * ... b.p`: the same, added. */
const SAME_FIELD_ADDED = /\.([\w$#]+)(?:\[[^\]\n]{0,80}\])?\s{0,4}[+-]=[^;\n]{0,200}\.\1\b/;

/** The same field handed over: `a.p.set(b.p...)`, `Object.assign(a, { p: b.p * ... })`, `[a.p, b.p] = ...`. */
const SAME_FIELD_MOVED =
  /\.([\w$#]+)\.(?:set|fill)\([^;\n]{0,200}\.\1\b|\bObject\.assign\([\w$.]{1,40},\s{0,4}\{\s{0,4}([\w$#]+):[^;\n]{0,200}\.\2\b|\[[\w$]{1,40}\.([\w$#]+), [\w$]{1,40}\.\3\]\s{0,4}=(?![=>])/;

/** Tensors multiply by methods: `out.p.dot(b.v)`. */
const PRODUCT_CALL = /\.(?:mul|dot|times|matmul|multiply|scale|mm)\w{0,8}\(/;

/** An entry that is given a product, in a text that also counts down, pops or reverses. */
const ENTRY = /\]\s{0,4}(?:[+-]?=(?![=>])|:)[^;\n]{0,200}\*/;
const DOWN = /--\s*\)|--\w+\s*\)|-=\s*\d+\s*\)|\.(?:pop|reverse|toReversed|reduceRight)\b/;

/** `map.set(key, product)`, in such a text. */
const SET_PRODUCT = /\.set\([^;\n]{0,160}\*/;

/** `node.d += ...`, in such a text; elsewhere only beside a product of `node.d`. */
const SHORT_SLOT = /\.#?(?:d|g)\s{0,4}(?:[+-]|\?\?)?=(?![=>])/;
const SHORT_PAIR = /\([\w$.]{1,40}\.([dg]),[^;\n]{0,120}\.\1\b/;
const SHORT_FACTOR =
  /\.#?(?:d|g)!?\.(?:mul|dot|times|matmul|multiply|scale|mm)\w{0,8}\(|\.#?(?:d|g)\b!?\s{0,4}\*|\*\s{0,4}[\w$]{1,40}\.#?(?:d|g)\b/;

const LONG_LINE = 3000;

/** Mean length of the lines of a text that a minifier broke every few hundred characters. */
const LONG_MEAN = 200;
const SHORT_TEXT = 4000;

/** Lines as no person writes them. */
export function looksMinified(text: string): boolean {
  let lines = 0;
  for (let at = 0, end; at < text.length; at = end + 1, lines++) {
    end = text.indexOf("\n", at);
    if (end === -1) end = text.length;
    if (end - at > LONG_LINE) return true;
  }
  return text.length > SHORT_TEXT && text.length > LONG_MEAN * lines;
}

/** Gradients of a canvas, of SVG and of style sheets. */
export const makesColourRamps = (text: string): boolean =>
  /create(?:Linear|Radial|Conic)Gradient|addColorStop|\b(?:linear|radial)Gradient\b|(?:linear|radial|conic)-gradient/.test(
    text,
  );

export function mayHoldReverseMode(text: string, extraNames: readonly string[] = []): boolean {
  if (WORDS.test(text)) return true;
  if (extraNames.some((name) => name.startsWith("/") || text.includes(name))) return true;
  // where names mean nothing structure alone is no evidence
  if (looksMinified(text)) return false;
  const functions = text.includes("=>") || text.includes("function");
  if (functions && SAME_FIELD_MOVED.test(text)) return true;
  if ((SHORT_SLOT.test(text) && SHORT_FACTOR.test(text)) || SHORT_PAIR.test(text)) return true;
  if (!text.includes("*")) return functions && PRODUCT_CALL.test(text) && SAME_FIELD.test(text);
  if (functions && (SAME_FIELD.test(text) || SAME_FIELD_ADDED.test(text))) return true;
  return DOWN.test(text) && (ENTRY.test(text) || SHORT_SLOT.test(text) || SET_PRODUCT.test(text));
}
