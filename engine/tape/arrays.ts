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

/** What an array that was dropped has left of its elements. */
const NOTHING = new Float64Array(0);

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

  /** Lets go of the elements of a node and keeps what it is; true if it held some. */
  drop(node: number): boolean {
    const record = this.records.get(node);
    if (record === undefined || record.value === null || record.value.data.length === 0) return false;
    this.bytes -= record.value.data.byteLength;
    this.records.set(node, { ...record, value: { shape: record.value.shape, data: NOTHING } });
    return true;
  }

  /**
   * Lets go of the elements of array constants number `from` to `end - 1`.
   *
   * @param gone forget that they were there, too
   */
  dropConstants(from: number, end: number, gone: boolean): void {
    for (let k = from; k < end; k++) {
      const array = this.constants.get(~k);
      if (array === undefined) continue;
      this.bytes -= array.data.byteLength;
      if (gone) this.constants.delete(~k);
      else this.constants.set(~k, { shape: array.shape, data: NOTHING });
    }
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
