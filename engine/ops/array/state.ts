/** What the operations on arrays keep with a recording. */
import type { NumericAlgebra } from "./numeric.js";

export interface ArrayState {
  /** arrays go into the kernels' memory, from the first one on */
  readonly inKernels: boolean;
  /** the mark to give that memory back by; -1: none was taken yet */
  mark: number;
  /** rounds as the recording does, and puts arrays where it has them; null until it is asked for */
  algebra: NumericAlgebra | null;
}
