/**
 * The least of a sequence from a place on, while the sequence grows: entries that a later one undercuts are forgotten, so
 * that what is left rises, and the first of it at or behind the place is the answer.
 */
export class LeastSlopes {
  private readonly index: Int32Array;
  private readonly value: Float64Array;
  private kept = 0;
  private next: number;

  /**
   * @param most numbers that will be pushed at most
   * @param first index of the first one
   */
  constructor(most: number, first: number) {
    this.index = new Int32Array(most);
    this.value = new Float64Array(most);
    this.next = first;
  }

  /** The next number of the sequence; NaN, infinity less infinity, stands for no limit. */
  push(value: number): void {
    const slope = value !== value ? Infinity : value;
    while (this.kept > 0 && this.value[this.kept - 1] >= slope) this.kept--;
    this.index[this.kept] = this.next++;
    this.value[this.kept++] = slope;
  }

  /** The least of those from an index on; there must be one. */
  from(index: number): number {
    let low = 0;
    let high = this.kept - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.index[middle] < index) low = middle + 1;
      else high = middle;
    }
    return this.value[low];
  }
}
