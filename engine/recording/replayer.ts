/**
 * A recording made ready for many evaluations: values and gradient at other inputs without recording, in WebAssembly where
 * there is some. What each node handed on is not kept (`Recording.replay` and `sweep` keep it). Exponentials and their like
 * are calls out of WebAssembly: where every third node is one, `replay` and `gradient` of the recording are faster.
 */
import { Replay, Replayed, replayCodes } from "../kernels/replay.js";
import { contribution, primitives } from "../ops/table.js";
import { OP_CUT, OP_INPUT } from "../tape/tape.js";
import { BacksweepError } from "../trace/failure.js";
import { checkDecisions, type Decisions } from "./decisions.js";

/** What is taken from a recording; copied, so that it may go on. */
export interface ReplaySource {
  readonly length: number;
  readonly op: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly value: Float64Array;
  readonly constants: Float64Array;
  /** operands of primitives of three */
  readonly args: Int32Array;
  /** first node and count of inputs in a row */
  readonly inputs: readonly (readonly [number, number])[];
  readonly decisions: Decisions;
}

const codes = replayCodes(primitives.map(({ name }) => name));
codes[OP_INPUT] = codes[OP_CUT] = Replayed.given;

export class Replayer {
  private readonly replay: Replay;
  private readonly op: Uint8Array;
  private readonly a: Int32Array;
  private readonly b: Int32Array;

  constructor(
    private readonly source: ReplaySource,
    /** node whose value and gradient are asked for */
    private readonly output: number,
  ) {
    const { length } = source;
    this.op = source.op.slice(0, length);
    this.a = source.a.slice(0, length);
    this.b = source.b.slice(0, length);
    const columns = { op: this.op, a: this.a, b: this.b, value: source.value.subarray(0, length) };
    this.replay = new Replay(
      { length, segments: [columns], constants: source.constants },
      {
        codes,
        evaluate: (node, value) => {
          const row = primitives[this.op[node]];
          const [x, y = 0, z = 0] = this.operands(node).map(value);
          return row.value(x, y, z);
        },
        pull: (node, g, value, add) => {
          const row = primitives[this.op[node]];
          const operands = this.operands(node);
          const [x, y = 0, z = 0] = operands.map(value);
          operands.forEach((reference, slot) => {
            if (reference >= 0) add(reference, contribution(row, slot, g, x, y, z, value(node)));
          });
        },
      },
    );
    this.replay.activate(output >= 0 ? [output] : [], (node) => this.operands(node));
  }

  /**
   * Value and gradient at other inputs, in the order they were made.
   *
   * @param gradient where the gradient is written; a new array if not given
   * @throws BacksweepError `definition` if a recorded decision falls otherwise: record anew
   */
  run(
    inputs: ArrayLike<number>,
    gradient?: Float64Array,
  ): { readonly value: number; readonly gradient: Float64Array } {
    const { replay, output, source } = this;
    let count = 0;
    for (const [, length] of source.inputs) count += length;
    if (inputs.length !== count) {
      throw new BacksweepError("definition", `replay: ${count} inputs, ${inputs.length} values given`);
    }
    let at = 0;
    for (const [first, length] of source.inputs)
      for (let i = 0; i < length; i++) replay.values[first + i] = inputs[at++];
    replay.forward();
    const value = (x: number): number => (x >= 0 ? replay.values[x] : source.constants[~x]);
    const otherwise = checkDecisions(source.decisions, value);
    if (otherwise !== null) throw new BacksweepError("definition", otherwise);
    const out = gradient ?? new Float64Array(count);
    if (output < 0) return { value: value(output), gradient: out.fill(0) };
    replay.cotangents.fill(0);
    replay.cotangents[output] = 1;
    replay.reverse(output);
    at = 0;
    for (const [first, length] of source.inputs)
      for (let i = 0; i < length; i++)
        out[at++] = replay.active[first + i] === 1 ? replay.cotangents[first + i] : 0;
    return { value: value(output), gradient: out };
  }

  /** Gives the memory back; it must not be used any more. */
  free(): void {
    this.replay.free();
  }

  private operands(node: number): number[] {
    const { arity } = primitives[this.op[node]];
    if (arity === 3) return [0, 1, 2].map((slot) => this.source.args[this.a[node] + slot]);
    return arity === 2 ? [this.a[node], this.b[node]] : [this.a[node]];
  }
}
