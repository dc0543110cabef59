/** A look at the text that tells, far faster than parsing, that a Python file cannot hold reverse-mode code. */

/** Words of the subject alone; "backwards compatible" is none. */
const WORDS =
  /(?<![a-z])grads?(?![a-z])|(?:in|out|d)grads?(?![a-z])|[Gg]radient|Grad(?![a-z])|GRAD|(?<![A-Za-z])adj(?![a-z])|[Aa]djoint|[Cc]otangent|[Dd]erivative|[Vv]jp|VJP|[Aa]uto_?[Dd]iff|[Pp]ull_?[Bb]ack|[Bb]ack_?[Pp]rop|(?:def\s+|\.)_*backwards?(?![\w ])|_backward(?![a-z])/;

/** Words that mean other things elsewhere: they count beside a store that looks like a contribution. */
const OTHER_WORDS =
  /(?<![A-Za-z])(?:bars?|cots?|cts?|deltas?|ders?|d[wxyzabv]|d_\w+|[dg]s?)(?![A-Za-z])|[a-z]Bars?(?![a-z])|[Bb]ackward|reverse|sens/;

/** A store into a field, with what is stored. */
const STORE = /(\w*)\.(\w+)(?:\[[^\]\n]{0,80}\])?\s{0,4}[+-]?=(?!=)([^\n]{1,300})/g;
/** `xs[i] += xs[k] * d`: an entry out of another one. */
const SAME_ENTRY = /(?<![\w.])([\w.]{1,40})\[[^\]\n]{1,80}\]\s{0,4}[+-]?=(?!=)[^\n]{0,200}(?<![\w.])\1\[/;
const NAMED_ENTRY = /(?<![A-Za-z])(?:bars?|cots?|cts?|adj)\[[^\n]{1,80}\]\s{0,4}[+-]?=(?!=)[^\n]*\*/;
/** `node.g = ...`, also as one of several targets. */
const SHORT_SLOT = /\.(?:d|g|bar|delta)\b[\w\s.,[\]]{0,60}[+-]?=(?!=)/;
const DOWN = /reversed\(|\.reverse\(|reverse\s{0,2}=\s{0,2}True|::\s*-1\]|,\s*-\s*1\s*\)|\.pop\(|\.popleft\(/;

/** `self.p += share` with `child.go(self.p * d)` a few lines below: a running total that is handed on. */
const TOTAL =
  /\bself\.(\w{1,60})\s{0,4}\+=\s{0,4}\w[^\n]{0,120}\n(?:[^\n]{0,120}\n){0,4}[^\n]{0,80}\.\w{1,60}\(self\.\1\s{0,4}[*@]/;

export function mayHoldPythonReverseMode(text: string, extraNames: readonly string[] = []): boolean {
  if (WORDS.test(text)) return true;
  if (extraNames.some((name) => name.startsWith("/") || text.includes(name))) return true;
  if (!text.includes("*") || !/\b(?:def|lambda)\b/.test(text) || !OTHER_WORDS.test(text)) return false;
  if (
    TOTAL.test(text) ||
    NAMED_ENTRY.test(text) ||
    /setattr\([^\n]{1,80}\*/.test(text) ||
    fieldOutOfAnother(text)
  )
    return true;
  return DOWN.test(text) && (SAME_ENTRY.test(text) || SHORT_SLOT.test(text));
}

/** `a.p = d * b.p`: a field of one object out of that of another, scaled. */
function fieldOutOfAnother(text: string): boolean {
  for (const [, object, field, value] of text.matchAll(STORE)) {
    if (!/[*/@]/.test(value)) continue;
    for (const [, other, read] of value.matchAll(/(\w*)\.(\w+)/g))
      if (read === field && other !== object) return true;
  }
  return false;
}
