/**
 * The shape of one row of the array table: an operation on n-d arrays, described once. Its derivative rules are written
 * over an algebra, not over numbers: run with plain arrays they compute, with pairs of value and tangent they give the
 * Hessian-vector product, with traced arrays they record themselves, which is differentiation inside a graph.
 */
import type { NDArray, Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import type { NumericAlgebra } from "./numeric.js";

export type Params = Readonly<Record<string, unknown>>;

/** What a reverse rule reads: an operand by slot, or the node's own output. */
export type ArraySaved = number | "output";

/**
 * What `vjp` gives over plain arrays in double precision, in fewer passes over them; undefined where there is no such way for
 * these operands. The same to the last bit, but where a row says otherwise.
 */
export type ArrayPull = (
  slot: number,
  k: NumericAlgebra,
  g: NDArray,
  operands: readonly NDArray[],
  output: NDArray,
  params: Params,
) => NDArray | null | undefined;

export interface ArrayPrimitive {
  readonly name: string;
  /** names of the operands by slot; a last name beginning with "..." takes any number of them */
  readonly operands: readonly string[];
  /**
   * Shape of the output. Checks operand shapes and parameters.
   *
   * @throws ShapeError with a message that names the shapes and the parameter at fault
   */
  shape(shapes: readonly Shape[], params: Params): Shape;
  /** Elements of the output, row-major. May share an operand's data where elements and order are the same. */
  value(operands: readonly NDArray[], params: Params, shape: Shape, k: NumericAlgebra): Float64Array;
  /** Contribution to one operand slot for the output cotangent `g`; null: none (which is not zero). Linear in `g`. */
  vjp<T>(slot: number, k: Algebra<T>, g: T, operands: readonly T[], output: T, params: Params): T | null;
  /** absent: `vjp` is the only way */
  readonly pull?: ArrayPull | undefined;
  /** Tangent of the output; a null operand tangent is zero. Null: zero. */
  jvp<T>(
    k: Algebra<T>,
    tangents: readonly (T | null)[],
    operands: readonly T[],
    output: T,
    params: Params,
  ): T | null;
  /** what the reverse rule of a slot reads */
  saves(slot: number, operandCount: number): readonly ArraySaved[];
  /** unit operations of the value, in the scalar table's counting; what a rule costs is counted by running it on shapes */
  cost(shapes: readonly Shape[], shape: Shape, params: Params): number;
  /**
   * The convention taken, where these operands are a non-differentiable point; null: differentiable here. `constants` has
   * bit i set where operand i does not vary (all do without it).
   */
  kink?(operands: readonly NDArray[], params: Params, constants?: number): string | null;
  /** true: only moves or repeats elements, so that no number format needs rounding */
  readonly exact: boolean;
  /** where it is defined, as text; null: everywhere */
  readonly domain: string | null;
  /** the value as text, in the operands' names */
  readonly formula: string;
  /** the rule as text, in the operands' names, output `y`, cotangent `g` */
  readonly rule: string;
  /** one line of documentation */
  readonly doc: string;
}

type Defaulted = "saves" | "exact" | "domain";

/** A row as it is written down. */
export type ArraySpec = Omit<ArrayPrimitive, Defaulted> & Partial<Pick<ArrayPrimitive, Defaulted>>;

/** Completes a row: its rule reads every operand unless it says otherwise, and it is defined everywhere. */
export function defineArray(spec: ArraySpec): ArrayPrimitive {
  return {
    exact: false,
    domain: null,
    saves: (_slot, operandCount) => Array.from({ length: operandCount }, (_, i) => i),
    ...spec,
  };
}

/** An operation asked for with shapes or parameters it is not defined for; the recorder adds the place. */
export class ShapeError extends Error {
  override readonly name: string = "ShapeError";
}

/** Values an operation is not defined for, where no number can stand for the result: a singular matrix, say. */
export class DomainError extends ShapeError {
  override readonly name = "DomainError";
}
