/**
 * The tape: what the forward pass recorded, as columns in fixed-capacity typed-array segments. 33 bytes a node with its
 * site and scope (the adjoint belongs to the sweep): opcode 1, operands 8, value 8, site 4, scope 4; the sweep adds 8
 * for the cotangent and 8 an operand slot for the contribution.
 *
 * An operand is a node id (>= 0) or `~k`, the k-th constant. A primitive of more than two operands, and a node given
 * with its local derivatives, keeps its operands in the side table `args`: then `a` is the first index and `b` the count.
 */
export const SEGMENT_BITS = 16;
export const SEGMENT = 1 << SEGMENT_BITS;
export const SEGMENT_MASK = SEGMENT - 1;

export interface Segment {
  readonly op: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly value: Float64Array;
  readonly site: Int32Array;
  readonly scope: Int32Array;
}
