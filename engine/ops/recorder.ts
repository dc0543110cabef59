/**
 * The recorder: turns operations on traced numbers into tape rows, and keeps what a tape has no column for (decisions,
 * draws, notes, names, scopes). One is active while a graph function runs.
 */
import { BacksweepError } from "../trace/failure.js";
import { Bytes, Doubles, Ints } from "../tape/growable.js";
import { NameStore } from "../tape/names.js";
import type { NDArray } from "../tape/ndarray.js";
import { ScopeStore } from "../tape/scopes.js";
import { NO_OPERAND, OP_CUSTOM, OP_CUT, OP_GIVEN, OP_INPUT, type Tape } from "../tape/tape.js";
import { Tensor } from "../tape/tensor.js";
import { TracedNumber, type Operand, idOf, isNamed, primal, setNamed, tapeOf } from "../tape/traced.js";
import { foreign, lookAgain } from "./active.js";
import type { ArrayState } from "./array/state.js";
import type { CustomRule } from "./custom-rule.js";
import type { Rounder } from "./dtype.js";
import { leanInputs, recordLeanly } from "./leanly.js";
import type { Lean } from "./lean.js";
import { opcode, primitives } from "./table.js";

export { activeRecorder, foreign, namedRecorder, recording, withRecorder } from "./active.js";
export type { CustomRule } from "./custom-rule.js";

export interface RecordedNote {
  readonly code: "cut" | "kink";
  readonly node: number;
  readonly site: number;
  readonly text: string;
  /** a cut that the program asked for by name: `stopGradient`, `runningState` */
  readonly chosen: boolean;
  /** how often the same place said the same */
  count: number;
}

/** Bit i is set where operand i is a constant. */
export function constantsOf(...operands: readonly unknown[]): number {
  return operands.reduce<number>((bits, x, slot) => (typeof x === "number" ? bits | (1 << slot) : bits), 0);
}

/** Distinct notes kept; further places are only counted. */
const NOTE_LIMIT = 1_000;

export class Recorder {
  readonly scopes = new ScopeStore();
  readonly names = new NameStore();
  readonly notes: RecordedNote[] = [];
  notesDropped = 0;
  private readonly noteIndex = new Map<string, RecordedNote>();
  readonly customRules = new Map<number, CustomRule>();
  private readonly namesOfInputs = new Map<number, string>();
  /** inputs that are elements of one list: their names are written when somebody asks for them */
  private readonly lists: { readonly name: string; readonly first: number; readonly count: number }[] = [];
  readonly decisions = {
    op: [] as string[],
    a: new Ints(),
    b: new Ints(),
    left: new Doubles(),
    right: new Doubles(),
    outcome: new Bytes(),
    site: new Ints(),
    scope: new Ints(),
    at: new Ints(),
  };
  readonly draws = { value: new Doubles(), site: new Ints() };
  /** names of inputs the graph function asked for and the graph has not */
  readonly unknownInputs = new Set<string>();
  /** scopes row of the graph function, set when it is entered */
  graphScope = 0;

  /** what the operations on arrays keep with a recording */
  arrayState: ArrayState | null = null;

  /** where operations go as long as numbers are all that is asked for, instead of to the tape */
  lean: Lean | null = null;
  /** nodes and constants that lean memory may grow to hold */
  leanMost = 0;

  constructor(
    /** the tape as it stands; `tape` brings it up to date */
    readonly store: Tape,
    /** rounding of every primal, null for f64 */
    readonly round: Rounder | null,
    /** only operations are kept: no names, scopes, decisions, draws or notes of kinks, because nobody will ask for a trace */
    readonly bare = false,
  ) {}

  /** The tape with all that is recorded. */
  get tape(): Tape {
    if (this.lean !== null) this.settle();
    return this.store;
  }

  /** Nodes recorded. */
  get length(): number {
    return this.lean === null ? this.store.length : this.lean.length;
  }

  /** True for what belongs to this recording. */
  owns(tape: Tape): boolean {
    return tape === this.store;
  }

  /** Moves what is recorded to the tape, where recording goes on. */
  settle(): void {
    const { lean } = this;
    this.lean = null;
    lookAgain();
    lean?.writeTo(this.store);
    lean?.drop();
  }

  /** Called when lean memory is crowded: it grows, or all moves to the tape. */
  makeRoom(): void {
    if (this.lean?.widen(this.leanMost) === false) this.settle();
  }

  /** The operand as the tape stores it; a handle of another recording is refused. */
  private reference(x: Operand, site: number): number {
    if (typeof x === "number") return this.tape.constant(this.round === null ? x : this.round(x));
    if (tapeOf(x) !== this.tape) throw foreign(site);
    return idOf(x);
  }

  private primalOf(x: Operand): number {
    return typeof x === "number" ? (this.round === null ? x : this.round(x)) : primal(x);
  }

  /** Names of inputs by node. */
  get inputNames(): Map<number, string> {
    for (const { name, first, count } of this.lists.splice(0))
      for (let i = 0; i < count; i++) this.namesOfInputs.set(first + i, `${name}[${i}]`);
    return this.namesOfInputs;
  }

  input(name: string, value: number, site: number): TracedNumber {
    if (!this.bare) this.namesOfInputs.set(this.tape.length, name);
    return this.newInput(value, site);
  }

  /** Inputs `name[0]`, `name[1]`, ... */
  inputList(name: string, values: readonly number[], site: number): TracedNumber[] {
    if (this.lean !== null) return leanInputs(this, this.lean, values, site);
    this.lists.push({ name, first: this.tape.length, count: values.length });
    return values.map((value) => this.newInput(value, site));
  }

  private newInput(value: number, site: number): TracedNumber {
    if (this.lean !== null) return leanInputs(this, this.lean, [value], site)[0];
    const v = this.round === null ? value : this.round(value);
    const id = this.tape.push(OP_INPUT, NO_OPERAND, NO_OPERAND, v, site, 0);
    const traced = new TracedNumber(id, v, this.tape);
    setNamed(traced);
    return traced;
  }

  /** Records a primitive of one operand. */
  unary(op: number, x: TracedNumber, site: number, scope: number): TracedNumber {
    const row = primitives[op];
    if (this.lean !== null) return recordLeanly(this, this.lean, op, [x], site);
    if (tapeOf(x) !== this.tape) throw foreign(site);
    let y = row.value(primal(x), 0, 0);
    if (this.round !== null) y = this.round(y);
    if (row.kink !== undefined && row.kink.at(primal(x), 0, 0)) this.kinked(op, site);
    return new TracedNumber(this.tape.push(op, idOf(x), NO_OPERAND, y, site, scope), y, this.tape);
  }

  /** Records a primitive of two operands, at least one of them traced. */
  binary(op: number, a: Operand, b: Operand, site: number, scope: number): TracedNumber {
    const row = primitives[op];
    if (this.lean !== null) return recordLeanly(this, this.lean, op, [a, b], site);
    const ra = this.reference(a, site);
    const rb = this.reference(b, site);
    const av = this.primalOf(a);
    const bv = this.primalOf(b);
    let y = row.value(av, bv, 0);
    if (this.round !== null) y = this.round(y);
    if (row.kink !== undefined && row.kink.at(av, bv, 0, constantsOf(a, b))) this.kinked(op, site);
    return new TracedNumber(this.tape.push(op, ra, rb, y, site, scope), y, this.tape);
  }

  /** Records any scalar primitive by name or opcode. Throws `no-rule` for an unknown one. */
  apply(op: string | number, operands: readonly Operand[], site: number, scope: number): TracedNumber {
    const code = typeof op === "number" ? op : opcode(op);
    const row = primitives[code];
    if (operands.length !== row.arity) {
      throw new BacksweepError(
        "definition",
        `${row.name} takes ${row.arity} operands, ${operands.length} given`,
        site,
      );
    }
    if (row.arity === 1) return this.unary(code, operands[0] as TracedNumber, site, scope);
    if (row.arity === 2) return this.binary(code, operands[0], operands[1], site, scope);
    if (this.lean !== null) return recordLeanly(this, this.lean, code, operands, site);
    const references = operands.map((x) => this.reference(x, site));
    const [a, b, c] = operands.map((x) => this.primalOf(x));
    let y = row.value(a, b, c);
    if (this.round !== null) y = this.round(y);
    if (row.kink !== undefined && row.kink.at(a, b, c, constantsOf(...operands))) this.kinked(code, site);
    const first = this.tape.operandList(references);
    return new TracedNumber(this.tape.push(code, first, references.length, y, site, scope), y, this.tape);
  }

  /** Records a user's own primitive. */
  custom(
    rule: CustomRule,
    operands: readonly Operand[],
    value: number,
    site: number,
    scope: number,
  ): TracedNumber {
    const y = this.round === null ? value : this.round(value);
    const first = this.tape.operandList(operands.map((x) => this.reference(x, site)));
    const id = this.tape.push(OP_CUSTOM, first, operands.length, y, site, scope);
    this.customRules.set(id, rule);
    return new TracedNumber(id, y, this.tape);
  }

  /** Records a node whose local derivatives are given, as in `tape([...])`. */
  given(value: number, parents: readonly (readonly [TracedNumber, number])[], site: number): TracedNumber {
    const first = this.tape.operandList(
      parents.map(([x]) => this.reference(x, site)),
      parents.map(([, local]) => local),
    );
    const y = this.round === null ? value : this.round(value);
    return new TracedNumber(this.tape.push(OP_GIVEN, first, parents.length, y, site, 0), y, this.tape);
  }

  /** Records a value that starts anew: no derivative flows back from it. */
  cut(x: TracedNumber, site: number, scope: number): TracedNumber {
    if (tapeOf(x) !== this.tape) throw foreign(site);
    const id = this.tape.push(OP_CUT, NO_OPERAND, NO_OPERAND, primal(x), site, scope);
    return new TracedNumber(id, primal(x), this.tape);
  }

  /** The elements with which an array goes on behind a cut: its own, unless an evaluation holds them. */
  cutElements(value: NDArray): NDArray {
    return value;
  }

  /** Records a comparison or truth test on traced operands. */
  decision(op: string, a: Operand, b: Operand, outcome: boolean, site: number, scope: number): void {
    if (this.bare) return;
    const d = this.decisions;
    d.op.push(op);
    d.a.push(typeof a === "number" ? -1 : idOf(a));
    d.b.push(typeof b === "number" ? -1 : idOf(b));
    d.left.push(typeof a === "number" ? a : primal(a));
    d.right.push(typeof b === "number" ? b : primal(b));
    d.outcome.push(outcome ? 1 : 0);
    d.site.push(site);
    d.scope.push(scope);
    d.at.push(this.tape.length);
  }

  draw(value: number, site: number): void {
    if (this.bare) return;
    this.draws.value.push(value);
    this.draws.site.push(site);
  }

  note(code: RecordedNote["code"], node: number, site: number, text: string, chosen = false): void {
    const key = `${code}/${site}/${text}`;
    const known = this.noteIndex.get(key);
    if (known !== undefined) {
      known.count++;
    } else if (this.notes.length < NOTE_LIMIT) {
      const note: RecordedNote = { code, node, site, text, chosen, count: 1 };
      this.notes.push(note);
      this.noteIndex.set(key, note);
    } else {
      this.notesDropped++;
    }
  }

  name(x: TracedNumber, base: string, scope: number, instance: number): void {
    if (this.bare || isNamed(x) || tapeOf(x) !== this.tape) return;
    setNamed(x);
    this.names.add(idOf(x), base, scope, instance);
  }

  /** Names the node of an array; a plain one has none. */
  nameTensor(x: Tensor, base: string, scope: number, instance: number): void {
    if (this.bare || Tensor.named(x) || Tensor.tape(x) !== this.tape) return;
    Tensor.setNamed(x);
    this.names.add(Tensor.id(x), base, scope, instance);
  }

  /** Notes that the operation about to be recorded has no derivative where it stands. */
  kinked(op: number, site: number): void {
    if (this.bare) return;
    const row = primitives[op];
    this.note(
      "kink",
      this.tape.length,
      site,
      `${row.name} is not differentiable here: ${row.kink!.convention}`,
    );
  }
}
