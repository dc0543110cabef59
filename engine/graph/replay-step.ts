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
import type { Region } from "./regions.js";
import { sameElements } from "./state.js";
import { seedStream } from "./stream.js";

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
 * @throws BacksweepError `definition` where the replay records another program than the first run, at the first node
 */
export function replayStep(region: Region, step: number, value: unknown): unknown {
  const { body, recorder, regions } = region;
  const { tape } = recorder;
  const length = tape.length;
  const constants = tape.constants.length;
  const args = tape.args.length;
  const rows = new Rows(tape, region.first(step), region.end(step));
  const replay = new Recorder(tape, recorder.round);
  seedStream(replay, body.streamKey(step));
  const { site, scope } = call;
  let next: unknown;
  try {
    tape.seek(rows.first);
    call.site = body.site;
    call.scope = null;
    next = withRecorder(replay, () => body.again(value, step));
    compare(tape, rows, step, region);
    for (const [node, rule] of replay.customRules) recorder.customRules.set(node, rule);
    for (const observer of regions.observers) observer.replayed?.(region, step, rows.first, rows.end, replay);
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
  return next;
}

function compare(tape: Tape, rows: Rows, step: number, region: Region): void {
  const stop = Math.min(tape.length, rows.end);
  for (let node = rows.first; node < stop; node++) {
    const segment = tape.segments[node >>> SEGMENT_BITS];
    const at = node & SEGMENT_MASK;
    const i = node - rows.first;
    const differs =
      segment.op[at] !== rows.op[i] ||
      !rows.sameArray(node) ||
      !sameOperands(tape, rows.op[i], segment.a[at], segment.b[at], rows.a[i], rows.b[i]);
    if (differs) {
      const now = codeText(tape, node);
      throw mismatch(
        region,
        step,
        `${now} stands where the first run had another operation or other operands`,
        segment.site[at],
      );
    }
  }
  if (tape.length === rows.end) return;
  const site = tape.length > rows.end ? tape.siteAt(rows.end) : rows.site[stop - rows.first];
  const counted = (n: number): string => `${n} operation${n === 1 ? "" : "s"}`;
  throw mismatch(
    region,
    step,
    `it records ${counted(tape.length - rows.first)}, the first run recorded ${counted(rows.end - rows.first)}`,
    site,
  );
}

function mismatch(region: Region, step: number, text: string, site: number): BacksweepError {
  return new BacksweepError(
    "definition",
    `${region.body.describe(step)} is replayed as another program: ${text}; a step must do the same whenever it runs`,
    site,
  );
}

/** Whether two rows of one opcode have the same operands: the same nodes, and constants of the same value. */
function sameOperands(tape: Tape, op: number, a: number, b: number, a0: number, b0: number): boolean {
  const listed =
    op === OP_ARRAY ||
    op === OP_CUSTOM ||
    op === OP_GIVEN ||
    (op < primitives.length && primitives[op].arity === 3);
  if (!listed) return sameReference(tape, a, a0) && sameReference(tape, b, b0);
  if (b !== b0) return false;
  for (let k = 0; k < b; k++)
    if (!sameReference(tape, tape.args.at(a + k), tape.args.at(a0 + k))) return false;
  return true;
}

function sameReference(tape: Tape, now: number, before: number): boolean {
  if (now >= 0 || before >= 0) return now === before;
  // an absent operand
  if (now < -0x7fffffff || before < -0x7fffffff) return now === before;
  const array = tape.arrays.constant(now);
  const other = tape.arrays.constant(before);
  if (array !== null || other !== null) {
    if (array === null || other === null || !sameShape(array.shape, other.shape)) return false;
    // elements that were dropped are given back to the first run's number
    if (other.data.length < array.data.length) tape.arrays.setConstant(before, array);
    else return sameElements(array, other);
    return true;
  }
  return Object.is(tape.constants.at(~now), tape.constants.at(~before));
}
