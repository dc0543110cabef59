/**
 * An array that is 0 but for one run of elements: the cotangent that a slice hands to its operand. The zeros are written out
 * when somebody reads them; a sum only adds the run.
 */
import type { NDArray, Shape } from "../../tape/ndarray.js";

export class Embedded implements NDArray {
  private elements: Float64Array | null = null;

  /**
   * @param shape what it stands for, of `size` elements
   * @param run the elements that are there, from element `from` on
   */
  constructor(
    readonly shape: Shape,
    readonly size: number,
    readonly run: Float64Array,
    readonly from: number,
    private readonly alloc: (n: number) => Float64Array,
  ) {}

  get data(): Float64Array {
    return (this.elements ??= this.written());
  }

  /** All elements, in an array of their own. */
  written(): Float64Array {
    const { run, from } = this;
    const out = this.alloc(this.size);
    out.fill(0, 0, from);
    out.set(run, from);
    out.fill(0, from + run.length);
    return out;
  }
}
