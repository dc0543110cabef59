/**
 * Expressions over the primitives of the table: how the derivatives of a row are read by a program. Plain data, a tagged
 * union; equal parts may be one object, so an expression may be a DAG of objects.
 */

/** A number from the operands of one primitive and its output. */
export type Expression =
  | { readonly kind: "operand"; readonly slot: number }
  /** the output y of the primitive the expression belongs to */
  | { readonly kind: "output" }
  | { readonly kind: "number"; readonly value: number }
  /** a primitive of the table, by name, with as many arguments as it has operands */
  | { readonly kind: "apply"; readonly op: string; readonly args: readonly Expression[] }
  | {
      readonly kind: "if";
      readonly test: Condition;
      readonly yes: Expression;
      readonly no: Expression;
    };

export type Relation = "<" | "<=" | ">" | ">=" | "==" | "!=";

/** A decision about numbers, as JavaScript takes it: every comparison with NaN is false but `!=`. */
export type Condition =
  | {
      readonly kind: "compare";
      readonly relation: Relation;
      readonly left: Expression;
      readonly right: Expression;
    }
  /** neither 0 nor NaN */
  | { readonly kind: "truth"; readonly of: Expression }
  | { readonly kind: "and" | "or"; readonly left: Condition; readonly right: Condition };

/** The comparison of two numbers. */
export function compare(relation: Relation, a: number, b: number): boolean {
  switch (relation) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    case "==":
      return a === b;
    case "!=":
      return a !== b;
  }
}
