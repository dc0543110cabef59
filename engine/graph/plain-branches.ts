/**
 * Branches of a function that the loader has not rewritten and that look at a traced number as the object it is:
 * `x === 0` is false and `if (x)` is taken, whatever x is, and nothing at run time can tell (an operator of identity calls
 * no method). So the function's own text is looked at, once: where its inputs, or what calls make of them, meet such an
 * operator by name. What helpers do out of sight is not seen.
 */
import { tokensOf, type Token } from "./function-text.js";

export interface PlainBranch {
  /** as written: `x === 0` */
  readonly text: string;
  /** what it does in place of what it says */
  readonly why: string;
}

/** Properties of an input that are plain numbers. */
const plainly = new Set(["length", "size", "rank", "shape"]);
/** Calls that answer with a truth value of their own, whatever they are given. */
const predicates = new Set(["isTensor", "isGraph", "isArray", "isView"]);
const opening: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const identity = new Set(["===", "!=="]);
/** Nothing traced is ever equal to these, as a number or as an object. */
const never = new Set(["undefined", "null", "void", "true", "false"]);

class Reader {
  readonly traced = new Set<string>();
  readonly found: PlainBranch[] = [];

  constructor(
    private readonly source: string,
    private readonly tokens: readonly Token[],
  ) {}

  private is(at: number, text: string): boolean {
    return this.tokens[at]?.text === text;
  }

  /** The bracket that opens what closes at `at`, or the other way round (`step` 1); -1: none. */
  private partner(at: number, step: 1 | -1): number {
    let depth = 0;
    for (let i = at; i >= 0 && i < this.tokens.length; i += step) {
      const { kind, text } = this.tokens[i];
      if (kind !== "sign") continue;
      if (/^[([{]$|\$\{$/.test(text)) depth += step;
      else if (/^[)\]]$|^\}/.test(text)) depth -= step;
      if (depth === 0) return i;
    }
    return -1;
  }

  /** First token of the operand that ends at `end`: a name with its members, indices and arguments. -1: no such thing. */
  private operandStart(end: number): number {
    let at = end;
    for (;;) {
      const token = this.tokens[at];
      if (token === undefined) return -1;
      if (opening[token.text] !== undefined && token.kind === "sign") {
        at = this.partner(at, -1);
        if (at < 0) return -1;
        const before = this.tokens[at - 1];
        // what is called or indexed stands in front of the bracket
        if (before !== undefined && (before.kind === "name" || opening[before.text] !== undefined)) {
          if (before.kind === "name" && /^(if|while|for|switch|return|typeof)$/.test(before.text)) return at;
          at--;
          continue;
        }
        return at;
      }
      if (token.kind === "sign") return -1;
      if (this.is(at - 1, ".") || this.is(at - 1, "?.")) at -= 2;
      else return at;
    }
  }

  /** Last token of the operand that begins at `start`. */
  private operandEnd(start: number): number {
    const first = this.tokens[start];
    if (first === undefined) return -1;
    let at = start;
    if (first.kind === "sign") {
      if (!/^[([]$/.test(first.text)) return -1;
      at = this.partner(start, 1);
      if (at < 0) return -1;
    }
    for (;;) {
      if (this.is(at + 1, ".") || this.is(at + 1, "?.")) at += 2;
      else if (this.is(at + 1, "(") || this.is(at + 1, "[")) {
        at = this.partner(at + 1, 1);
        if (at < 0) return -1;
      } else return at;
    }
  }

  /** True where tokens from..to are a traced value: an input or what was made of one, not its length. */
  private isTraced(from: number, to: number): boolean {
    if (from < 0 || to < from) return false;
    const last = this.tokens[to];
    if (this.is(to - 1, ".") && plainly.has(last.text)) return false;
    let depth = 0;
    let traced = false;
    for (let i = from; i <= to; i++) {
      const { kind, text } = this.tokens[i];
      // an operator makes it something else: a comparison of plain numbers, an arithmetic that throws
      if (kind === "sign") {
        if (depth === 0 && !/^[()[\]{},.]$|^\?\.$/.test(text)) return false;
        // what stands in parentheses alone is still the operand itself
        if (i > from && /^[([{]$/.test(text)) depth++;
        else if (/^[)\]}]$/.test(text) && depth > 0) depth--;
      }
      if (kind === "name" && predicates.has(text) && this.is(i + 1, "(")) {
        i = Math.max(i, this.partner(i + 1, 1));
        continue;
      }
      if (kind !== "name" || this.is(i - 1, ".") || this.is(i - 1, "?.") || this.is(i + 1, ":")) continue;
      if (this.traced.has(text) && !(this.is(i + 1, ".") && plainly.has(this.tokens[i + 2]?.text)))
        traced = true;
    }
    return traced;
  }

  private say(from: number, to: number, why: string): void {
    const text = this.source.slice(this.tokens[from].start, this.tokens[to].end).replace(/\s+/g, " ");
    const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
    if (!this.found.some((one) => one.text === shown)) this.found.push({ text: shown, why });
  }

  /** Names of the first parameter: `x`, or those of `{ x, y: z = 1 }`. Returns the token behind the parameters. */
  parameters(): number {
    const { tokens } = this;
    let at = tokens.findIndex(({ text }) => text === "(" || text === "=>");
    if (at < 0) return -1;
    if (tokens[at].text === "=>") {
      if (at > 0) this.traced.add(tokens[at - 1].text);
      return at + 1;
    }
    const end = this.partner(at, 1);
    if (end < 0) return -1;
    at++;
    const pattern = tokens[at]?.text;
    if (pattern === "{" || pattern === "[") {
      const close = this.partner(at, 1);
      for (let i = at + 1; i < close; i++) {
        const { kind, text } = tokens[i];
        // `y: z` binds z; a default is no name of its own
        if (kind === "name" && !this.is(i + 1, ":") && !this.is(i - 1, "=")) this.traced.add(text);
      }
    } else if (tokens[at]?.kind === "name") this.traced.add(tokens[at].text);
    return end + 1;
  }

  /** `for (const t of xs)`: t is an element. */
  private iterated(at: number): void {
    const { tokens } = this;
    if (!/^(const|let|var)$/.test(tokens[at - 2]?.text ?? "")) return;
    if (this.isTraced(at + 1, this.operandEnd(at + 1))) this.traced.add(tokens[at - 1].text);
  }

  /** `const y = ...`: y is traced where a traced value is, or goes into a call on the right. */
  private assigned(at: number): void {
    const { tokens } = this;
    const target = tokens[at - 1];
    if (target?.kind !== "name" || this.is(at - 2, ".")) return;
    let to = at + 1;
    for (let depth = 0; to < tokens.length; to++) {
      const { kind, text } = tokens[to];
      if (kind === "sign" && /^[([{]$/.test(text)) depth++;
      else if (kind === "sign" && /^[)\]}]$/.test(text) && --depth < 0) break;
      else if (depth === 0 && (text === ";" || text === ",")) break;
      // a line break ends the statement where another word begins
      else if (
        depth === 0 &&
        to > at + 1 &&
        kind === "name" &&
        /^(const|let|var|return|if|for|while|switch)$/.test(text)
      )
        break;
    }
    if (this.isTraced(at + 1, to - 1)) this.traced.add(target.text);
  }

  read(from: number): void {
    const { tokens } = this;
    for (let at = Math.max(0, from); at < tokens.length; at++) {
      const { text, kind } = tokens[at];
      if (kind === "name" && /^(if|while|switch)$/.test(text) && this.is(at + 1, "(")) {
        const end = this.partner(at + 1, 1);
        if (end > 0 && this.isTraced(at + 2, end - 1))
          this.say(at, end, text === "switch" ? "no case is ever met" : "an object is always true");
      }
      if (kind === "name" && text === "of") this.iterated(at);
      if (kind !== "sign") continue;
      if (text === "=") this.assigned(at);
      else if (identity.has(text)) this.compared(at);
      else if (text === "!") {
        const end = this.operandEnd(at + 1);
        if (this.isTraced(at + 1, end)) this.say(at, end, "an object is always true");
      } else if (text === "&&" || text === "||" || text === "?") {
        const start = this.operandStart(at - 1);
        const before = tokens[start - 1];
        const bare =
          before === undefined ||
          /^(return|case)$/.test(before.text) ||
          /^([({[,;]|=|=>|&&|\|\||\?|:)$/.test(before.text);
        if (bare && this.isTraced(start, at - 1)) this.say(start, at, "an object is always true");
      }
    }
  }

  private compared(at: number): void {
    const { tokens } = this;
    const start = this.operandStart(at - 1);
    const end = this.operandEnd(tokens[at + 1]?.text === "-" ? at + 2 : at + 1);
    if (start < 0 || end < 0) return;
    const [left, right] = [tokens[at - 1], tokens[at + 1]];
    if (this.is(start - 1, "typeof")) {
      if (this.isTraced(start, at - 1)) this.say(start - 1, end, 'its type is "object"');
      return;
    }
    if (left.kind === "text" || right.kind === "text" || never.has(left.text) || never.has(right.text))
      return;
    if (!this.isTraced(start, at - 1) && !this.isTraced(at + 1, end)) return;
    this.say(
      start,
      end,
      `objects are compared, so it is always ${tokens[at].text === "===" ? "false" : "true"}`,
    );
  }
}

/** Longest text that is looked at. */
const LONGEST = 100_000;

/** Branches of a function on its inputs that do not look at their values, as it stands in its file. */
export function plainBranches(fn: unknown): PlainBranch[] {
  if (typeof fn !== "function") return [];
  const text = Function.prototype.toString.call(fn);
  // most functions have none of it; a native one has no text
  if (
    text.length > LONGEST ||
    text.startsWith("class") ||
    !/===|!==|\bif\b|\bwhile\b|\bswitch\b|[!?]|&&|\|\|/.test(text)
  )
    return [];
  const reader = new Reader(text, tokensOf(text));
  const body = reader.parameters();
  if (body < 0) return [];
  reader.read(body);
  return reader.found;
}
