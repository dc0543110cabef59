/**
 * Expressions of the size of a tape: a DAG in columns, in which equal subexpressions are one entry (hash-consing). An
 * entry's arguments have smaller indices, so every pass over it is a loop, never a recursion.
 */
import { OPCODE_LIMIT, primitives } from "../ops/table.js";
import { Ints } from "../tape/growable.js";

/** Operations beside the primitives of the table, whose opcodes lie below `OPCODE_LIMIT`. */
export const Op = {
  number: OPCODE_LIMIT,
  /** a symbol: an input, or a value the derivative is not taken through */
  symbol: OPCODE_LIMIT + 1,
  /** a function known only by name and by its value where it was recorded: a rule of the user's own */
  opaque: OPCODE_LIMIT + 2,
  /** test ? yes : no */
  choose: OPCODE_LIMIT + 3,
  and: OPCODE_LIMIT + 4,
  or: OPCODE_LIMIT + 5,
  less: OPCODE_LIMIT + 6,
  lessOrEqual: OPCODE_LIMIT + 7,
  greater: OPCODE_LIMIT + 8,
  greaterOrEqual: OPCODE_LIMIT + 9,
  equal: OPCODE_LIMIT + 10,
  unequal: OPCODE_LIMIT + 11,
} as const;

const NONE = -1;
const EMPTY = -1;

export class ExpressionStore {
  private readonly op = new Ints();
  private readonly a = new Ints();
  private readonly b = new Ints();
  private readonly c = new Ints();
  /** arguments of opaque functions */
  private readonly list = new Ints();
  private readonly numbers: number[] = [];
  private readonly numberIds = new Map<number | "-0", number>();
  private readonly symbols: { readonly name: string; readonly value: number }[] = [];
  /** open addressing; a power of two, at most half full */
  private slots: Int32Array;

  /** @param expected number of entries it will hold, about */
  constructor(expected = 0) {
    this.slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(512, expected) * 2))).fill(EMPTY);
  }

  /** Entries below this are the program's own: they are not looked into when a derivative is simplified. */
  frozen = 0;

  get size(): number {
    return this.op.length;
  }

  private push(op: number, a: number, b: number, c: number): number {
    const id = this.op.push(op);
    this.a.push(a);
    this.b.push(b);
    this.c.push(c);
    return id;
  }

  number(value: number): number {
    const key = Object.is(value, -0) ? "-0" : value;
    const known = this.numberIds.get(key);
    if (known !== undefined) return known;
    this.numbers.push(value);
    const id = this.push(Op.number, this.numbers.length - 1, NONE, NONE);
    this.numberIds.set(key, id);
    return id;
  }

  /** A new symbol; two of the same name are two entries. */
  symbol(name: string, value: number): number {
    this.symbols.push({ name, value });
    return this.push(Op.symbol, this.symbols.length - 1, NONE, NONE);
  }

  /** A new function of arguments, known by its value at the recorded point. */
  opaque(name: string, args: readonly number[], value: number): number {
    const first = this.list.length;
    for (const arg of args) this.list.push(arg);
    this.symbols.push({ name, value });
    return this.push(Op.opaque, first, args.length, this.symbols.length - 1);
  }

  /** The entry of an operation on up to three entries, the one there is if there is one. */
  node(op: number, a: number, b = NONE, c = NONE): number {
    const mask = this.slots.length - 1;
    let slot = hash(op, a, b, c) & mask;
    for (let id = this.slots[slot]; id !== EMPTY; id = this.slots[slot]) {
      if (this.op.at(id) === op && this.a.at(id) === a && this.b.at(id) === b && this.c.at(id) === c)
        return id;
      slot = (slot + 1) & mask;
    }
    const id = this.push(op, a, b, c);
    this.slots[slot] = id;
    if (id * 2 > mask) this.rehash();
    return id;
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 4).fill(EMPTY);
    const mask = slots.length - 1;
    for (const id of this.slots) {
      if (id === EMPTY) continue;
      let slot = hash(this.op.at(id), this.a.at(id), this.b.at(id), this.c.at(id)) & mask;
      while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      slots[slot] = id;
    }
    this.slots = slots;
  }

  opOf(id: number): number {
    return this.op.at(id);
  }

  /** Number of arguments. */
  arity(id: number): number {
    const op = this.op.at(id);
    if (op === Op.opaque) return this.b.at(id);
    if (op === Op.number || op === Op.symbol) return 0;
    return op === Op.choose ? 3 : op > Op.choose ? 2 : primitives[op].arity;
  }

  arg(id: number, slot: number): number {
    if (this.op.at(id) === Op.opaque) return this.list.at(this.a.at(id) + slot);
    return slot === 0 ? this.a.at(id) : slot === 1 ? this.b.at(id) : this.c.at(id);
  }

  /** The number of a number, undefined for everything else. */
  numberOf(id: number): number | undefined {
    return this.op.at(id) === Op.number ? this.numbers[this.a.at(id)] : undefined;
  }

  private symbolOf(id: number): { readonly name: string; readonly value: number } {
    return this.symbols[this.op.at(id) === Op.opaque ? this.c.at(id) : this.a.at(id)];
  }

  /** The name of a symbol or an opaque function. */
  nameOf(id: number): string {
    return this.symbolOf(id).name;
  }

  /** What a symbol or an opaque function was at the recorded point. */
  recordedValue(id: number): number {
    return this.symbolOf(id).value;
  }
}

function hash(op: number, a: number, b: number, c: number): number {
  let h = Math.imul(op + 1, 0x9e3779b1) ^ Math.imul(a + 2, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35) ^ Math.imul(b + 2, 0x27d4eb2f) ^ Math.imul(c + 2, 0x165667b1);
  h = Math.imul(h ^ (h >>> 13), 0x2c1b3c6d);
  return h ^ (h >>> 16);
}
