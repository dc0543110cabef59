/** Expressions over the state: JavaScript's arithmetic and comparison, names of nodes, and calls. Nothing else. */
import { ExpressionError, tokenize, type Token } from "./tokens.js";

export type Expression =
  | { readonly kind: "literal"; readonly value: number | boolean | string; readonly column: number }
  | { readonly kind: "name"; readonly name: string; readonly column: number }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly operands: readonly Expression[];
      readonly column: number;
    }
  | {
      readonly kind: "unary" | "binary" | "choice";
      readonly op: string;
      readonly operands: readonly Expression[];
      readonly column: number;
    };

/** How deep brackets and signs may be nested: the parser calls itself that often. */
const DEEPEST = 200;

/** Binding strength of the binary signs, as in JavaScript. */
const strengths: Readonly<Record<string, number>> = {
  "||": 1,
  "&&": 2,
  "==": 3,
  "!=": 3,
  "===": 3,
  "!==": 3,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
  "**": 8,
};
const UNARY = 7;

/** Parses one expression. Throws `ExpressionError` with the column of the mistake. */
export function parseExpression(text: string): Expression {
  const parser = new Parser(tokenize(text));
  const expression = parser.choice();
  parser.end();
  return expression;
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  private get token(): Token {
    return this.tokens[this.at];
  }

  private isSign(text: string): boolean {
    return this.token.kind === "sign" && this.token.text === text;
  }

  private expect(text: string): void {
    if (!this.isSign(text))
      throw new ExpressionError(`"${text}" expected, ${this.found()} found`, this.token.column);
    this.at++;
  }

  private found(): string {
    return this.token.kind === "end" ? "the end" : `"${this.token.text}"`;
  }

  end(): void {
    if (this.token.kind === "end") return;
    const hint = this.isSign("=") ? '; compare with "=="' : "";
    throw new ExpressionError(`${this.found()} does not belong here${hint}`, this.token.column);
  }

  /** `a ? b : c`, or anything that binds stronger. */
  choice(): Expression {
    const { column } = this.token;
    if (++this.depth > DEEPEST) throw new ExpressionError("the expression is nested too deeply", column);
    const condition = this.binary(0);
    let whole = condition;
    if (this.isSign("?")) {
      this.at++;
      const yes = this.choice();
      this.expect(":");
      whole = { kind: "choice", op: "?", operands: [condition, yes, this.choice()], column };
    }
    this.depth--;
    return whole;
  }

  private binary(least: number): Expression {
    let left = this.unary();
    for (;;) {
      const { text, kind, column } = this.token;
      const strength = kind === "sign" ? (strengths[text] ?? 0) : 0;
      if (strength === 0 || strength <= least) return left;
      this.at++;
      // the power binds to the right: 2 ** 3 ** 2 is 2 ** 9
      const right = this.deeper(() => this.binary(text === "**" ? strength - 1 : strength), column);
      left = { kind: "binary", op: text, operands: [left, right], column };
    }
  }

  private deeper(read: () => Expression, column: number): Expression {
    if (++this.depth > DEEPEST) throw new ExpressionError("the expression is nested too deeply", column);
    const expression = read();
    this.depth--;
    return expression;
  }

  private unary(): Expression {
    const { text, kind, column } = this.token;
    if (kind !== "sign" || !["-", "+", "!"].includes(text)) return this.primary();
    this.at++;
    return {
      kind: "unary",
      op: text,
      operands: [this.deeper(() => this.binary(UNARY), column)],
      column,
    };
  }

  private primary(): Expression {
    const { token } = this;
    const { column, text } = token;
    this.at++;
    if (token.kind === "number") return { kind: "literal", value: Number(text), column };
    if (token.kind === "string") return { kind: "literal", value: text.slice(1, -1), column };
    if (token.kind === "name") return this.isSign("(") ? this.call(text, column) : nameOrWord(text, column);
    if (token.kind === "sign" && text === "(") {
      const inner = this.choice();
      this.expect(")");
      return inner;
    }
    this.at--;
    throw new ExpressionError(`a value expected, ${this.found()} found`, column);
  }

  private call(name: string, column: number): Expression {
    this.expect("(");
    const operands: Expression[] = [];
    while (!this.isSign(")")) {
      if (operands.length > 0) this.expect(",");
      operands.push(this.choice());
    }
    this.at++;
    return { kind: "call", name, operands, column };
  }
}

const words: Readonly<Record<string, number | boolean>> = {
  true: true,
  false: false,
  NaN: NaN,
  Infinity: Infinity,
};

function nameOrWord(name: string, column: number): Expression {
  return Object.hasOwn(words, name)
    ? { kind: "literal", value: words[name], column }
    : { kind: "name", name, column };
}
