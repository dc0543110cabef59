/** Nodes of a tape that is still being recorded, read in place: a sweep inside a graph function goes over these. */
import { primitives } from "../ops/table.js";
import type { ArrayOperand } from "../ops/array/recorder.js";
import { OP_ARRAY, OP_CUSTOM, OP_GIVEN, SEGMENT_BITS, SEGMENT_MASK, type Tape } from "../tape/tape.js";
import { Tensor } from "../tape/tensor.js";
import { TracedNumber } from "../tape/traced.js";

/** Opcodes beside the table whose operands stand in the side table. */
const beside: ReadonlySet<number> = new Set([OP_ARRAY, OP_CUSTOM, OP_GIVEN]);

/** One node at a time; the fields hold the node that was read last. */
export class NodeReader {
  op = 0;
  site = -1;
  /** operand slots; none for inputs and cuts */
  slots = 0;
  /** by slot: a node id, or `~k` for the k-th constant */
  readonly references: number[] = [];
  /** by slot, of a node given with its local derivatives */
  readonly locals: number[] = [];

  constructor(private readonly tape: Tape) {}

  read(id: number): void {
    const { tape, references, locals } = this;
    const segment = tape.segments[id >>> SEGMENT_BITS];
    const at = id & SEGMENT_MASK;
    const op = segment.op[at];
    const a = segment.a[at];
    const b = segment.b[at];
    this.op = op;
    this.site = segment.site[at];
    const arity = op < primitives.length ? primitives[op].arity : beside.has(op) ? 3 : 0;
    this.slots = arity < 3 ? arity : b;
    references[0] = a;
    references[1] = b;
    if (arity < 3) return;
    for (let slot = 0; slot < b; slot++) {
      references[slot] = tape.args.at(a + slot);
      locals[slot] = tape.argLocals.at(a + slot);
    }
  }

  /** Operands as further operations take them. */
  operands(): ArrayOperand[] {
    const { tape } = this;
    return Array.from({ length: this.slots }, (_, slot) => {
      const reference = this.references[slot];
      if (reference >= 0) return handleOf(tape, reference);
      const array = tape.arrays.constant(reference);
      return array === null ? tape.constants.at(~reference) : new Tensor(array);
    });
  }
}

/** A new handle of a node: what is done with it names the node anew. */
export function handleOf(tape: Tape, id: number): TracedNumber | Tensor {
  const array = tape.arrays.valueOf(id);
  return array === null ? new TracedNumber(id, tape.valueAt(id), tape) : new Tensor(array, id, tape);
}
