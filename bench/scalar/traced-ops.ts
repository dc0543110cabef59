/** The scalar programs over the explicit calls of the package: traced numbers are `number` to the type checker. */
import { add, exp, log, mul, sigmoid, sin, square, sub, tanh } from "../../engine/index.js";
import { primal, type TracedNumber } from "../../engine/tape/traced.js";
import type { ScalarOps } from "./ops.js";

export const tracedOps: ScalarOps<number> = {
  constant: (c) => c,
  add,
  sub,
  mul,
  square,
  plus: add,
  times: mul,
  from: sub,
  exp,
  log,
  sin,
  tanh,
  sigmoid,
  value: (x) => primal(x as unknown as TracedNumber),
};
