/**
 * Operations on entries of a store that leave out what changes nothing: x*1, x+0, x/1, x**1, -(-x), operations on
 * numbers. Every rule gives the same double as the operation it replaces, but for the sign of a zero. A rule that only
 * holds in real arithmetic (x*(1/b) as x/b) is none. A zero factor is dropped only in `scale`, where it stands for a
 * contribution that is not made.
 */
import { opcode, primitives } from "../ops/table.js";
import { compare, type Relation } from "./expression.js";
import { Op, type ExpressionStore } from "./store.js";

const ADD = opcode("add");
const SUB = opcode("sub");
const MUL = opcode("mul");
const DIV = opcode("div");
const NEG = opcode("neg");
const POW = opcode("pow");

/** A negation of the derivative's own; the program's are kept, with their names and however long a chain they are. */
const isNegated = (store: ExpressionStore, x: number): boolean => x >= store.frozen && store.opOf(x) === NEG;

export function negate(store: ExpressionStore, x: number): number {
  const value = store.numberOf(x);
  if (value !== undefined) return store.number(-value);
  return isNegated(store, x) ? store.arg(x, 0) : store.node(NEG, x);
}

export function add(store: ExpressionStore, a: number, b: number): number {
  const x = store.numberOf(a);
  const y = store.numberOf(b);
  if (x !== undefined && y !== undefined) return store.number(x + y);
  if (x === 0) return b;
  if (y === 0) return a;
  if (isNegated(store, b)) return store.node(SUB, a, store.arg(b, 0));
  if (isNegated(store, a)) return store.node(SUB, b, store.arg(a, 0));
  return store.node(ADD, a, b);
}

function subtract(store: ExpressionStore, a: number, b: number): number {
  const x = store.numberOf(a);
  const y = store.numberOf(b);
  if (x !== undefined && y !== undefined) return store.number(x - y);
  if (y === 0) return a;
  if (x === 0) return negate(store, b);
  if (isNegated(store, b)) return add(store, a, store.arg(b, 0));
  return store.node(SUB, a, b);
}

export function multiply(store: ExpressionStore, a: number, b: number): number {
  const x = store.numberOf(a);
  const y = store.numberOf(b);
  if (x !== undefined && y !== undefined) return store.number(x * y);
  if (x === 1) return b;
  if (y === 1) return a;
  if (x !== x && x !== undefined) return a;
  if (y !== y && y !== undefined) return b;
  if (x === -1) return negate(store, b);
  if (y === -1) return negate(store, a);
  if (isNegated(store, a)) return negate(store, multiply(store, store.arg(a, 0), b));
  if (isNegated(store, b)) return negate(store, multiply(store, a, store.arg(b, 0)));
  return store.node(MUL, a, b);
}

/** A primitive applied to as many entries as it has operands. */
export function applied(store: ExpressionStore, op: number, args: readonly number[]): number {
  const numbers = args.map((arg) => store.numberOf(arg));
  if (numbers.every((x) => x !== undefined)) {
    const [x, y = 0, z = 0] = numbers;
    return store.number(primitives[op].value(x, y, z));
  }
  const [a, b, c] = args;
  switch (op) {
    case ADD:
      return add(store, a, b);
    case SUB:
      return subtract(store, a, b);
    case MUL:
      return multiply(store, a, b);
    case NEG:
      return negate(store, a);
    case DIV:
      if (numbers[1] === 1) return a;
      // the sign of a quotient is that of its parts, exactly
      if (isNegated(store, a)) return negate(store, store.node(DIV, store.arg(a, 0), b));
      break;
    case POW:
      if (numbers[1] === 1) return a;
      break;
  }
  return store.node(op, a, b, c);
}

const RELATIONS: Readonly<Record<Relation, number>> = {
  "<": Op.less,
  "<=": Op.lessOrEqual,
  ">": Op.greater,
  ">=": Op.greaterOrEqual,
  "==": Op.equal,
  "!=": Op.unequal,
};

/** A comparison, 1 where it holds and 0 where it does not. */
export function related(store: ExpressionStore, relation: Relation, a: number, b: number): number {
  const x = store.numberOf(a);
  const y = store.numberOf(b);
  if (x !== undefined && y !== undefined) return store.number(Number(compare(relation, x, y)));
  return store.node(RELATIONS[relation], a, b);
}

const truth = (x: number): boolean => x !== 0 && x === x;

export function both(store: ExpressionStore, a: number, b: number): number {
  const x = store.numberOf(a);
  const y = store.numberOf(b);
  if (x !== undefined) return truth(x) ? b : store.number(0);
  if (y !== undefined) return truth(y) ? a : store.number(0);
  return store.node(Op.and, a, b);
}

export function either(store: ExpressionStore, a: number, b: number): number {
  const x = store.numberOf(a);
  const y = store.numberOf(b);
  if (x !== undefined) return truth(x) ? store.number(1) : b;
  if (y !== undefined) return truth(y) ? store.number(1) : a;
  return store.node(Op.or, a, b);
}

export function choose(store: ExpressionStore, test: number, yes: number, no: number): number {
  const x = store.numberOf(test);
  if (x !== undefined) return truth(x) ? yes : no;
  return yes === no ? yes : store.node(Op.choose, test, yes, no);
}

/** Choices a factor is drawn into: as deep as a derivative's text nests them. */
const DEPTH = 8;

/**
 * The contribution g·local. A local derivative that is the number 0 makes none, whatever g is, as in the reverse rule of
 * a branch not taken; so g is drawn into the branches of a choice.
 */
export function scale(store: ExpressionStore, g: number, local: number, depth = DEPTH): number {
  if (store.numberOf(local) === 0) return local;
  if (store.opOf(local) === Op.choose && depth > 0) {
    const yes = scale(store, g, store.arg(local, 1), depth - 1);
    const no = scale(store, g, store.arg(local, 2), depth - 1);
    return choose(store, store.arg(local, 0), yes, no);
  }
  return multiply(store, g, local);
}
