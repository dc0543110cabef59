/** Where a JSON text goes wrong: Node's own message gives no place for short texts. */

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y; // eslint-disable-line no-control-regex
const space = /[ \t\n\r]*/y;

/** Offset of the first sign that does not belong, or null when the text is well formed. No recursion. */
export function jsonMistake(text: string): number | null {
  let at = 0;
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const sign = (expected: string): boolean => {
    if (text[at] !== expected) return false;
    at++;
    return true;
  };
  const key = (): boolean => match(string) && match(space) && sign(":");
  const open: ("[" | "{")[] = [];
  for (;;) {
    // a value is expected here
    match(space);
    if (text[at] === "[" || text[at] === "{") {
      const bracket = text[at++] as "[" | "{";
      match(space);
      if (!sign(bracket === "[" ? "]" : "}")) {
        open.push(bracket);
        if (bracket === "{" && !key()) return at;
        continue;
      }
    } else if (!match(string) && !match(literal)) return at;
    // a value has ended
    for (;;) {
      match(space);
      const inside = open.at(-1);
      if (inside === undefined) return at === text.length ? null : at;
      if (sign(",")) {
        match(space);
        if (inside === "{" && !key()) return at;
        break;
      }
      if (!sign(inside === "[" ? "]" : "}")) return at;
      open.pop();
    }
  }
}
