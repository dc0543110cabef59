/** `none`: only the input of the chain is kept, and every reversal runs the chain anew from there. Quadratic work. */
import type { Schedule } from "../actions.js";
import { reverseSegment } from "../segment.js";
import { binomialCounts, binomialLength } from "./revolve.js";

export function none(name: string): Schedule {
  return {
    name,
    actions: (steps) => reverseSegment(0, steps, () => ({ slot: 0, level: "ram" }), 1),
    // one slot leaves binomial checkpointing no choice
    closedForm: (steps) => binomialCounts(steps, 1),
    length: binomialLength,
    remarks: () => ["Nothing is kept but the input: n (n - 1) / 2 advances, the same as revolve:1."],
  };
}
