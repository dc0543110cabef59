/**
 * What a query can be about: a graph definition, or a plain function of a point. A point is one number, an array of
 * numbers, or both by name; a gradient has the shape of its point.
 */
import { BacksweepError } from "../trace/failure.js";
import { call } from "../tape/callsite.js";
import { describe, graph, isGraph } from "./definition.js";
import type { GraphDefinition, GraphOutput, InputValue, Inputs, Like } from "./definition.js";
import type { GradientValue } from "../report/report.js";

export type Point = number | readonly number[] | Inputs;

/** A gradient: by input, numbers for numbers and nested arrays for arrays. */
export type GradientOf<I> = {
  [K in keyof I]: I[K] extends number ? number : I[K] extends readonly number[] ? number[] : GradientValue;
};

/** The same for a point, which may be without names. */
export type Shaped<P> = P extends number ? number : P extends readonly number[] ? number[] : GradientOf<P>;

/** What a function receives for a point: the same, with tensors for n-d arrays. */
export type Argument<P> = P extends number
  ? number
  : P extends readonly number[]
    ? number[]
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
  if (isNumber(at) || Array.isArray(at)) {
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
}

/**
 * A definition for either kind of question, outside a running graph function.
 *
 * @throws BacksweepError `definition` for what is neither a graph nor a function, or a function without a point
 */
export function questionOf(what: Differentiable, at: unknown): Question {
  if (isGraph(what)) return { definition: what, at: at as Question["at"], ...plainly };
  if (typeof what !== "function") {
    throw new BacksweepError(
      "definition",
      `a graph definition or a function is wanted here, not ${describe(what)}`,
      call.site,
    );
  }
  const { inputs, argument, wrap, unwrap } = namedPoint(at, (x) => typeof x === "number");
  const fn = what as unknown as (point: unknown) => GraphOutput;
  const definition = graph(inputs as Inputs, (given) => fn(argument(given))) as unknown as GraphDefinition;
  return { definition, at: undefined, wrap, unwrap };
}
