/**
 * What a query can be about: a graph definition, or a plain function of a point. A point is one number, an array, or both
 * by name; a gradient has the shape of its point.
 */
import { BacksweepError } from "../trace/failure.js";
import { call } from "../tape/callsite.js";
import { fromNested, type Nested } from "../tape/ndarray.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import { defined, describe, isFloatArray, isGraph } from "./definition.js";
import type {
  ArrayInput,
  GraphDefinition,
  GraphOutput,
  InputValue,
  Inputs,
  Like,
  NestedRow,
} from "./definition.js";
import type { GradientValue } from "../report/report.js";
import { tellPlainBranches } from "./warnings.js";

export type Point = number | readonly number[] | ArrayInput | Inputs;

/** Nested arrays of plain numbers in the shape of an input; of a Tensor, whose rank is not known to the type, any. */
export type NestedOf<V> = [NestedRow] extends [V]
  ? GradientValue
  : V extends number
    ? number
    : V extends readonly (infer E)[]
      ? NestedOf<E>[]
      : V extends Float64Array | Float32Array
        ? number[]
        : GradientValue;

/** A gradient: by input, numbers for numbers and nested arrays for arrays. */
export type GradientOf<I> = {
  [K in keyof I]: NestedOf<I[K]>;
};

type Unnamed = number | readonly unknown[] | Float64Array | Float32Array | Tensor;

/** The same for a point, which may be without names. */
export type Shaped<P> = P extends Unnamed ? NestedOf<P> : GradientOf<P>;

/** What `gradient` and `vjp` answer at a point: as above, but a Tensor for what is given as one. */
export type Answer<P> = P extends Tensor
  ? Tensor
  : P extends Unnamed
    ? NestedOf<P>
    : { [K in keyof P]: P[K] extends Tensor ? Tensor : NestedOf<P[K]> };

/** The same for a definition with inputs I, of which A are given. */
export type AnswerAt<I, A> = {
  [K in keyof I]: K extends keyof A ? (A[K] extends Tensor ? Tensor : NestedOf<I[K]>) : NestedOf<I[K]>;
};

/** What a function receives for a point: the same, with tensors for n-d arrays. */
export type Argument<P> = P extends number
  ? number
  : P extends readonly number[]
    ? number[]
    : P extends ArrayInput
      ? Tensor
      : { [K in keyof P]: Like<P[K]> };

/** Some inputs of a definition, by name; the others keep the values they were defined with. */
export type At<I extends Inputs> = { readonly [K in keyof I]?: InputValue };

/** A function of a point, as `gradient`, `jvp` and `vjp` take it beside a definition. */
export type PointFunction<P extends Point> = (point: Argument<P>) => GraphOutput;

/** Either, as the implementations see it. */
export type Differentiable = GraphDefinition | ((point: never) => GraphOutput);

/** The one input of a point without names. */
const POINT = "at";

/** How a point with or without names becomes inputs by name, and a gradient by name takes the point's shape again. */
export interface Named {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** the argument of a plain function from inputs by name */
  readonly argument: (inputs: object) => unknown;
  readonly wrap: (point: unknown) => unknown;
  readonly unwrap: <T>(byName: Readonly<Record<string, T>>) => unknown;
}

/** A point that has names already. */
const plainly: Pick<Named, "wrap" | "unwrap"> = { wrap: (point) => point, unwrap: (byName) => byName };

/** Gives the point of a plain function names. Its numbers may be traced: what is no object by name is one input. */
export function namedPoint(at: unknown, isNumber: (x: unknown) => boolean): Named {
  if (isNumber(at) || Array.isArray(at) || isTensor(at) || isFloatArray(at)) {
    return {
      inputs: { [POINT]: at },
      argument: (inputs) => (inputs as Record<string, unknown>)[POINT],
      wrap: (point) => ({ [POINT]: point }),
      unwrap: (byName) => byName[POINT],
    };
  }
  if (typeof at !== "object" || at === null) {
    throw new BacksweepError(
      "definition",
      `a function is differentiated at a point: give a number, an array or an object of them, not ${describe(at)}`,
      call.site,
    );
  }
  return {
    inputs: at as Readonly<Record<string, unknown>>,
    argument: (inputs) => inputs,
    ...plainly,
  };
}

export interface Question {
  readonly definition: GraphDefinition;
  /** inputs that differ from the definition's values */
  readonly at: Readonly<Record<string, InputValue>> | undefined;
  /** what has the shape of the point, by input name */
  readonly wrap: (point: unknown) => unknown;
  /** what is by input name, in the shape of the point */
  readonly unwrap: <T>(byName: Readonly<Record<string, T>>) => unknown;
  /** a gradient in the form of what was given: nested arrays, and plain tensors for tensors */
  readonly answer: (gradient: Readonly<Record<string, GradientValue | Tensor>>) => unknown;
  /** inputs whose answer is a tensor */
  readonly tensors: ReadonlySet<string>;
}

/** A gradient with tensors where the point has them. */
function tensorsFor(
  point: Readonly<Record<string, unknown>> | undefined,
  gradient: Readonly<Record<string, GradientValue | Tensor>>,
): Readonly<Record<string, unknown>> {
  if (point === undefined || !Object.values(point).some(isTensor)) return gradient;
  return Object.fromEntries(
    Object.entries(gradient).map(([name, value]) => [
      name,
      isTensor(point[name]) && !isTensor(value) ? new Tensor(fromNested(value as Nested)) : value,
    ]),
  );
}

/** The names under which the point has tensors. */
function tensorNames(point: Readonly<Record<string, unknown>> | undefined): ReadonlySet<string> {
  return new Set(Object.keys(point ?? {}).filter((name) => isTensor(point![name])));
}

/**
 * A definition for either kind of question, outside a running graph function.
 *
 * @throws BacksweepError `definition` for what is neither a graph nor a function, or a function without a point
 */
export function questionOf(what: Differentiable, at: unknown): Question {
  if (isGraph(what)) {
    if (what.wrong !== undefined) throw what.wrong;
    const given = at as Question["at"];
    return {
      definition: what,
      at: given,
      ...plainly,
      answer: (gradient) => tensorsFor(given, gradient),
      tensors: tensorNames(given),
    };
  }
  if (typeof what !== "function") {
    throw new BacksweepError(
      "definition",
      `a graph definition or a function is wanted here, not ${describe(what)}`,
      call.site,
    );
  }
  const { inputs, argument, wrap, unwrap } = namedPoint(at, (x) => typeof x === "number");
  const fn = what as unknown as (point: unknown) => GraphOutput;
  tellPlainBranches(fn);
  const around = (given: object): GraphOutput => fn(argument(given));
  const definition = defined(inputs as Inputs, around, {}, call.site) as unknown as GraphDefinition;
  return {
    definition,
    at: undefined,
    wrap,
    unwrap,
    answer: (gradient) => unwrap(tensorsFor(inputs, gradient)),
    tensors: tensorNames(inputs),
  };
}
