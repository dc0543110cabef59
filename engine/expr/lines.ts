/**
 * A DAG as numbered lines, `t3 = sin(t2) * a`: an entry has a line of its own where it is used more than once, where the
 * program has a name for it, and where an expression would get long. Which they are is decided in loops over the store;
 * only the lines that are printed become text.
 */
import { reachable } from "./size.js";
import { Op, type ExpressionStore } from "./store.js";
import { textOf } from "./print.js";

export interface Line {
  /** "value": computes the output; "reverse": of the derivative alone */
  readonly part: "value" | "reverse";
  readonly name: string;
  readonly text: string;
  readonly entry: number;
}

/** Most operations in one line. */
const OPERATIONS = 6;

export class LinePlan {
  private readonly marks: Uint8Array;
  /** number of the line that an entry without a name has, from 1; 0: written where it is used */
  private readonly numbers: Int32Array;
  private readonly prefix: string;
  /** lines of each part, printed or not */
  readonly totals: { readonly value: number; readonly reverse: number };

  /**
   * @param results entries that are printed under names of their own by `result`
   * @param outputs entries whose lines are printed though no result may need them
   * @param names the program's names, by entry
   * @param reverse first entry that belongs to the derivative alone
   */
  constructor(
    private readonly store: ExpressionStore,
    results: readonly number[],
    outputs: readonly number[],
    private readonly names: ReadonlyMap<number, string>,
    private readonly reverse: number,
  ) {
    this.marks = reachable(store, [...results, ...outputs]);
    this.numbers = new Int32Array(store.size);
    this.prefix = freePrefix(names.values());
    this.totals = this.number(results, outputs);
  }

  private isAtom(id: number): boolean {
    const op = this.store.opOf(id);
    return op === Op.number || op === Op.symbol;
  }

  private number(results: readonly number[], outputs: readonly number[]): LinePlan["totals"] {
    const { store, marks } = this;
    const uses = new Int32Array(store.size);
    for (let id = 0; id < store.size; id++) {
      if (marks[id] === 1) for (let s = store.arity(id) - 1; s >= 0; s--) uses[store.arg(id, s)]++;
    }
    for (const id of results) uses[id]++;
    const shown = new Set(outputs);
    // what one result alone is made of stands in the result's line, however long
    const own = new Set(results);
    const operations = new Int32Array(store.size);
    const totals = { value: 0, reverse: 0 };
    let next = 0;
    for (let id = 0; id < store.size; id++) {
      if (marks[id] === 0 || this.isAtom(id)) continue;
      let inside = 1;
      for (let s = store.arity(id) - 1; s >= 0; s--) inside += operations[store.arg(id, s)];
      const named = this.names.has(id);
      const short = inside <= OPERATIONS || own.has(id);
      if (!named && uses[id] < 2 && short && !shown.has(id)) {
        operations[id] = inside;
        continue;
      }
      this.numbers[id] = named ? -1 : ++next;
      totals[this.partOf(id)]++;
    }
    return totals;
  }

  private partOf(id: number): Line["part"] {
    return id < this.reverse ? "value" : "reverse";
  }

  /** What an entry is written as where it is used, null where it is written out. */
  private nameOf(id: number): string | null {
    const number = this.numbers[id];
    if (number === 0) return null;
    return number < 0 ? this.names.get(id)! : `${this.prefix}${number}`;
  }

  /** The first lines of each part, at most `limit` of each. */
  lines(limit: number): Line[] {
    const out: Line[] = [];
    const left = { value: limit, reverse: limit };
    for (let id = 0; id < this.numbers.length && (left.value > 0 || left.reverse > 0); id++) {
      if (this.numbers[id] === 0) continue;
      const part = this.partOf(id);
      if (left[part]-- <= 0) continue;
      out.push({ part, name: this.nameOf(id)!, text: this.written(id), entry: id });
    }
    return out;
  }

  /** The right side of a result's line: its name if it has a line, else its text. */
  result(id: number): string {
    return this.nameOf(id) ?? this.written(id);
  }

  private written(id: number): string {
    return textOf(this.store, id, (arg) => this.nameOf(arg));
  }
}

/** A prefix that makes no name the program has. */
function freePrefix(names: Iterable<string>): string {
  const taken = new Set<string>();
  for (const name of names) {
    const match = /^([a-z_]+)\d+$/.exec(name);
    if (match !== null) taken.add(match[1]);
  }
  return ["t", "s", "u", "e", "tmp"].find((prefix) => !taken.has(prefix)) ?? "t_";
}
