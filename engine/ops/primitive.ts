/**
 * The shape of one row of the primitive table. A row is the only place where an operation is described: tracing, JVP,
 * VJP, cost, memory, symbolic form, documentation and the derivative-check test all read it.
 */

/** A value a reverse rule reads: an operand by slot, or the node's own output. */
export type Saved = 0 | 1 | 2 | "output";

/** Scalar function of up to three operands and, for derivatives, the output `y`. */
export type Value = (a: number, b: number, c: number) => number;
export type Local = (a: number, b: number, c: number, y: number) => number;
/** Contribution to one operand: output cotangent `g`, operands, output. */
export type Pull = (g: number, a: number, b: number, c: number, y: number) => number;

export interface Kink {
  /** true where the primitive is not differentiable */
  at(a: number, b: number, c: number): boolean;
  /** the convention taken there, as a sentence fragment: "derivative 0 at 0" */
  readonly convention: string;
}

export interface ScalarPrimitive {
  readonly name: string;
  readonly arity: 1 | 2 | 3;
  readonly value: Value;
  /** partial derivative in each operand slot */
  readonly local: readonly Local[];
  /**
   * Contribution handed to each slot, where it is better computed otherwise than `g * local` (division, `where`, ...).
   * Absent: `g * local`.
   */
  readonly vjp?: readonly (Pull | undefined)[];
  /** what the reverse rule of each slot reads */
  readonly saves: readonly (readonly Saved[])[];
  /** unit operations (+ - * /) of the value, and of each slot's contribution without its accumulation */
  readonly cost: { readonly value: number; readonly vjp: readonly number[] };
  /** true for + - * / and negation, whose operation counts the Baur-Strassen ratio is stated for */
  readonly basic: boolean;
  /** where it is defined, as text ("x > 0"); null: everywhere */
  readonly domain: string | null;
  readonly kink?: Kink;
  /** how it is written: infix token, or null for a call */
  readonly infix: string | null;
  /** one line of documentation, with its derivative */
  readonly doc: string;
}
