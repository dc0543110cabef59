/** What a user's own primitive is to the engine. */
import type { Operand } from "../tape/traced.js";

/** A user's own primitive as the recorder keeps it. */
export interface CustomRule {
  readonly name: string;
  /** the value, from plain operands: what a check differentiates numerically */
  forward(operands: readonly number[]): number;
  /** contribution to every operand for the output cotangent `g` */
  vjp(g: number, operands: readonly number[], output: number): readonly number[];
  /** the same with operands that may be traced, recorded as it computes: what a second derivative is made of */
  tracedVjp(g: Operand, operands: readonly Operand[], output: Operand): readonly Operand[];
  /** tangent of the output, or null: taken from the VJP */
  jvp: ((tangents: readonly number[], operands: readonly number[], output: number) => number) | null;
}
