/**
 * Replay of a recorded scalar tape: new values for its inputs and constants run through the recorded operations, in
 * WebAssembly where the tape fits the arena, else in JavaScript; and the reverse sweep over it. Whether the recorded
 * operations are still the ones the program would run is the caller's to check, from the values of the predicates'
 * operands.
 */
import { Op, type OpName } from "./codes.js";
import { refuse } from "./check.js";
import { kernels, nativeKernels } from "./instance.js";
import type { Arena } from "./arena.js";
import type { Native } from "./native.js";
import { forward, reverse } from "./replay-javascript.js";

/** Codes of a replay beside those of `Op`. */
export const Replayed = { pow: 9, atan2: 10, evaluate: 254, given: 255 } as const;

/** A node of these is run from its name alone; every other primitive goes through `ReplayRules.evaluate`. */
const inlined: readonly OpName[] = [
  "add",
  "sub",
  "mul",
  "div",
  "min",
  "max",
  "neg",
  "abs",
  "sqrt",
  "square",
  "reciprocal",
  "floor",
  "ceil",
  "trunc",
  "relu",
  "exp",
  "expm1",
  "log",
  "log1p",
  "log2",
  "log10",
  "tanh",
  "sigmoid",
  "softplus",
  "sin",
  "cos",
  "tan",
  "asin",
  "acos",
  "atan",
  "sinh",
  "cosh",
  "asinh",
  "acosh",
  "atanh",
  "cbrt",
];

/**
 * How each opcode is replayed: `names` are the primitives' names by opcode. Opcodes without a name are left to
 * `evaluate`; set those whose nodes keep the value they are given (inputs) to `Replayed.given`.
 */
export function replayCodes(names: readonly string[]): Uint8Array {
  const codes = new Uint8Array(256).fill(Replayed.evaluate);
  const known = new Map<string, number>([
    ...inlined.map((name): [string, number] => [name, Op[name]]),
    ["pow", Replayed.pow],
    ["atan2", Replayed.atan2],
  ]);
  names.forEach((name, opcode) => (codes[opcode] = known.get(name) ?? Replayed.evaluate));
  return codes;
}

/** The columns of a tape, in segments (tape/tape.ts). */
export interface ReplayColumns {
  readonly length: number;
  readonly segments: readonly {
    readonly op: Uint8Array;
    readonly a: Int32Array;
    readonly b: Int32Array;
    readonly value: Float64Array;
  }[];
  readonly constants: ArrayLike<number>;
}

/** What the kernels do not know about a tape's operations. */
export interface ReplayRules {
  /** by opcode, from `replayCodes` */
  readonly codes: Uint8Array;
  /** Value of a node that has no code. `value` reads an operand reference: node id, or `~k` for constant k. */
  evaluate(node: number, value: (reference: number) => number): number;
  /**
   * Hands the contributions of a node that the kernels have no reverse rule for to `add`, by operand reference, slot
   * after slot. `g` is its cotangent.
   */
  pull(
    node: number,
    g: number,
    value: (reference: number) => number,
    add: (reference: number, contribution: number) => void,
  ): void;
}

export class Replay {
  /** Number of nodes. */
  readonly length: number;
  /** Values by node; write those of the inputs, then call `forward`. */
  readonly values: Float64Array;
  /** Cotangents by node; fill with 0 and write the seeds, then call `reverse`. Meaningful where active. */
  readonly cotangents: Float64Array;
  /** 1 for the nodes that the reverse sweep passes: those the seeds depend on. */
  readonly active: Uint8Array;

  private readonly codes: Uint8Array;
  private readonly a: Int32Array;
  private readonly b: Int32Array;
  /** constants, the last one first, then the nodes */
  private readonly all: Float64Array;
  private readonly bars: Float64Array;
  private readonly firstNode: number;
  private readonly arena: Arena;
  private readonly native: Native | null;
  /** what was taken from the arena */
  private readonly taken: Float64Array[] = [];

  /** @param rules see `ReplayRules` */
  constructor(
    columns: ReplayColumns,
    private readonly rules: ReplayRules,
  ) {
    const n = columns.length;
    const constants = columns.constants.length;
    const set = kernels();
    this.arena = set.arena;
    this.length = n;
    this.firstNode = constants;
    this.all = this.take(constants + n);
    this.bars = this.take(constants + n);
    this.a = this.ints(n);
    this.b = this.ints(n);
    this.codes = this.bytes(n);
    this.active = this.bytes(n).fill(0);
    this.values = this.all.subarray(constants);
    this.cotangents = this.bars.subarray(constants);
    const inArena = this.taken.every((view) => this.arena.place(view) >= 0);
    this.native = set.backend === "wasm" && inArena ? nativeKernels() : null;
    for (let k = 0; k < constants; k++) this.all[constants - 1 - k] = columns.constants[k];
    this.copy(columns);
    this.bars.fill(0);
  }

  /** Replaces the k-th constant. */
  setConstant(k: number, value: number): void {
    this.all[this.firstNode - 1 - k] = value;
  }

  /**
   * Computes the values of the nodes [from, to) from those before them.
   *
   * @throws what `evaluate` throws
   */
  forward(from = 0, to = this.length): void {
    if (!(from >= 0 && to <= this.length)) refuse("replay", `nodes ${from} to ${to} of ${this.length}`);
    if (this.native === null) {
      forward(this.codes, this.a, this.b, this.all, this.firstNode, from, to, this.evaluate);
      return;
    }
    this.inNative((native) =>
      native.run.forward(
        this.codes.byteOffset,
        this.a.byteOffset,
        this.b.byteOffset,
        this.values.byteOffset,
        from,
        to,
      ),
    );
  }

  /**
   * The reverse sweep from node `top` down, over the active nodes: ids descending, slot after slot, each contribution
   * added as it arrives.
   *
   * @throws what `pull` throws
   */
  reverse(top = this.length - 1): void {
    if (!(top < this.length)) refuse("replay", `node ${top} of ${this.length}`);
    if (this.native === null) {
      reverse(this.codes, this.a, this.b, this.all, this.bars, this.firstNode, this.active, top, this.pull);
      return;
    }
    this.inNative((native) =>
      native.run.reverse(
        this.codes.byteOffset,
        this.a.byteOffset,
        this.b.byteOffset,
        this.values.byteOffset,
        this.cotangents.byteOffset,
        this.active.byteOffset,
        top,
      ),
    );
  }

  /** Marks as active what these nodes depend on, themselves included; `operands` gives those of nodes with a side table. */
  activate(seeds: readonly number[], operands: (node: number) => readonly number[]): void {
    const { active, codes, a, b } = this;
    active.fill(0);
    let top = -1;
    for (const seed of seeds) {
      active[seed] = 1;
      top = Math.max(top, seed);
    }
    for (let v = top; v >= 0; v--) {
      if (active[v] === 0) continue;
      const code = codes[v];
      if (code === Replayed.given) continue;
      if (code === Replayed.evaluate) {
        for (const reference of operands(v)) if (reference >= 0) active[reference] = 1;
        continue;
      }
      if (a[v] >= 0) active[a[v]] = 1;
      if (code < 16 && b[v] >= 0) active[b[v]] = 1;
    }
  }

  /** Gives the memory back; the replay must not be used any more. */
  free(): void {
    for (const view of this.taken.splice(0)) this.arena.free(view);
  }

  private readonly value = (reference: number): number => this.all[this.firstNode + reference];

  private readonly add = (reference: number, contribution: number): void => {
    this.bars[this.firstNode + reference] += contribution;
  };

  private readonly evaluate = (node: number): number => this.rules.evaluate(node, this.value);

  private readonly pull = (node: number): void =>
    this.rules.pull(node, this.cotangents[node], this.value, this.add);

  /** Runs with this replay as the one whose nodes are run in JavaScript. A rule may run a replay of its own. */
  private inNative(act: (native: Native) => void): void {
    const native = this.native!;
    const outer = native.replaying;
    native.replaying = this.hooks;
    try {
      act(native);
    } finally {
      native.replaying = outer;
    }
  }

  private readonly hooks = { evaluate: this.evaluate, pull: this.pull };

  private take(doubles: number): Float64Array {
    const view = this.arena.float64(doubles);
    this.taken.push(view);
    return view;
  }

  private ints(n: number): Int32Array {
    const view = this.take((n + 1) >> 1);
    return new Int32Array(view.buffer, view.byteOffset, n);
  }

  private bytes(n: number): Uint8Array {
    const view = this.take((n + 7) >> 3);
    return new Uint8Array(view.buffer, view.byteOffset, n);
  }

  private copy({ segments, length }: ReplayColumns): void {
    const { codes } = this.rules;
    let start = 0;
    for (const segment of segments) {
      const count = Math.min(segment.op.length, length - start);
      if (count <= 0) break;
      this.a.set(segment.a.subarray(0, count), start);
      this.b.set(segment.b.subarray(0, count), start);
      this.values.set(segment.value.subarray(0, count), start);
      for (let i = 0; i < count; i++) this.codes[start + i] = codes[segment.op[i]];
      start += count;
    }
    if (start < length) refuse("replay", `columns of ${start} nodes for ${length}`);
  }
}
