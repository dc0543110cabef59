/** A look at the text that tells, far faster than parsing, that a file cannot hold reverse-mode code. It may say yes too often. */
import { Names } from "./options.js";

/** Words of the subject; `upgrade`, `background` and what is backwards compatible are none. */
const WORDS =
  /(?<![a-z])grads?(?![a-z])|[Gg]radient|(?<![A-Za-z])grad|Grad[s_A-Z]?|(?<![A-Za-z])adjs?(?![a-z])|Adjs?(?![a-z])|[Aa]djoint|[Cc]otangent|[Dd]erivative|(?<![A-Za-z])derivs?(?![a-z])|(?<![A-Za-z])der(?![a-z])|[Vv]jp|VJP|[Dd]ifferentiate|[Aa]uto[Dd]iff|[Pp]ull_?[Bb]ack|\.pull\(|[Bb]ack_?[Pp]rop|[Bb]ackwards?(?![a-z]|[- ]compat)|GRAD|(?<![A-Za-z])sens(?![a-z])|[Ss]ensitivit|(?<![A-Za-z])d(?:val|value|out|loss)(?![a-z])|[a-z]Bars?(?![a-z])/;

/** Words that mean other things elsewhere (a step on the screen, a chart): only where one is written as a slot is. */
const SHORT_WORD = "(?:bars?|BARS?|cots?|cts?|deltas?|d[wxyzabv])(?![A-Za-z])";
/** `[i]`, `[t.args[k]]` */
const INDEX = "\\[(?:[^[\\]\\n]|\\[[^\\]\\n]{0,40}\\]){0,80}\\]";
const SHORT_WRITTEN = new RegExp(
  [
    // `n.dx += ...`, `this.delta[i] = ...`
    `[.#]_?${SHORT_WORD}!?(?:${INDEX})?\\s{0,4}[-+?|]{0,2}=(?![=>])`,
    // `dx[i] += ...`, `bar.set(...)`
    `(?<![A-Za-z])${SHORT_WORD}!?(?:${INDEX}){1,3}\\s{0,4}[-+?|]{0,2}=(?![=>])`,
    `(?<![A-Za-z])${SHORT_WORD}!?\\.(?:set|get|fill|add|copy|copyWithin)\\b`,
    // `dx += ...`, `dx = dx.add(...)`, `{ dx: ... }`, `["dx"]`, `set dx(`
    `(?<![A-Za-z])${SHORT_WORD}\\s{0,4}[-+*]=`,
    `(?<![A-Za-z.])(${SHORT_WORD})\\s{0,4}=\\s{0,4}\\1\\b`,
    `(?<![A-Za-z])${SHORT_WORD}["'\`]?\\]?\\s{0,2}:`,
    `\\[["'\`]${SHORT_WORD}`,
    `\\bset\\s${SHORT_WORD}`,
    // `(bar) => ...`, `g * step.da`
    `(?<![A-Za-z])${SHORT_WORD}\\)?\\s{0,2}=>`,
    "\\*\\s{0,4}[\\w$]{1,40}\\.d[wabv]\\b",
  ].join("|"),
);

/** A field that is stored, element by element or as a whole, or handed over: all that a minifier leaves of a slot. */
const FIELD_WRITTEN =
  /[.#]([\w$]*(?:grad|adj|cot|bar|upstream|deriv|sensitiv|partialaccum)[\w$]*)(?:\[|\s?[-+*?|&]{0,2}=(?!=)|\.(?:set|fill|add|sub|copy|axpy|push)|!|\()/gi;

/** `.p = ...`, `.p[i] += ...`, `.p ??= ...`: the field, and what stands on the line behind the sign. */
const STORED = new RegExp(
  `\\.(#?[\\w$]+)!?(?:${INDEX})?\\s{0,4}(?:\\?\\?|\\|\\||[+-])?=(?![=>])(?=\\s*([^;\\n]{1,240}))`,
  "g",
);
/** The last word of the object before a field; "" after a bracket. */
const OBJECT = /([\w$]*)[!?]?$/;
const OBJECT_LENGTH = 60;

/** The same field handed over: `a.p.set(b.p...)`, `Object.assign(a, { p: b.p * ... })`, `[a.p, b.p] = ...`. */
const SAME_FIELD_MOVED =
  /\.([\w$#]+)\.(?:set|fill)\([^;\n]{0,200}\.\1\b|\bObject\.assign\([\w$.]{1,40},\s{0,4}\{\s{0,4}([\w$#]+):[^;\n]{0,200}\.\2\b|\[[\w$]{1,40}\.([\w$#]+), [\w$]{1,40}\.\3\]\s{0,4}=(?![=>])/;

/** Tensors multiply by methods: `out.p.dot(b.v)`. */
const PRODUCT_CALL = /\.(?:mul|dot|times|matmul|multiply|scale|mm)\w{0,8}\(/;

/** An entry that is given a product, in a text that also counts down, pops or reverses. */
const ENTRY = /\]\s{0,4}(?:[+-]?=(?![=>])|:)[^;\n]{0,200}\*/;
const DOWN = /--\s*[;)]|--\w+\s*[;)]|-=\s*\d+\s*\)|\.(?:pop|reverse|toReversed|reduceRight)\b/;

/** `table[a] = w * table[out]`, `sums.set(a, w * sums.get(out))`: an entry that is made of another one, scaled. */
const ENTRY_SCALED = new RegExp(
  `(?<![\\w$])([\\w$]+)(?:${INDEX}\\s{0,4}[+-]?=(?![=>])(?=[^;\\n]{0,200}\\*)[^;\\n]{0,200}(?<![\\w$])\\1\\[|\\.set\\((?=[^;\\n]{0,200}\\*)[^;\\n]{0,160}(?<![\\w$])\\1\\.get\\()`,
);

/** `map.set(key, product)`, in such a text. */
const SET_PRODUCT = /\.set\([^;\n]{0,160}\*/;

/** `node.d += ...`, in such a text; elsewhere only beside a product of `node.d`. */
const SHORT_SLOT = /\.#?(?:d|g)(?:\[\w{1,12}\](?=\s{0,4}\+))?\s{0,4}(?:[+-]|\?\?)?=(?![=>])/;
const SHORT_PAIR = /\([\w$.]{1,40}\.([dg]),[^;\n]{0,120}\.\1\b/;
const SHORT_FACTOR =
  /\.#?(?:d|g)\.(?:forEach|map)\(\(|\.#?(?:d|g)!?\.(?:mul|dot|times|matmul|multiply|scale|mm)\w{0,8}\(|\.#?(?:d|g)\b!?\s{0,4}\*|\*\s{0,4}[\w$]{1,40}\.#?(?:d|g)\b/;

/** `function polar_b(x, fb)`, `xb = xb + y * tb`: names of adjoints as TAPENADE gives them. */
const SUFFIXED_FUNCTION = /\bfunction\s\w{1,40}_b\(/;
const SUFFIXED_SUM = /b = ([a-z]\w{0,20}b) [-+] [^;\n]{0,120}\*/g;

/** `[y, (g) => f(x)[1](g)]`: a value and its pullback as a pair, in a text that also goes backwards. */
const PAIRED = /\[\w{1,20}, \(?(?:g|gy|dy|ct)(?::[^)\n]{0,30})?\)? => /;

const LONG_LINE = 3000;

/** Mean length of the lines of a text that a minifier broke every few hundred characters. */
const LONG_MEAN = 200;
const SHORT_TEXT = 4000;
/** More than a file of an engine. */
const BUNDLE = 60_000;
/** Characters from one closed parenthesis to the next, at most, in code without line breaks. */
const CALL_EVERY = 200;

/**
 * Lines as no person writes them. A long line of data (weights, a picture) says nothing of the others in a text that a
 * person may have written; what is as large as a bundle was put together by a tool.
 */
export function looksMinified(text: string): boolean {
  let lines = 0;
  let written = 0;
  let data = false;
  for (let at = 0, end; at < text.length; at = end + 1) {
    end = text.indexOf("\n", at);
    if (end === -1) end = text.length;
    const long = end - at > LONG_LINE;
    if (long && callsAlong(text, at, end)) return true;
    data ||= long;
    if (long) continue;
    lines++;
    written += end - at + 1;
  }
  return (data && written > BUNDLE) || (written > SHORT_TEXT && written > LONG_MEAN * lines);
}

/** Code calls something every few words; numbers and encoded bytes do not. */
function callsAlong(text: string, from: number, to: number): boolean {
  let closed = 0;
  for (let at = text.indexOf(")", from); at !== -1 && at < to; at = text.indexOf(")", at + 1)) closed++;
  return closed * CALL_EVERY > to - from;
}

/** Gradients of a canvas, of SVG and of style sheets. */
export const makesColourRamps = (text: string): boolean =>
  /create(?:Linear|Radial|Conic)Gradient|addColorStop|\b(?:linear|radial)Gradient\b|(?:linear|radial|conic)-gradient/.test(
    text,
  );

export function mayHoldReverseMode(text: string, extraNames: readonly string[] = []): boolean {
  if (extraNames.some((name) => name.startsWith("/") || text.includes(name))) return true;
  // where names mean nothing structure alone is no evidence
  if (looksMinified(text)) return storesNamedFields(text);
  if (WORDS.test(text) || SHORT_WRITTEN.test(text)) return true;
  const functions = text.includes("=>") || text.includes("function") || text.includes("class ");
  if (functions && SAME_FIELD_MOVED.test(text)) return true;
  if (functions && sumsSuffixed(text)) return true;
  if ((SHORT_SLOT.test(text) && SHORT_FACTOR.test(text)) || SHORT_PAIR.test(text)) return true;
  if (functions && (text.includes("*") || PRODUCT_CALL.test(text)) && scalesSameField(text)) return true;
  const products = ENTRY.test(text) || SET_PRODUCT.test(text);
  if (functions && products && ENTRY_SCALED.test(text)) return true;
  return DOWN.test(text) && (products || SHORT_SLOT.test(text) || PAIRED.test(text));
}

function sumsSuffixed(text: string): boolean {
  if (text.includes("_b(") && SUFFIXED_FUNCTION.test(text)) return true;
  for (const { index, 1: name } of text.matchAll(SUFFIXED_SUM)) {
    const from = index + 1 - name.length;
    if (text.startsWith(name, from) && !/[\w$.]/.test(text.charAt(from - 1))) return true;
  }
  return false;
}

/** A field is made of the same field of another object, and of more than that: `a.p = w * b.p`, `a.p += f(b.p)`. */
function scalesSameField(text: string): boolean {
  for (const { index, 1: field, 2: made } of text.matchAll(STORED)) {
    const ending = `.${field}`;
    if (!made.includes(ending) || !/[*(]/.test(made)) continue;
    const object = OBJECT.exec(text.slice(Math.max(0, index - OBJECT_LENGTH), index))![1];
    for (let at = made.indexOf(ending); at !== -1; at = made.indexOf(ending, at + 1)) {
      if (/[\w$]/.test(made.charAt(at + ending.length))) continue;
      const of = OBJECT.exec(made.slice(0, at))![1];
      if (of === "" || of !== object) return true;
    }
  }
  return false;
}

/** A minified text whose fields say gradient. */
function storesNamedFields(text: string): boolean {
  const names = new Names({}, true, makesColourRamps(text));
  for (const [, name] of text.matchAll(FIELD_WRITTEN)) if (names.gradient(name) === 2) return true;
  return false;
}
