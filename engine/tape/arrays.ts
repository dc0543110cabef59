/**
 * What the tape's columns have no room for when a node is an n-d array: its row of the array table, parameters, shape and
 * elements. A node whose result has rank 0 keeps its primal in the `value` column like any scalar, and here only how it
 * was made.
 */
import type { NDArray, Shape } from "./ndarray.js";

export interface ArrayRecord {
  /** name of the row in the array table; null: an input */
  readonly op: string | null;
  readonly params: Readonly<Record<string, unknown>>;
  readonly shape: Shape;
  /** the elements; null where the shape is [] (the `value` column has it) */
  readonly value: NDArray | null;
}

/** Side store of array nodes, by node id. */
export class ArrayStore {
  private readonly records = new Map<number, ArrayRecord>();
  private readonly constants = new Map<number, NDArray>();
  /** bytes of the elements held */
  bytes = 0;

  get size(): number {
    return this.records.size;
  }

  set(node: number, record: ArrayRecord): void {
    this.records.set(node, record);
    if (record.value !== null) this.bytes += record.value.data.byteLength;
  }

  get(node: number): ArrayRecord | undefined {
    return this.records.get(node);
  }

  /** Enters a constant operand, by its reference (`~k`). */
  setConstant(reference: number, value: NDArray): void {
    this.constants.set(reference, value);
    this.bytes += value.data.byteLength;
  }

  /** The elements of a constant operand, null for plain numbers. */
  constant(reference: number): NDArray | null {
    return this.constants.get(reference) ?? null;
  }

  /** The elements of a node that is an array of rank 1 or more, null for scalars. */
  valueOf(node: number): NDArray | null {
    return this.records.get(node)?.value ?? null;
  }

  entries(): IterableIterator<[number, ArrayRecord]> {
    return this.records.entries();
  }
}
