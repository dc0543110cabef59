/**
 * An array whose elements are those of a smaller one, repeated: the cotangent that a sum hands to its operand, most of all. The
 * elements are written out when somebody reads them; operations that broadcast anyway read the smaller one.
 */
import type { NDArray, Shape } from "../../tape/ndarray.js";
import { broadcastData } from "./broadcast.js";

export class Repeated implements NDArray {
  private elements: Float64Array | null = null;

  /**
   * @param shape what it stands for
   * @param small the elements, of a shape that broadcasts to `shape` and has fewer elements
   */
  constructor(
    readonly shape: Shape,
    readonly small: NDArray,
    private readonly alloc: (n: number) => Float64Array,
  ) {}

  get data(): Float64Array {
    return (this.elements ??= broadcastData(this.small, this.shape, this.alloc));
  }
}

/** The array that broadcasts to the same elements and takes the least reading. */
export function compact(x: NDArray): NDArray {
  return x instanceof Repeated ? x.small : x;
}
