/**
 * The grammar of derivative texts, by recursive descent (a text is short, its nesting shallow):
 *
 *     text       = choice { "," name "=" choice }        definitions, each may use the later ones
 *     choice     = condition [ "?" choice ":" choice ]
 *     condition  = both { "||" both }        both = comparison { "&&" comparison }
 *     comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
 *     sum        = product { ("+" | "-") product }
 *     product    = unary { ("*" | "/" | "%") unary }
 *     unary      = "-" unary | power         power = primary [ "**" unary ]
 *     primary    = number | name | function "(" choice { "," choice } ")" | "(" choice ")"
 *
 * A name is an operand, `y` for the output, a definition or a constant; a function is a primitive of the table. A sign
 * before a number and `**` bind as in mathematics: -x ** 2 is -(x ** 2).
 */
import { isPrimitive, primitive } from "../ops/table.js";
import type { Condition, Expression, Relation } from "./expression.js";
import { tokens, type Token } from "./tokens.js";

/** Named constants; a value that NaN stands for is one too. */
const CONSTANTS: Readonly<Record<string, number>> = {
  PI: Math.PI,
  LN2: Math.LN2,
  LN10: Math.LN10,
  LOG2E: Math.LOG2E,
  LOG10E: Math.LOG10E,
  NaN,
  Infinity,
};

const SUMS: Readonly<Record<string, string>> = { "+": "add", "-": "sub" };
const PRODUCTS: Readonly<Record<string, string>> = { "*": "mul", "/": "div", "%": "mod" };
const RELATIONS: readonly string[] = ["<", "<=", ">", ">=", "==", "!="];

/** What stands where either may: a parenthesis or the head of a choice. */
type Parsed = Expression | Condition;

const isCondition = (x: Parsed): x is Condition =>
  x.kind === "compare" || x.kind === "truth" || x.kind === "and" || x.kind === "or";

class Parser {
  private next = 0;
  private readonly definitions = new Map<string, Expression>();

  constructor(
    private readonly text: string,
    private readonly list: readonly Token[],
    private readonly operands: readonly string[],
  ) {}

  private fail(what: string): never {
    const { text, at } = this.list[this.next];
    throw new Error(`"${this.text}": ${what} at ${at}, not "${text}"`);
  }

  private take(text: string): boolean {
    const token = this.list[this.next];
    if (token.kind !== "sign" || token.text !== text) return false;
    this.next++;
    return true;
  }

  private expect(text: string): void {
    if (!this.take(text)) this.fail(`"${text}" expected`);
  }

  /** The sign that stands next if it is one of a table's, taken. */
  private oneOf<T>(table: Readonly<Record<string, T>>): T | undefined {
    const { kind, text } = this.list[this.next];
    if (kind !== "sign" || !Object.hasOwn(table, text)) return undefined;
    this.next++;
    return table[text];
  }

  private number(x: Parsed): Expression {
    return isCondition(x) ? this.fail("a number expected") : x;
  }

  private condition(x: Parsed): Condition {
    return isCondition(x) ? x : { kind: "truth", of: x };
  }

  /** Definitions stand behind what uses them, so they are read first, the last one before the others. */
  whole(): Expression {
    const starts = this.definitionStarts();
    const main = this.next;
    for (const start of starts.reverse()) {
      this.next = start;
      const { kind, text: name } = this.list[this.next];
      if (kind !== "name") throw new Error(`"${this.text}": "${name}" is no name of a definition`);
      this.next++;
      this.expect("=");
      this.definitions.set(name, this.number(this.choice()));
      if (!this.take(",") && this.list[this.next].kind !== "end") this.fail("the end expected");
    }
    this.next = main;
    const value = this.number(this.choice());
    if (starts.length === 0 ? this.list[this.next].kind !== "end" : this.next !== Math.min(...starts) - 1) {
      this.fail("the end expected");
    }
    return value;
  }

  private definitionStarts(): number[] {
    const starts: number[] = [];
    let depth = 0;
    this.list.forEach(({ kind, text }, i) => {
      if (kind !== "sign") return;
      if (text === "(") depth++;
      if (text === ")") depth--;
      if (text === "," && depth === 0) starts.push(i + 1);
    });
    return starts;
  }

  private choice(): Parsed {
    const head = this.either();
    if (!this.take("?")) return head;
    const yes = this.number(this.choice());
    this.expect(":");
    const no = this.number(this.choice());
    return { kind: "if", test: this.condition(head), yes, no };
  }

  private either(): Parsed {
    let left = this.both();
    while (this.take("||")) {
      left = { kind: "or", left: this.condition(left), right: this.condition(this.both()) };
    }
    return left;
  }

  private both(): Parsed {
    let left = this.comparison();
    while (this.take("&&")) {
      left = { kind: "and", left: this.condition(left), right: this.condition(this.comparison()) };
    }
    return left;
  }

  private comparison(): Parsed {
    const left = this.sum();
    const { kind, text } = this.list[this.next];
    if (kind !== "sign" || !RELATIONS.includes(text)) return left;
    this.next++;
    const right = this.number(this.sum());
    return { kind: "compare", relation: text as Relation, left: this.number(left), right };
  }

  private infix(table: Readonly<Record<string, string>>, operand: () => Parsed): Parsed {
    let left = operand();
    for (let op = this.oneOf(table); op !== undefined; op = this.oneOf(table)) {
      left = { kind: "apply", op, args: [this.number(left), this.number(operand())] };
    }
    return left;
  }

  private sum(): Parsed {
    return this.infix(SUMS, () => this.product());
  }

  private product(): Parsed {
    return this.infix(PRODUCTS, () => this.unary());
  }

  private unary(): Parsed {
    if (!this.take("-")) return this.power();
    const of = this.number(this.unary());
    return of.kind === "number"
      ? { kind: "number", value: -of.value }
      : { kind: "apply", op: "neg", args: [of] };
  }

  private power(): Parsed {
    const base = this.primary();
    if (!this.take("**")) return base;
    return { kind: "apply", op: "pow", args: [this.number(base), this.number(this.unary())] };
  }

  private primary(): Parsed {
    const { kind, text } = this.list[this.next];
    if (this.take("(")) {
      const inner = this.choice();
      this.expect(")");
      return inner;
    }
    if (kind === "number") {
      this.next++;
      return { kind: "number", value: Number(text) };
    }
    if (kind !== "name") this.fail("a number, a name or a parenthesis expected");
    this.next++;
    return this.take("(") ? this.call(text) : this.named(text);
  }

  private call(op: string): Expression {
    if (!isPrimitive(op)) throw new Error(`"${this.text}": there is no primitive "${op}"`);
    const args: Expression[] = [];
    do args.push(this.number(this.choice()));
    while (this.take(","));
    this.expect(")");
    const { arity } = primitive(op);
    if (args.length !== arity) {
      throw new Error(`"${this.text}": ${op} takes ${arity} operands, ${args.length} given`);
    }
    return { kind: "apply", op, args };
  }

  private named(name: string): Expression {
    const slot = this.operands.indexOf(name);
    if (slot >= 0) return { kind: "operand", slot };
    if (name === "y") return { kind: "output" };
    const definition = this.definitions.get(name);
    if (definition !== undefined) return definition;
    if (Object.hasOwn(CONSTANTS, name)) return { kind: "number", value: CONSTANTS[name] };
    throw new Error(`"${this.text}": "${name}" is no operand, no constant and not defined`);
  }
}

/**
 * Reads a derivative text.
 *
 * @param operands names of the operands, by slot
 * @throws Error quoting the text, with what was expected where
 */
export function parse(text: string, operands: readonly string[]): Expression {
  return new Parser(text, tokens(text), operands).whole();
}
