/**
 * The tape as flat arrays for the sweep: node columns of exact length and one row an operand slot that is a node (an
 * edge). Edges of one consumer lie together in slot order, consumers ascending, as in the trace's table.
 */
import { primitives } from "../ops/table.js";
import type { ArrayStore } from "../tape/arrays.js";
import { scalar, type NDArray } from "../tape/ndarray.js";
import { OP_ARRAY, OP_CUSTOM, OP_GIVEN, SEGMENT, type Tape } from "../tape/tape.js";

export interface FlatTape {
  readonly n: number;
  readonly op: Uint8Array;
  readonly value: Float64Array;
  readonly site: Int32Array;
  readonly scope: Int32Array;
  /** operand references per node: entries operandStart[v] .. operandStart[v + 1) of `operand` (node id or ~constant) */
  readonly operandStart: Int32Array;
  readonly operand: Int32Array;
  /** edges of node v: edgeStart[v] .. edgeStart[v + 1) */
  readonly edgeStart: Int32Array;
  readonly edgeFrom: Int32Array;
  readonly edgeTo: Int32Array;
  readonly edgeSlot: Int32Array;
  readonly constants: Float64Array;
  /** local derivatives by operand entry, for nodes given with them */
  readonly givenLocal: Float64Array | null;
  /** what array nodes are; null for a tape of scalars */
  readonly arrays: ArrayStore | null;
}

/** Number of operand slots of an opcode, -1 when the side table tells. */
const arity = new Int8Array(256);
primitives.forEach((row, code) => (arity[code] = row.arity === 3 ? -1 : row.arity));
arity[OP_CUSTOM] = -1;
arity[OP_GIVEN] = -1;
arity[OP_ARRAY] = -1;

/** Flattens a tape, or its first `limit` nodes; linear in their number. */
export function flatten(tape: Tape, limit = Infinity): FlatTape {
  const n = Math.min(tape.length, limit);
  const op = new Uint8Array(n);
  const value = new Float64Array(n);
  const site = new Int32Array(n);
  const scope = new Int32Array(n);
  const operandStart = new Int32Array(n + 1);
  let operands = 0;
  tape.segments.forEach((segment, s) => {
    const start = s * SEGMENT;
    if (start >= n) return;
    const length = Math.min(SEGMENT, n - start);
    op.set(segment.op.subarray(0, length), start);
    value.set(segment.value.subarray(0, length), start);
    site.set(segment.site.subarray(0, length), start);
    scope.set(segment.scope.subarray(0, length), start);
    for (let i = 0; i < length; i++) {
      const slots = arity[segment.op[i]];
      operandStart[start + i] = operands;
      operands += slots >= 0 ? slots : segment.b[i];
    }
  });
  operandStart[n] = operands;

  const operand = new Int32Array(operands);
  let given = false;
  let edges = 0;
  for (let v = 0; v < n; v++) {
    const segment = tape.segments[v >>> 16];
    const i = v & (SEGMENT - 1);
    const at = operandStart[v];
    const slots = arity[op[v]];
    if (slots === 1) {
      operand[at] = segment.a[i];
    } else if (slots === 2) {
      operand[at] = segment.a[i];
      operand[at + 1] = segment.b[i];
    } else if (slots < 0) {
      for (let k = 0; k < segment.b[i]; k++) operand[at + k] = tape.args.at(segment.a[i] + k);
      given ||= op[v] === OP_GIVEN;
    }
    for (let k = at; k < operandStart[v + 1]; k++) if (operand[k] >= 0) edges++;
  }

  const edgeStart = new Int32Array(n + 1);
  const edgeFrom = new Int32Array(edges);
  const edgeTo = new Int32Array(edges);
  const edgeSlot = new Int32Array(edges);
  const givenLocal = given ? new Float64Array(operands) : null;
  let e = 0;
  for (let v = 0; v < n; v++) {
    edgeStart[v] = e;
    const at = operandStart[v];
    for (let k = at; k < operandStart[v + 1]; k++) {
      if (operand[k] < 0) continue;
      edgeFrom[e] = operand[k];
      edgeTo[e] = v;
      edgeSlot[e] = k - at;
      e++;
    }
    if (givenLocal !== null && op[v] === OP_GIVEN) {
      const first = tape.segments[v >>> 16].a[v & (SEGMENT - 1)];
      for (let k = at; k < operandStart[v + 1]; k++) givenLocal[k] = tape.argLocals.at(first + k - at);
    }
  }
  edgeStart[n] = e;
  return {
    n,
    op,
    value,
    site,
    scope,
    operandStart,
    operand,
    edgeStart,
    edgeFrom,
    edgeTo,
    edgeSlot,
    constants: tape.constants.flat(),
    givenLocal,
    arrays: tape.arrays.size > 0 ? tape.arrays : null,
  };
}

/** The primal of an operand reference. */
export function operandValue(flat: FlatTape, reference: number): number {
  return reference >= 0 ? flat.value[reference] : flat.constants[~reference];
}

/** Primals of a node's operands in slot order. */
export function operandsOf(flat: FlatTape, v: number): number[] {
  const out: number[] = [];
  for (let k = flat.operandStart[v]; k < flat.operandStart[v + 1]; k++)
    out.push(operandValue(flat, flat.operand[k]));
  return out;
}

/** The elements of an operand reference; a scalar has the shape []. */
export function operandArray(flat: FlatTape, reference: number): NDArray {
  if (reference >= 0) return nodeArray(flat, reference);
  return flat.arrays?.constant(reference) ?? scalar(flat.constants[~reference]);
}

/** The elements of a node; a scalar has the shape []. */
export function nodeArray(flat: FlatTape, v: number): NDArray {
  return flat.arrays?.valueOf(v) ?? scalar(flat.value[v]);
}

/** Elements of a node's operands in slot order. */
export function operandArrays(flat: FlatTape, v: number): NDArray[] {
  const out: NDArray[] = [];
  for (let k = flat.operandStart[v]; k < flat.operandStart[v + 1]; k++)
    out.push(operandArray(flat, flat.operand[k]));
  return out;
}

/** True where the node is an array of rank 1 or more. */
export function isArrayNode(flat: FlatTape, v: number): boolean {
  return flat.arrays !== null && flat.arrays.valueOf(v) !== null;
}
