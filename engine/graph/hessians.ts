/** Questions for second derivatives: Hessian-vector products, the Hessian and its diagonal. */
import { noMore } from "./arguments.js";
import { subjectOf } from "./complete.js";
import type { GraphDefinition, Inputs, NestedRow } from "./definition.js";
import { byInput, directionOf, inputSize, inShapes, type Direction } from "./directions.js";
import { diagonalTable, secondOrder } from "./hvp.js";
import { outsideOnly } from "./inside.js";
import { namedForm } from "./named-form.js";
import {
  questionOf,
  type At,
  type Differentiable,
  type GradientOf,
  type Shaped,
  type Point,
  type PointFunction,
} from "./point.js";
import type { Tensor } from "../tape/tensor.js";
import { tellCuts } from "./warnings.js";

/** H v beside what comes with it. */
export interface Hvp<G> {
  readonly value: number;
  readonly gradient: G;
  /** gradient times direction */
  readonly jvp: number;
  readonly hvp: G;
}

/**
 * The Hessian of the output times a direction, by one forward and one reverse sweep (forward over reverse). Several
 * outputs are added, each times its cotangent (option `cotangent`, default 1).
 *
 * The direction comes before the point; `hvp(f, { at, direction })` says both by name.
 *
 * @param direction tangent by input name, each of its input's shape (a missing input has 0); for a function, of the shape of
 *   its point
 * @param at inputs by name that differ from the definition's; for a function, its point
 * @throws BacksweepError `option` for an unknown input; `no-rule` where a custom rule cannot be differentiated
 */
export function hvp<I extends Inputs>(
  definition: GraphDefinition<I>,
  direction: At<I>,
  at?: At<I>,
): Hvp<GradientOf<I>>;
export function hvp<P extends Point>(fn: PointFunction<P>, direction: P | Shaped<P>, at: P): Hvp<Shaped<P>>;
export function hvp<I extends Inputs>(
  definition: GraphDefinition<I>,
  named: { readonly direction: At<I>; readonly at?: At<I> },
): Hvp<GradientOf<I>>;
export function hvp<P extends Point>(
  fn: PointFunction<P>,
  named: { readonly direction: P | Shaped<P>; readonly at: P },
): Hvp<Shaped<P>>;
export function hvp(
  what: Differentiable,
  second: unknown,
  point?: unknown,
  ...surplus: never[]
): Hvp<unknown> {
  outsideOnly("hvp");
  const [direction, at] = namedForm("hvp", "direction", what, second, point, surplus);
  const question = questionOf(what, at);
  const products = secondOrder(subjectOf(question.definition, question.at), "hvp");
  const { inputs, value } = products;
  try {
    tellCuts(products.notes);
    const { jvp, product } = products.along(
      directionOf(question.wrap(direction) as Direction, inputs, "hvp"),
    );
    const gradient = products.gradient();
    return {
      value,
      gradient: question.unwrap(byInput(inputs, (i) => gradient[i])),
      jvp,
      hvp: question.unwrap(byInput(inputs, (i) => product[i])),
    };
  } finally {
    products.done();
  }
}

/**
 * The diagonal of the Hessian, and the number of Hessian-vector products it took: one for a separable function, at most
 * one an input number.
 */
export function hessianDiagonal<I extends Inputs>(
  definition: GraphDefinition<I>,
  at?: At<I>,
): { diagonal: GradientOf<I>; products: number };
export function hessianDiagonal<P extends Point>(
  fn: PointFunction<P>,
  at: P,
): { diagonal: Shaped<P>; products: number };
export function hessianDiagonal(
  what: Differentiable,
  at?: unknown,
  ...surplus: never[]
): { diagonal: unknown; products: number } {
  outsideOnly("hessianDiagonal");
  noMore("hessianDiagonal(f, at)", surplus);
  const question = questionOf(what, at);
  const second = secondOrder(subjectOf(question.definition, question.at), "hessianDiagonal");
  const table = diagonalTable(second);
  second.done();
  tellCuts(second.notes);
  return {
    diagonal: question.unwrap(byInput(table.inputs, (i) => table.diagonal[i])),
    products: table.products,
  };
}

/** Second derivatives of one number of the point: of the shape of the point. */
type Second<P> = P extends number | readonly unknown[] | ArrayBufferView | Tensor
  ? Each<P, Shaped<P>>
  : { [R in keyof P]: Each<P[R], Shaped<P>> };
/** The shape of an input, with `T` for each of its numbers. */
type Each<V, T> = [NestedRow] extends [V]
  ? Blocks<T>
  : V extends number
    ? T
    : V extends readonly (infer E)[]
      ? Each<E, T>[]
      : V extends ArrayBufferView
        ? T[]
        : Blocks<T>;
type Blocks<T> = T | readonly Blocks<T>[];

/**
 * The whole Hessian, one product an element of the inputs: `hessian.x.y` is the second derivative in x and y,
 * `hessian.w[0].w[1]` that in two elements of an array, `hessian.W[0][1].x` that in an element of an n-d array and x. Row
 * by row as the products came; equal to its transpose to rounding.
 */
export function hessian<I extends Inputs>(
  definition: GraphDefinition<I>,
  at?: At<I>,
): { hessian: Second<I>; products: number };
export function hessian<P extends Point>(
  fn: PointFunction<P>,
  at: P,
): { hessian: Second<P>; products: number };
export function hessian(
  what: Differentiable,
  at?: unknown,
  ...surplus: never[]
): { hessian: unknown; products: number } {
  outsideOnly("hessian");
  noMore("hessian(f, at)", surplus);
  const question = questionOf(what, at);
  const second = secondOrder(subjectOf(question.definition, question.at), "hessian");
  const { inputs, notes } = second;
  const size = inputSize(inputs);
  const rows = Array.from({ length: size }, (_, row) => {
    const direction = new Float64Array(size);
    direction[row] = 1;
    const { product } = second.along(direction);
    return question.unwrap(byInput(inputs, (i) => product[i]));
  });
  second.done();
  tellCuts(notes);
  return { hessian: question.unwrap(inShapes(inputs, (row) => rows[row])), products: size };
}
