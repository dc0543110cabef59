/** Operations of the array table as functions of tensors, traced numbers and plain numbers or nested arrays. */
import { activeRecorder } from "../ops/recorder.js";
import {
  applyArray,
  asNumber,
  asTensor,
  type ArrayOperand,
  type ArrayResult,
} from "../ops/array/recorder.js";
import type { Params } from "../ops/array/row.js";
import { arrayPrimitive } from "../ops/array/table.js";
import { call, callRow } from "../tape/callsite.js";
import { fromNested, shapeText, type NDArray } from "../tape/ndarray.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import { isTraced } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { checkArguments } from "./arguments.js";
import { describe } from "./describe.js";
import { functionSignatures } from "./signatures.js";

/** What a function of arrays takes: a tensor, a number, a typed array (one axis) or nested arrays. */
export type TensorLike = Tensor | number | Float64Array | Float32Array | readonly NestedNumbers[];
export type NestedNumbers = number | readonly NestedNumbers[];

/** Reads plain data as an array. Throws `definition` naming what is wrong with it. */
export function plainArray(x: unknown, what: string, site: number): NDArray {
  if (ArrayBuffer.isView(x) && !(x instanceof DataView))
    return {
      shape: [(x as Float64Array).length],
      data: Float64Array.from(x as unknown as ArrayLike<number>),
    };
  try {
    return fromNested(x);
  } catch (error) {
    throw new BacksweepError("definition", `${what}: ${(error as Error).message}`, site);
  }
}

/** An operand of any accepted kind; nested arrays that hold traced numbers are stacked. */
export function operandOf(x: unknown, name: string, at: number, site: number): ArrayOperand {
  if (typeof x === "number" || isTensor(x) || isTraced(x)) return x;
  const what = `${name}: operand ${at + 1}`;
  if (Array.isArray(x))
    return holdsTraced(x) ? stacked(x, what, site) : new Tensor(plainArray(x, what, site));
  if (ArrayBuffer.isView(x)) return new Tensor(plainArray(x, what, site));
  throw new BacksweepError("definition", `${what} is ${describe(x)}, not a number or an array`, site);
}

function holdsTraced(x: readonly unknown[]): boolean {
  return x.some(
    (element) => isTraced(element) || isTensor(element) || (Array.isArray(element) && holdsTraced(element)),
  );
}

/** A list that holds traced numbers or tensors as one array. */
function stacked(x: readonly unknown[], what: string, site: number): ArrayOperand {
  const parts = x.map((element) => {
    if (typeof element === "number" || isTensor(element) || isTraced(element)) return element as ArrayOperand;
    if (Array.isArray(element)) return stacked(element, what, site);
    throw new BacksweepError("definition", `${what}: an element is ${describe(element)}, not a number`, site);
  });
  return applyRow("stack", parts, { axis: 0 });
}

/** Applies a row at the call in progress. */
export function applyRow(name: string, operands: readonly ArrayOperand[], params: Params = {}): ArrayResult {
  return applyArray(activeRecorder(), arrayPrimitive(name), operands, params, call.site, callRow);
}

/** Applies a row to operands of any accepted kind; a result of rank 0 is a tensor too. */
export function callArray(name: string, operands: readonly unknown[], params: Params = {}): Tensor {
  const { site } = call;
  return asTensor(
    applyRow(
      name,
      operands.map((x, at) => operandOf(x, name, at, site)),
      params,
    ),
  );
}

/**
 * Applies a row whose result is one number, which goes on in ordinary arithmetic.
 *
 * @throws BacksweepError `definition` where the result has axes
 */
export function callNumber(name: string, operands: readonly unknown[], params: Params = {}): number {
  const made = callArray(name, operands, params);
  const number = asNumber(made);
  if (number !== null) return number as number;
  throw new BacksweepError(
    "definition",
    `${name}: the result has the shape ${shapeText(made.shape)}, not one number${name === "dot" ? "; matmul is the product of arrays" : ""}`,
    call.site,
  );
}

/**
 * A plain array as a tensor; lists that hold traced numbers become one traced tensor.
 *
 * @param shape another shape for the same elements
 */
export function tensor(
  data: TensorLike | readonly unknown[],
  shape?: readonly number[],
  ...surplus: never[]
): Tensor {
  const { site } = call;
  checkArguments(functionSignatures.get("tensor")!, [data, shape, ...surplus]);
  let made = operandOf(data, "tensor", 0, site);
  if (shape !== undefined) made = applyRow("reshape", [made], { shape });
  if (isTensor(made)) return made;
  throw new BacksweepError("definition", "tensor(...) takes an array: a number is used as it is", site);
}
