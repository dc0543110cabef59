/** Value and gradient of an input as one quantity, whether it is a number, an array node or an array of numbers. */
import type { Timeline } from "../timeline/timeline.js";
import type { InputInfo } from "../trace/trace.js";
import { arrayOf, cotangent, primal, type Quantity } from "./quantity.js";

export interface InputQuantities {
  readonly value: Quantity;
  /** undefined: the output does not depend on it; "unswept": the run stopped before its sweep */
  readonly bar: Quantity | undefined | "unswept";
}

export function inputQuantities(timeline: Timeline, { first, count, shape }: InputInfo): InputQuantities {
  const { trace } = timeline;
  const swept = trace.header.complete;
  if (shape.length === 0 || count === 1) {
    // an array in one node, or a number
    if (shape.length === 0 || typeof primal(trace, first) !== "number")
      return { value: primal(trace, first), bar: swept ? cotangent(timeline, first) : "unswept" };
  }
  const all = (of: (node: number) => number): Quantity =>
    arrayOf(
      shape,
      Float64Array.from({ length: count }, (_, i) => of(first + i)),
    );
  const number = (quantity: Quantity | undefined): number => (typeof quantity === "number" ? quantity : 0);
  return {
    value: all((node) => number(primal(trace, node))),
    bar: swept ? all((node) => number(cotangent(timeline, node))) : "unswept",
  };
}
