/**
 * A recording over integer handles: the fastest way to a gradient. A handle is the number of a node (from 0 on, in order of
 * recording) or, below 0, a constant. Operations are methods of the names in the table of primitives; they come generated
 * from it, bound to memory that the compiler of the host knows as constant (`generated.ts`, `create.ts`).
 *
 *     const t = recording();
 *     const x = t.input(3);
 *     const y = t.mul(t.sin(x), t.constant(2));
 *     t.value(y); t.gradient(y); t.contributions(x);
 *
 * Double precision, sum in arrival order, nodes swept in recording order backwards (Griewank and Walther 2008, algorithm 3.4).
 */
import { NO_OPERAND, OP_CUT, OP_INPUT, SEGMENT, Tape } from "../tape/tape.js";
import { Doubles, Ints } from "../tape/growable.js";
import { primitives } from "../ops/table.js";
import { BacksweepError } from "../trace/failure.js";
import type { Columns } from "./columns.js";
import { Replayer } from "./replayer.js";
import { checkDecisions, Decisions, type Comparison } from "./decisions.js";

/** A node (>= 0) or a constant (< 0) of one recording. */
export type Handle = number;

/** What a use of a node hands to its cotangent. */
export interface ArrivedContribution {
  /** the consumer */
  readonly from: Handle;
  readonly slot: number;
  readonly value: number;
}

/** Operand slots by opcode, 0 for an input. */
const arity = new Uint8Array(256);
primitives.forEach((row, code) => (arity[code] = row.arity));

export abstract class RecordingBase {
  /** operands of primitives of three, and what they were handed */
  protected readonly args = new Ints();
  protected readonly argContribution = new Doubles();
  private readonly firsts: number[] = [];
  private readonly counts: number[] = [];
  private readonly decisions = new Decisions();
  /** the node the last sweep began at, -1 without one */
  protected swept = -1;
  private outputs: readonly Handle[] = [];
  /** 1 for nodes with a path to an output, made when it is asked for */
  private paths: Uint8Array | null = null;
  /** why nothing may be read any more, null while all is well */
  protected broken: string | null = null;

  /** @param limit the most nodes it may hold */
  constructor(readonly limit: number) {}

  /** Nodes recorded. */
  abstract get length(): number;
  /** Site that nodes from now on are given (`registerModule`), -1 unknown. */
  abstract at(site: number): void;
  protected abstract columns(): Columns;
  protected abstract constantCount(): number;
  /** Makes room for more nodes. */
  protected abstract grow(): void;
  protected abstract append(op: number, a: number, b: number, value: number): Handle;
  protected abstract clear(): void;
  /** Says that the columns have been written from outside. */
  protected abstract filled(n: number): void;
  protected abstract siteNow(): number;
  protected abstract reverse(start: number): void;
  protected abstract forward(): void;
  /** A constant operand: no node, so no derivative. */
  abstract constant(value: number): Handle;

  /** Bytes of the nodes recorded, with cotangents and contributions. */
  get bytes(): number {
    return this.length * 45 + this.args.bytes + this.argContribution.bytes;
  }

  /** An input: a node that the gradient is asked for. */
  input(value: number): Handle {
    if (typeof value !== "number") throw this.wrong(`input: ${String(value)} is no number`);
    const id = this.append(OP_INPUT, NO_OPERAND, NO_OPERAND, value);
    this.counted(id, 1);
    return id;
  }

  /** Inputs in a row; the handle of the i-th is the answer plus i. */
  inputs(values: ArrayLike<number>): Handle {
    const first = this.length;
    const count = values.length;
    if (!(values instanceof Float64Array)) {
      for (let i = 0; i < count; i++)
        if (typeof values[i] !== "number") throw this.wrong(`inputs: ${String(values[i])} is no number`);
    }
    while (first + count + this.constantCount() > this.columns().mask + 1) this.grow();
    const { op, value, site } = this.columns();
    op.fill(OP_INPUT, first, first + count);
    value.set(values, first);
    site.fill(this.siteNow(), first, first + count);
    this.filled(first + count);
    this.counted(first, count);
    return first;
  }

  private counted(first: Handle, count: number): void {
    const last = this.firsts.length - 1;
    if (last >= 0 && this.firsts[last] + this.counts[last] === first) this.counts[last] += count;
    else {
      this.firsts.push(first);
      this.counts.push(count);
    }
  }

  /** Inputs so far. */
  get inputCount(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /** Any primitive of the table by name. Throws `no-rule` for an unknown one. */
  apply(name: string, ...operands: readonly Handle[]): Handle {
    const row = primitives.find((entry) => entry.name === name);
    if (row === undefined) throw new BacksweepError("no-rule", `there is no primitive "${name}"`);
    if (operands.length !== row.arity)
      throw this.wrong(`${name} takes ${row.arity} operands, ${operands.length} given`);
    return (this as unknown as Record<string, (...xs: readonly Handle[]) => Handle>)[name](...operands);
  }

  /** The primal of a node or constant. */
  abstract value(x: Handle): number;

  protected noConstant(x: unknown): never {
    throw this.wrong(`constant: ${String(x)} is no number`);
  }

  protected noValue(x: Handle): never {
    this.intact();
    this.known(x, "value");
    throw this.wrong(`value: no value at ${x}`);
  }

  /**
   * One reverse sweep from an output, or from several with a cotangent each.
   *
   * @param cotangent seed of the sweep, 1 everywhere if not given
   */
  sweep(output: Handle | readonly Handle[], cotangent: number | readonly number[] = 1): void {
    this.intact();
    const outputs = typeof output === "number" ? [output] : output;
    if (typeof cotangent !== "number" && cotangent.length !== outputs.length)
      throw this.wrong(`sweep: ${outputs.length} outputs, ${cotangent.length} cotangents`);
    let start = -1;
    for (const x of outputs) {
      this.known(x, "sweep");
      if (x > start) start = x;
    }
    const bar = this.columns().cotangent;
    // not 0: what nothing arrived at is told from what adds up to nothing
    bar.fill(-0, 0, start + 1);
    this.argContribution.fill(0);
    outputs.forEach((x, i) => {
      const seed = typeof cotangent === "number" ? cotangent : cotangent[i];
      if (x >= 0) bar[x] = bar[x] + seed + 0;
    });
    this.swept = start;
    this.outputs = outputs;
    this.paths = null;
    if (start >= 0) this.reverse(start);
  }

  /** Sweeps, and gives the derivative in every input, in the order they were made. */
  gradient(output: Handle | readonly Handle[], cotangent: number | readonly number[] = 1): Float64Array {
    this.sweep(output, cotangent);
    const { firsts, counts, swept } = this;
    const bar = this.columns().cotangent;
    const out = new Float64Array(this.inputCount);
    let at = 0;
    for (let i = 0; i < firsts.length; i++) {
      const end = Math.min(firsts[i] + counts[i], swept + 1);
      for (let v = firsts[i], k = at; v < end; v++, k++) out[k] = bar[v] + 0;
      at += counts[i];
    }
    return out;
  }

  /** dL/d(node) by the last sweep; 0 for a node on no path to the output, and for a constant. */
  cotangent(x: Handle): number {
    this.wasSwept("cotangent");
    this.known(x, "cotangent");
    return x < 0 || x > this.swept ? 0 : this.columns().cotangent[x] + 0;
  }

  /** The same for `count` nodes in a row. */
  cotangents(first: Handle, count: number): Float64Array {
    this.wasSwept("cotangents");
    const out = new Float64Array(count);
    const bar = this.columns().cotangent;
    const end = Math.min(first + count, this.swept + 1);
    for (let v = first, i = 0; v < end; v++, i++) out[i] = bar[v] + 0;
    return out;
  }

  /** What the node handed to each of its operands in the last sweep; 0 for operands that are constants. */
  handedOn(v: Handle): number[] {
    this.wasSwept("handedOn");
    this.known(v, "handedOn");
    if (!this.leads(v)) return this.operands(v).map(() => 0);
    return this.operands(v).map((x, slot) => (x < 0 ? 0 : this.contributionAt(v, slot)));
  }

  /** What each use of a node handed to it in the last sweep, in order of arrival; their sum is the cotangent. */
  contributions(x: Handle): ArrivedContribution[] {
    this.wasSwept("contributions");
    this.known(x, "contributions");
    const out: ArrivedContribution[] = [];
    for (let from = this.swept; from > x && x >= 0; from--) {
      if (!this.leads(from)) continue;
      this.operands(from).forEach((operand, slot) => {
        if (operand === x) out.push({ from, slot, value: this.contributionAt(from, slot) });
      });
    }
    return out;
  }

  /** The operands of a node, by slot. */
  operands(v: Handle): Handle[] {
    this.known(v, "operands");
    const { op, a, b } = this.columns();
    if (v < 0 || op[v] >= OP_CUT) return [];
    const { arity } = primitives[op[v]];
    if (arity === 3) return [0, 1, 2].map((slot) => this.args.at(a[v] + slot));
    return arity === 2 ? [a[v], b[v]] : [a[v]];
  }

  /**
   * Compares two values and notes the outcome, so that a replay knows when the program would have gone another way. A
   * program that branches on `value()` instead must not be replayed.
   */
  decide(a: Handle, comparison: Comparison, b: Handle): boolean {
    return this.decisions.add(comparison, a, b, this.value(a), this.value(b));
  }

  /**
   * Computes all values anew for other inputs, in the order they were made.
   *
   * @throws BacksweepError `definition` if a recorded decision falls otherwise: the recording must then be made anew
   */
  replay(inputs: ArrayLike<number>): void {
    const { firsts, counts } = this;
    const total = this.inputCount;
    if (inputs.length !== total) throw this.wrong(`replay: ${total} inputs, ${inputs.length} values given`);
    const { value } = this.columns();
    let at = 0;
    for (let i = 0; i < firsts.length; i++)
      for (let k = 0; k < counts[i]; k++) value[firsts[i] + k] = inputs[at++];
    this.swept = -1;
    this.outputs = [];
    this.paths = null;
    this.broken = null;
    this.forward();
    this.broken = checkDecisions(this.decisions, (x) => this.value(x));
    this.intact();
  }

  /**
   * Makes the recording ready for many evaluations of one output. It is a copy: this recording may go on, or be reset.
   *
   * @param output a node or constant
   */
  replayer(output: Handle): Replayer {
    this.intact();
    this.known(output, "replayer");
    const { op, a, b, value } = this.columns();
    return new Replayer(
      {
        length: this.length,
        op,
        a,
        b,
        value,
        constants: Float64Array.from({ length: this.constantCount() }, (_, k) => this.value(~k)),
        args: this.args.flat(),
        inputs: this.firsts.map((first, i) => [first, this.counts[i]] as const),
        decisions: this.decisions.copy(),
      },
      output,
    );
  }

  /** Forgets everything, keeps the memory: the next evaluation records from 0 on. */
  reset(): void {
    this.clear();
    this.args.clear();
    this.argContribution.clear();
    this.decisions.clear();
    this.firsts.length = 0;
    this.counts.length = 0;
    this.swept = -1;
    this.outputs = [];
    this.paths = null;
    this.broken = null;
  }

  /**
   * Takes over a tape of the ordinary engine: primitives of the scalar table, inputs and cuts. Node ids stay.
   *
   * @throws BacksweepError `no-rule` for any other node
   */
  load(tape: Tape): void {
    this.reset();
    const n = tape.length;
    const held = tape.constants.length;
    while (n + held > this.columns().mask) this.grow();
    const { op, a, b, value, site } = this.columns();
    tape.segments.forEach((segment, s) => {
      const start = s * SEGMENT;
      const length = Math.min(SEGMENT, n - start);
      if (length <= 0) return;
      for (let i = 0; i < length; i++) {
        if (segment.op[i] > OP_CUT && segment.op[i] !== OP_INPUT)
          throw new BacksweepError("no-rule", "only scalar operations of the table can be taken over");
      }
      op.set(length === SEGMENT ? segment.op : segment.op.subarray(0, length), start);
      a.set(length === SEGMENT ? segment.a : segment.a.subarray(0, length), start);
      b.set(length === SEGMENT ? segment.b : segment.b.subarray(0, length), start);
      value.set(length === SEGMENT ? segment.value : segment.value.subarray(0, length), start);
      site.set(length === SEGMENT ? segment.site : segment.site.subarray(0, length), start);
    });
    for (let k = 0; k < held; k++) this.constant(tape.constants.at(k));
    for (let k = 0; k < tape.args.length; k++) {
      this.args.push(tape.args.at(k));
      this.argContribution.push(0);
    }
    this.filled(n);
  }

  /** The recording as a tape of the ordinary engine, a copy. */
  get tape(): Tape {
    this.intact();
    const tape = new Tape();
    const { op, a, b, value, site } = this.columns();
    for (let k = 0; k < this.constantCount(); k++) tape.constant(this.value(~k));
    for (let k = 0; k < this.args.length; k++) tape.operandList([this.args.at(k)]);
    for (let v = 0; v < this.length; v++) {
      const one = op[v] < OP_CUT && primitives[op[v]].arity === 1;
      tape.push(op[v], a[v], one ? NO_OPERAND : b[v], value[v], site[v], 0);
    }
    return tape;
  }

  /** True if a path leads from the node to an output of the last sweep. */
  protected leads(v: Handle): boolean {
    return v >= 0 && v <= this.swept && (this.paths ??= this.marked())[v] === 1;
  }

  private marked(): Uint8Array {
    const mark = new Uint8Array(this.swept + 1);
    for (const x of this.outputs) if (x >= 0) mark[x] = 1;
    const { op, a, b } = this.columns();
    for (let v = this.swept; v >= 0; v--) {
      if (mark[v] === 0) continue;
      const slots = arity[op[v]];
      if (slots === 3) {
        for (const x of this.operands(v)) if (x >= 0) mark[x] = 1;
        continue;
      }
      if (slots > 0 && a[v] >= 0) mark[a[v]] = 1;
      if (slots > 1 && b[v] >= 0) mark[b[v]] = 1;
    }
    return mark;
  }

  /** Everything that the short way of an operation does not do: more memory, and bad handles. */
  protected slow(code: number, ...operands: readonly Handle[]): Handle {
    const row = primitives[code];
    for (const x of operands) this.known(x, row.name);
    this.grow();
    const again = (this as unknown as Record<string, (...xs: readonly Handle[]) => Handle>)[row.name];
    return again.apply(this, operands as Handle[]);
  }

  /** Records a primitive of three operands, which keeps them in the side table. */
  protected ternary(code: number, a: Handle, b: Handle, c: Handle): Handle {
    const row = primitives[code];
    const operands = [a, b, c];
    for (const x of operands) this.known(x, row.name);
    const first = this.args.length;
    for (const x of operands) {
      this.args.push(x);
      this.argContribution.push(0);
    }
    const [x, y, z] = operands.map((h) => this.value(h));
    return this.append(code, first, 3, row.value(x, y, z));
  }

  private contributionAt(v: number, slot: number): number {
    const { op, a, contribution } = this.columns();
    return primitives[op[v]].arity === 3 ? this.argContribution.at(a[v] + slot) : contribution[2 * v + slot];
  }

  private known(x: Handle, what: string): void {
    if (Number.isInteger(x) && x < this.length && x >= -this.constantCount()) return;
    const why = typeof x === "number" ? `there is no node ${x}` : `${String(x)} is no handle`;
    throw this.wrong(
      `${what}: ${why}; handles are what input, constant and the operations of this recording gave`,
    );
  }

  private wasSwept(what: string): void {
    this.intact();
    if (this.outputs.length === 0) throw this.wrong(`${what}: there was no sweep yet`);
  }

  private intact(): void {
    if (this.broken !== null) throw this.wrong(this.broken);
  }

  protected wrong(message: string): BacksweepError {
    return new BacksweepError("definition", message);
  }
}
