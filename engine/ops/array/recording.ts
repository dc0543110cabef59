/**
 * The algebra of traced arrays: rows record themselves. A rule run over it is differentiation inside a graph, because what
 * it records can be swept again.
 */
import { scalar, type NDArray, type Shape } from "../../tape/ndarray.js";
import { isTensor, Tensor } from "../../tape/tensor.js";
import { isTraced } from "../../tape/traced.js";
import type { Recorder } from "../recorder.js";
import { Algebra } from "./algebra.js";
import { rowOf } from "./lookup.js";
import { algebraOf, applyArray, elementsOf, type ArrayOperand } from "./recorder.js";
import type { ArrayPrimitive, Params } from "./row.js";

const none: Params = Object.freeze({});

export class RecordingAlgebra extends Algebra<ArrayOperand> {
  /** place and scope that operations get from now on */
  site = -1;
  scope = 0;
  /** called with every operation recorded */
  onRecorded: ((made: ArrayOperand) => void) | null = null;

  constructor(private readonly recorder: Recorder) {
    super();
  }

  row(name: string): ArrayPrimitive {
    return rowOf(name);
  }

  shape(x: ArrayOperand): Shape {
    return isTensor(x) ? x.shape : [];
  }

  constant(value: NDArray): ArrayOperand {
    return value.shape.length === 0 ? value.data[0] : new Tensor(value);
  }

  /** Operations on plain arrays alone are computed, in the recording's number format. */
  apply(name: string, operands: readonly ArrayOperand[], params: Params = none): ArrayOperand {
    const { recorder, scope } = this;
    if (!operands.some(isRecorded)) {
      const { round } = recorder;
      const plain = operands.map((x) =>
        typeof x === "number" && round !== null ? scalar(round(x)) : elementsOf(x),
      );
      return this.constant(algebraOf(recorder).evaluate(rowOf(name), plain, params));
    }
    const made = applyArray(recorder, rowOf(name), operands, params, this.site, () => scope);
    this.onRecorded?.(made);
    return made;
  }
}

function isRecorded(x: ArrayOperand): boolean {
  return isTraced(x) || (isTensor(x) && Tensor.tape(x) !== null);
}
