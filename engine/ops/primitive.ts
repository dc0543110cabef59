/**
 * The shape of one row of the primitive table. A row is the only place where an operation is described: tracing, JVP,
 * VJP, cost, memory, symbolic form, documentation and the derivative-check test all read it.
 */

/** A value a reverse rule reads: an operand by slot, or the node's own output. */
export type Saved = 0 | 1 | 2 | "output";

/** Scalar function of up to three operands and, for derivatives, the output `y`. */
export type Value = (a: number, b: number, c: number) => number;
export type Local = (a: number, b: number, c: number, y: number) => number;
/**
 * Contribution to one operand: output cotangent `g`, operands, output. It is linear in `g`, so handed a slot's tangent
 * instead it is that slot's term of the JVP.
 */
export type Pull = (g: number, a: number, b: number, c: number, y: number) => number;

export interface Kink {
  /**
   * True where the primitive is not differentiable in the operands that vary. `constants` (all vary without it) has bit i
   * set where slot i is a constant: x^0 is flat at 0, and x^y has no derivative at (0, 0).
   */
  at(a: number, b: number, c: number, constants?: number): boolean;
  /** the convention taken there, as a sentence fragment: "derivative 0 at 0" */
  readonly convention: string;
}

export interface ScalarPrimitive {
  readonly name: string;
  readonly arity: 1 | 2 | 3;
  /** names of the operands, by slot, as `formula` and `derivatives` use them; the output is `y` */
  readonly operands: readonly string[];
  readonly value: Value;
  /** partial derivative in each operand slot */
  readonly local: readonly Local[];
  /**
   * Second partial derivatives, the upper triangle in slot order: [aa], [aa, ab, bb] or [aa, ab, ac, bb, bc, cc]; null
   * where one is zero identically (between kinks), so that a sweep can pass over it. As accurate as `local`, and the
   * derivative of its convention at a kink. An entry is meaningful for slots that vary: a constant exponent, say, takes
   * no tangent, and its entries (a logarithm of the base) must not be evaluated for it.
   */
  readonly second: readonly (Local | null)[];
  /**
   * Contribution handed to each slot, where it is better computed otherwise than `g * local` (division, `where`, ...).
   * Absent: `g * local`.
   */
  readonly vjp?: readonly (Pull | undefined)[];
  /** what the reverse rule of each slot reads, local and vjp alike: nothing else may change its result */
  readonly saves: readonly (readonly Saved[])[];
  /**
   * Unit operations of the value, and of each slot's contribution without its accumulation (the sweep counts each `+=`
   * itself). + - * / negation, a comparison and a call of an elementary function count 1 each; a work share common to
   * two slots (`g / b` of a division) counts once, in the first of them.
   */
  readonly cost: { readonly value: number; readonly vjp: readonly number[] };
  /** true for + - * / and negation, whose operation counts the Baur-Strassen ratio is stated for */
  readonly basic: boolean;
  /** where it is defined, as text ("x > 0"); null: everywhere */
  readonly domain: string | null;
  readonly kink?: Kink;
  /** how it is written: infix (or prefix, arity 1) token, or null for a call */
  readonly infix: string | null;
  /** the value as text, in the operands' names */
  readonly formula: string;
  /**
   * the partial derivative in each slot as text, in the operands' names and `y`: read by programs too (`engine/expr`), so
   * in primitives of the table, and in a form that keeps its digits where the shortest one cancels
   */
  readonly derivatives: readonly string[];
  /** one line of documentation, with what its rule takes care of */
  readonly doc: string;
}

type Optional = "basic" | "domain" | "infix";

/** A row as it is written down: arity follows from the operands, and what is usual may be left out. */
export type PrimitiveSpec = Omit<ScalarPrimitive, "arity" | Optional> &
  Partial<Pick<ScalarPrimitive, Optional>>;

/**
 * Completes a row (not basic, defined everywhere, written as a call).
 *
 * @throws Error naming the primitive if a per-slot field has not one entry an operand.
 */
export function define(spec: PrimitiveSpec): ScalarPrimitive {
  const arity = spec.operands.length;
  if (arity !== 1 && arity !== 2 && arity !== 3) {
    throw new Error(`primitive "${spec.name}": ${arity} operands, expected 1 to 3`);
  }
  const perSlot: [string, number][] = [
    ["local", spec.local.length],
    ["vjp", spec.vjp?.length ?? arity],
    ["saves", spec.saves.length],
    ["cost.vjp", spec.cost.vjp.length],
    ["derivatives", spec.derivatives.length],
  ];
  const pairs = (arity * (arity + 1)) / 2;
  if (spec.second.length !== pairs) {
    throw new Error(
      `primitive "${spec.name}": second has ${spec.second.length} entries for ${pairs} pairs of operands`,
    );
  }
  for (const [field, length] of perSlot) {
    if (length !== arity) {
      throw new Error(`primitive "${spec.name}": ${field} has ${length} entries for ${arity} operands`);
    }
  }
  return { basic: false, domain: null, infix: null, ...spec, arity };
}

/** The pull of a slot through which no derivative flows: zero, whatever the cotangent is. */
export const nothing: Pull = () => 0;
