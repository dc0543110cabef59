/**
 * Entries of a store as text: infix with as few parentheses as keep the order of evaluation, so that a*(b*c) is not
 * written a*b*c. Numbers have all their digits.
 */
import { OPCODE_LIMIT, primitives } from "../ops/table.js";
import { Op, type ExpressionStore } from "./store.js";

/** How tightly a text holds together. */
const Level = {
  choice: 0,
  or: 1,
  and: 2,
  compare: 3,
  sum: 4,
  product: 5,
  sign: 6,
  power: 7,
  atom: 8,
} as const;

interface Piece {
  readonly text: string;
  readonly level: number;
}

interface Infix {
  readonly sign: string;
  readonly level: number;
  /** the least levels of the two sides that need no parentheses */
  readonly left: number;
  readonly right: number;
}

const infix = (sign: string, level: number, left = level, right = level + 1): Infix => ({
  sign,
  level,
  left,
  right,
});

/** Both sides of ** may not be signed or a power themselves, but an exponent may have a sign. */
const INFIX: Readonly<Record<string, Infix>> = {
  "+": infix("+", Level.sum),
  "-": infix("-", Level.sum),
  "*": infix("*", Level.product),
  "/": infix("/", Level.product),
  "%": infix("%", Level.product),
  "**": infix("**", Level.power, Level.atom, Level.sign),
};

const DECISIONS: ReadonlyMap<number, Infix> = new Map([
  [Op.or, infix("||", Level.or)],
  [Op.and, infix("&&", Level.and)],
  [Op.less, infix("<", Level.compare, Level.sum)],
  [Op.lessOrEqual, infix("<=", Level.compare, Level.sum)],
  [Op.greater, infix(">", Level.compare, Level.sum)],
  [Op.greaterOrEqual, infix(">=", Level.compare, Level.sum)],
  [Op.equal, infix("==", Level.compare, Level.sum)],
  [Op.unequal, infix("!=", Level.compare, Level.sum)],
]);

function at(piece: Piece, level: number): string {
  return piece.level < level ? `(${piece.text})` : piece.text;
}

function numberPiece(x: number): Piece {
  const text = Object.is(x, -0) ? "-0" : String(x);
  return { text, level: text.startsWith("-") ? Level.sign : Level.atom };
}

function between(form: Infix, a: Piece, b: Piece): Piece {
  const right = at(b, form.right);
  // a + -1 would be right and hard to read
  const shown = right.startsWith("-") && form.level === Level.sum ? `(${right})` : right;
  return { text: `${at(a, form.left)} ${form.sign} ${shown}`, level: form.level };
}

/**
 * The text of an entry.
 *
 * @param named the name an argument is written by, or null to write it out
 */
export function textOf(store: ExpressionStore, id: number, named: (id: number) => string | null): string {
  const piece = (entry: number): Piece => {
    const name = named(entry);
    return name === null ? whole(entry) : { text: name, level: Level.atom };
  };
  // recursion into what has no name: a line has few operations, a tree that is written out is small
  const whole = (entry: number): Piece => {
    const value = store.numberOf(entry);
    if (value !== undefined) return numberPiece(value);
    const op = store.opOf(entry);
    if (op === Op.symbol) return { text: store.nameOf(entry), level: Level.atom };
    const args = Array.from({ length: store.arity(entry) }, (_, slot) => piece(store.arg(entry, slot)));
    if (op === Op.opaque) return call(store.nameOf(entry), args);
    if (op === Op.choose) {
      const [test, yes, no] = args;
      const text = `${at(test, Level.or)} ? ${at(yes, Level.or)} : ${at(no, Level.choice)}`;
      return { text, level: Level.choice };
    }
    if (op >= OPCODE_LIMIT) return between(DECISIONS.get(op)!, args[0], args[1]);
    const row = primitives[op];
    if (row.infix === null) return call(row.name, args);
    if (row.arity === 1) return { text: `-${at(args[0], Level.atom)}`, level: Level.sign };
    return between(INFIX[row.infix], args[0], args[1]);
  };
  return whole(id).text;
}

function call(name: string, args: readonly Piece[]): Piece {
  return { text: `${name}(${args.map(({ text }) => text).join(", ")})`, level: Level.atom };
}
