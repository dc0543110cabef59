/**
 * Runs a step of a region again: the user's own code, on the rows of the tape that its first run wrote, so that its nodes
 * are the nodes they were. A recorder of its own takes the names, decisions and draws, which are the first run's already.
 * When it has run, the rows it wrote are compared with those of the first run, and the first that differs is an error.
 */
import { Recorder, withRecorder } from "../ops/recorder.js";
import { primitives } from "../ops/table.js";
import type { ArrayRecord } from "../tape/arrays.js";
import { call } from "../tape/callsite.js";
import { sameShape } from "../tape/ndarray.js";
import { OP_ARRAY, OP_CUSTOM, OP_GIVEN, SEGMENT_BITS, SEGMENT_MASK, type Tape } from "../tape/tape.js";
import { BacksweepError } from "../trace/failure.js";
import { codeText } from "./code-name.js";
import type { PartRows } from "./layer-rows.js";
import type { Region, Regions } from "./regions.js";
import { replayStates } from "./running-state.js";
import { sameElements } from "./state.js";
import { instanceKey, seedStream } from "./stream.js";

/** The rows of a step as its first run wrote them, without the primals. */
class Rows {
  readonly op: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly site: Int32Array;
  readonly scope: Int32Array;
  /** what its array nodes are */
  readonly records = new Map<number, ArrayRecord>();

  constructor(
    private readonly tape: Tape,
    readonly first: number,
    readonly end: number,
  ) {
    const n = end - first;
    this.op = new Uint8Array(n);
    this.a = new Int32Array(n);
    this.b = new Int32Array(n);
    this.site = new Int32Array(n);
    this.scope = new Int32Array(n);
    for (let i = 0; i < n; i++) {
      const segment = tape.segments[(first + i) >>> SEGMENT_BITS];
      const at = (first + i) & SEGMENT_MASK;
      this.op[i] = segment.op[at];
      this.a[i] = segment.a[at];
      this.b[i] = segment.b[at];
      this.site[i] = segment.site[at];
      this.scope[i] = segment.scope[at];
      const record = tape.arrays.get(first + i);
      if (record !== undefined) this.records.set(first + i, record);
    }
  }

  /** Whether the array node that stands at `node` now is the operation of the shape that stood there. */
  sameArray(node: number): boolean {
    const before = this.records.get(node);
    const now = this.tape.arrays.get(node);
    if (before === undefined || now === undefined) return before === now;
    return before.op === now.op && sameShape(before.shape, now.shape);
  }

  /** Puts operands, sites and scopes back: the replay's constants have other numbers. */
  restore(): void {
    for (let i = 0; i < this.op.length; i++) {
      const segment = this.tape.segments[(this.first + i) >>> SEGMENT_BITS];
      const at = (this.first + i) & SEGMENT_MASK;
      segment.op[at] = this.op[i];
      segment.a[at] = this.a[i];
      segment.b[at] = this.b[i];
      segment.site[at] = this.site[i];
      segment.scope[at] = this.scope[i];
    }
  }
}

/**
 * Runs step `step` of a region from the value of the state before it; returns the state behind it. Afterwards the tape has
 * the primals of the step's nodes.
 *
 * @throws BacksweepError `replay` where the replay records another program than the first run, at the first node
 */
export function replayStep(region: Region, step: number, value: unknown): unknown {
  const { body, recorder, regions } = region;
  const { tape } = recorder;
  const rows = new Rows(tape, region.first(step), region.end(step));
  const { mode, observers } = regions;
  const replay = new Recorder(tape, mode.round === undefined ? recorder.round : mode.round);
  const key = body.streamKey(step);
  seedStream(replay, mode.unmatched === true ? instanceKey(key, "unmatched", regions.replays++) : key);
  return onRows(region, rows, () => {
    for (const observer of observers) observer.replayBegins?.(region, step, replay);
    let next: unknown;
    try {
      next = withRecorder(replay, () => body.again(value, step));
    } catch (error) {
      for (const observer of observers) observer.replayFailed?.(region, step, replay);
      throw error;
    }
    const difference = compare(tape, rows, mode.goOn === true ? regions : null);
    for (const observer of observers)
      observer.replayed?.(region, step, rows.first, rows.end, replay, difference);
    settled(region, step, difference);
    for (const [node, rule] of replay.customRules) recorder.customRules.set(node, rule);
    return next;
  });
}

/**
 * Runs f or g of a layer again, on other values than in the first run: the nodes of the part, which `run` records once
 * more. It must be the same program all the same.
 *
 * @param time the running states are seen as they were then
 * @throws BacksweepError `replay` as `replayStep` does
 */
export function replayPart<T>(region: Region, step: number, part: PartRows, time: number, run: () => T): T {
  const { body, recorder, regions } = region;
  const { mode, observers } = regions;
  const rows = new Rows(recorder.tape, part.first, part.end);
  const replay = new Recorder(recorder.tape, mode.round === undefined ? recorder.round : mode.round);
  seedStream(replay, body.streamKey(step));
  replayStates(replay, recorder, time);
  return onRows(region, rows, () => {
    let made: T;
    try {
      made = withRecorder(replay, run);
    } catch (error) {
      for (const observer of observers) observer.partFailed?.(region, step, part, replay);
      throw error;
    }
    const difference = compare(recorder.tape, rows, mode.goOn === true ? regions : null);
    for (const observer of observers) observer.partReplayed?.(region, step, part, replay, difference);
    settled(region, step, difference);
    for (const [node, rule] of replay.customRules) recorder.customRules.set(node, rule);
    return made;
  });
}

/** Ends the run where a replay that differs cannot go on. */
function settled(region: Region, step: number, difference: RowDifference | null): void {
  if (difference !== null && (region.regions.mode.goOn !== true || difference.kind !== "constant"))
    throw mismatch(region, step, difference);
}

/** Writes over rows that were recorded, and leaves the tape as it was but for their primals. */
function onRows<T>({ body, recorder: { tape } }: Region, rows: Rows, run: () => T): T {
  const length = tape.length;
  const constants = tape.constants.length;
  const args = tape.args.length;
  const { site, scope } = call;
  try {
    tape.seek(rows.first);
    call.site = body.site;
    call.scope = null;
    return run();
  } finally {
    call.site = site;
    call.scope = scope;
    tape.arrays.dropConstants(constants, tape.constants.length, true);
    tape.constants.truncate(constants);
    tape.args.truncate(args);
    tape.argLocals.truncate(args);
    rows.restore();
    tape.seek(length);
  }
}

/** The first row of a replay that is another than the first run's. */
export interface RowDifference {
  /** a constant operand has another value; another operation or operand; fewer or more operations */
  readonly kind: "constant" | "operation" | "count";
  readonly node: number;
  readonly site: number;
  /** what stands there, or what is wrong */
  readonly text: string;
  /** a constant's value, an array's mean, in the first run and now; 0 where it is about none */
  readonly first: number;
  readonly now: number;
  readonly array: boolean;
}

/**
 * Compares the rows with those of the first run.
 *
 * @param taking where the replay's constants are to be taken for those of the first run, so that the sweep reads them
 */
function compare(tape: Tape, rows: Rows, taking: Regions | null): RowDifference | null {
  const stop = Math.min(tape.length, rows.end);
  let found: RowDifference | null = null;
  for (let node = rows.first; node < stop; node++) {
    const segment = tape.segments[node >>> SEGMENT_BITS];
    const at = node & SEGMENT_MASK;
    const i = node - rows.first;
    const operands =
      segment.op[at] === rows.op[i] && rows.sameArray(node)
        ? otherOperand(tape, rows.op[i], segment.a[at], segment.b[at], rows.a[i], rows.b[i], taking)
        : OTHER;
    if (operands === null) continue;
    const place = { node, site: segment.site[at] };
    const now = codeText(tape, node);
    if (operands === OTHER) {
      const text = `${now} stands where the first run had another operation or other operands`;
      return { ...operands, ...place, text };
    }
    found ??= { ...operands, ...place, text: now };
    if (taking === null) return found;
  }
  if (tape.length === rows.end) return found;
  const site = tape.length > rows.end ? tape.siteAt(rows.end) : rows.site[stop - rows.first];
  const counted = (n: number): string => `${n} operation${n === 1 ? "" : "s"}`;
  const text = `it records ${counted(tape.length - rows.first)}, the first run recorded ${counted(rows.end - rows.first)}`;
  return { kind: "count", node: stop, site, text, first: 0, now: 0, array: false };
}

function mismatch(region: Region, step: number, { text, site }: RowDifference): BacksweepError {
  return new BacksweepError(
    "replay",
    `${region.body.describe(step)} is replayed as another program: ${text}; a step must do the same whenever it runs`,
    site,
  );
}

type OperandDifference = Pick<RowDifference, "kind" | "first" | "now" | "array">;
const OTHER: OperandDifference = { kind: "operation", first: 0, now: 0, array: false };

/** Whether two rows of one opcode have the same operands: the same nodes, and constants of the same value. */
function otherOperand(
  tape: Tape,
  op: number,
  a: number,
  b: number,
  a0: number,
  b0: number,
  taking: Regions | null,
): OperandDifference | null {
  const listed =
    op === OP_ARRAY ||
    op === OP_CUSTOM ||
    op === OP_GIVEN ||
    (op < primitives.length && primitives[op].arity === 3);
  if (!listed) {
    const left = otherReference(tape, a, a0, taking);
    if (left === OTHER) return OTHER;
    const right = otherReference(tape, b, b0, taking);
    return right === OTHER ? OTHER : (left ?? right);
  }
  if (b !== b0) return OTHER;
  let found: OperandDifference | null = null;
  for (let k = 0; k < b; k++) {
    const one = otherReference(tape, tape.args.at(a + k), tape.args.at(a0 + k), taking);
    if (one === OTHER) return OTHER;
    found ??= one;
  }
  return found;
}

function otherReference(
  tape: Tape,
  now: number,
  before: number,
  taking: Regions | null,
): OperandDifference | null {
  if (now >= 0 || before >= 0) return now === before ? null : OTHER;
  // an absent operand
  if (now < -0x7fffffff || before < -0x7fffffff) return now === before ? null : OTHER;
  const array = tape.arrays.constant(now);
  const other = tape.arrays.constant(before);
  if (array !== null || other !== null) {
    if (array === null || other === null || !sameShape(array.shape, other.shape)) return OTHER;
    // elements that were dropped are given back to the first run's number
    if (other.data.length < array.data.length) tape.arrays.setConstant(before, array);
    else if (!sameElements(array, other)) {
      if (taking !== null) tape.arrays.setConstant(before, array);
      const at = array.data.findIndex((x, i) => !Object.is(x, other.data[i]));
      return { kind: "constant", first: other.data[at], now: array.data[at], array: true };
    }
    return null;
  }
  const value = tape.constants.at(~now);
  const first = tape.constants.at(~before);
  if (Object.is(value, first)) return null;
  if (taking !== null) {
    tape.constants.set(~before, value);
    if (taking.constants !== null) taking.constants[~before] = value;
  }
  return { kind: "constant", first, now: value, array: false };
}
