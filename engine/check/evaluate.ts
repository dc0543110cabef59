/**
 * Evaluations of a graph function for difference quotients: in f64 or another format, with the same random draws each
 * time, and with what `stopGradient` cuts off held at its value at the first point, because the derivative holds it there
 * too. Each is compared with the first by its decisions: a quotient over two different branches is no derivative.
 */
import { rounder, type Rounder } from "../ops/dtype.js";
import { foreign, Recorder } from "../ops/recorder.js";
import { sameShape, sizeOf, type NDArray } from "../tape/ndarray.js";
import { NO_OPERAND, OP_CUT, type Segment, type Tape } from "../tape/tape.js";
import { tapeOf, TracedNumber } from "../tape/traced.js";
import type { Dtype } from "../trace/trace.js";
import { record, type Recording, type Subject } from "../graph/record.js";
import { outputArray, type InputLayout } from "./point.js";

/** Where an evaluation took another way than the first. */
export interface Crossing {
  /** site of the decision, -1 unknown */
  readonly site: number;
  /** `x > 0`, as far as it can be told */
  readonly decision: string;
}

export interface Evaluation {
  /** sum of output times cotangent, plain outputs included: one may be plain because it was cut off */
  readonly value: number;
  /** sum of the terms' magnitudes: what rounding errors are relative to */
  readonly size: number;
  readonly crossing: Crossing | null;
}

/** A weight for every element of the outputs, in output order. */
export type Weights = Float64Array;

/** Holds cuts at given values, in the order of recording. */
class HeldCuts extends Recorder {
  private next = 0;

  constructor(
    tape: Tape,
    round: Rounder | null,
    private readonly held: readonly (number | NDArray)[],
  ) {
    super(tape, round);
  }

  override cut(x: TracedNumber, site: number, scope: number): TracedNumber {
    const value = this.held[this.next++];
    if (typeof value !== "number") return super.cut(x, site, scope);
    if (tapeOf(x) !== this.tape) throw foreign(site);
    const id = this.tape.push(OP_CUT, NO_OPERAND, NO_OPERAND, value, site, scope);
    return new TracedNumber(id, value, this.tape);
  }

  override cutElements(value: NDArray): NDArray {
    const held = this.held[this.next++];
    return typeof held === "object" && sameShape(held.shape, value.shape) ? held : value;
  }
}

/** Another branch, of which nobody was told. */
const NOWHERE: Crossing = { site: -1, decision: "" };

/** Operations on numbers in the time that it takes to record one on arrays, beside its elements. */
const ARRAY = 200;

export class Evaluator {
  /** number of calls of the graph function */
  count = 0;
  readonly first: Recording;
  /** where the graph function threw, if that was beside the point it was asked about */
  thrownAt: Float64Array | null = null;
  private readonly held: readonly (number | NDArray)[];
  private readonly spare: Segment[] = [];
  private readonly outcomes: Uint8Array;

  constructor(
    private readonly subject: Subject,
    private readonly layout: InputLayout,
    private readonly start: Float64Array,
    /** the format every operation is rounded to */
    private readonly dtype: Dtype = "f64",
  ) {
    this.first = this.recordAt(start, (tape, round) => new Recorder(tape, round));
    this.held = cutValues(this.first.recorder.tape);
    this.outcomes = this.first.recorder.decisions.outcome.flat();
  }

  /** About how many operations on numbers one evaluation takes: an array costs its elements, and what it takes to record it. */
  get work(): number {
    const { tape } = this.first.recorder;
    let work = tape.length;
    for (const [, { shape }] of tape.arrays.entries()) work += ARRAY + sizeOf(shape);
    return Math.max(1, work);
  }

  /** The cotangents the outputs are seeded with. */
  get weights(): Weights {
    const parts: number[] = [];
    for (const { cotangent, seed } of this.first.outputs) parts.push(...(seed?.data ?? [cotangent]));
    return Float64Array.from(parts);
  }

  /** True when a second evaluation at the same point gives the same bits. */
  repeats(start: Float64Array): boolean {
    const recording = this.recordAt(start);
    const again = outputsOf(recording);
    this.release(recording);
    const before = outputsOf(this.first);
    return again.length === before.length && again.every((x, i) => Object.is(x, before[i]));
  }

  at(x: Float64Array, weights: Weights): Evaluation {
    const recording = this.recordBeside(x);
    const outputs = outputsOf(recording);
    const round = rounder(this.dtype);
    let value = 0;
    let size = 0;
    for (let i = 0; i < weights.length; i++) {
      const term = weights[i] === 0 ? 0 : round(weights[i] * outputs[i]);
      value = round(value + term);
      size += Math.abs(term);
    }
    const crossing = this.crossing(recording);
    this.release(recording);
    return { value, size, crossing };
  }

  /** The same function at a point that the user did not ask about. */
  private recordBeside(x: Float64Array): Recording {
    try {
      return this.recordAt(x);
    } catch (error) {
      if (!x.every((value, i) => Object.is(value, this.start[i]))) this.thrownAt = Float64Array.from(x);
      throw error;
    }
  }

  private recordAt(
    x: Float64Array,
    make: (tape: Tape, round: Rounder | null) => Recorder = (tape, round) =>
      new HeldCuts(tape, round, this.held),
  ): Recording {
    this.count++;
    return record(this.subject, { dtype: this.dtype, set: this.settable(x) }, make, this.spare);
  }

  /** Nothing of the recording is read any more. */
  private release({ recorder }: Recording): void {
    this.spare.push(...recorder.tape.segments.splice(0));
  }

  private settable(x: Float64Array): ReturnType<InputLayout["named"]> {
    // the inputs of a given tape cannot be set, not even to what they are
    return this.subject.definition.given === true ? {} : this.layout.named(x);
  }

  /** The first decision that went the other way. */
  private crossing({ recorder, outputs }: Recording): Crossing | null {
    const base = this.first.recorder.decisions;
    const now = recorder.decisions;
    const both = Math.min(this.outcomes.length, now.outcome.length);
    for (let i = 0; i < both; i++) {
      // every case of a switch is a decision that came out true: they differ in their places
      if (this.outcomes[i] === now.outcome.at(i) && base.site.at(i) === now.site.at(i)) continue;
      return { site: base.site.at(i), decision: `${base.op[i]}` };
    }
    if (this.outcomes.length !== now.outcome.length) {
      const longer = now.outcome.length > both ? now : base;
      return { site: longer.site.at(both), decision: longer.op[both] };
    }
    return this.otherOperations(recorder) ?? (outputs.length === this.first.outputs.length ? null : NOWHERE);
  }

  /**
   * Where other operations were recorded though every decision came out alike: a `switch` on a traced number keeps what it
   * asks, not which of its cases answers, so it is the last one before that.
   */
  private otherOperations({ tape, decisions }: Recorder): Crossing | null {
    const base = this.first.recorder.tape;
    const both = Math.min(base.length, tape.length);
    let at = 0;
    while (at < both && base.opAt(at) === tape.opAt(at) && base.siteAt(at) === tape.siteAt(at)) at++;
    if (at === both && base.length === tape.length) return null;
    let last = -1;
    for (let i = 0; i < decisions.op.length && decisions.at.at(i) <= at; i++)
      if (decisions.op[i] === "switch") last = i;
    return last < 0 ? NOWHERE : { site: decisions.site.at(last), decision: "switch" };
  }
}

/** Elements of the outputs. */
function outputsOf({ outputs }: Recording): number[] {
  return outputs.flatMap((output) => Array.from(outputArray(output).data));
}

function cutValues(tape: Tape): (number | NDArray)[] {
  const values: (number | NDArray)[] = [];
  for (let v = 0; v < tape.length; v++)
    if (tape.opAt(v) === OP_CUT) values.push(tape.arrays.valueOf(v) ?? tape.valueAt(v));
  return values;
}
