/**
 * Which results of arithmetic nothing of the user's can see, because the operator around them reads them as soon as they are
 * there. Where they are recorded without a trace they need no object: they are the newest node, and rewritten code calls
 * the forms of the operators that hand on and take just that (`ops/lean-calls.ts`).
 *
 * The right operand is read at once. The left one is, where the right one is a literal or a variable: reading that runs
 * nothing. Anything else on the right may record other nodes, or call an accessor.
 *
 * A product of two such values in a sum or difference is not even made: it is `undefined` if its operands are not plain numbers,
 * and the sum is handed them.
 */
import type * as t from "@babel/types";
import { neverTraced } from "../plain.js";
import { unwrap } from "../tree.js";
import type { Emitter } from "./emitter.js";

const operators = new Set(["+", "-", "*", "/"]);

/** A product that is left to the sum around it: the texts of its operands, and its site. */
interface LeftProduct {
  readonly x: string;
  readonly y: string;
  readonly site: number;
}

export class NewestNodes {
  /** operators whose result is read at once */
  private readonly read = new WeakSet<t.Node>();
  /** those that stand in a sum or difference */
  private readonly summed = new WeakSet<t.Node>();
  private readonly left = new WeakMap<t.Node, LeftProduct>();

  /**
   * Looks for an operand that is read at once, before the operands are visited.
   *
   * @param right null for the only operand
   * @returns what the operator's form depends on, for `form`
   */
  operand(e: Emitter, operator: string, left: t.Node | null, right: t.Node): Operand | null {
    if (!operators.has(operator)) return null;
    const from = this.mark(e, operator, right) ?? null;
    if (from !== null) return { node: from, side: "R" };
    if (left === null || !runsNothing(e, unwrap(right))) return null;
    const to = this.mark(e, operator, left);
    return to === null ? null : { node: to, side: "L" };
  }

  private mark(e: Emitter, operator: string, operand: t.Node): t.Node | null {
    const node = unwrap(operand);
    const isOperator =
      (node.type === "BinaryExpression" && operators.has(node.operator)) ||
      (node.type === "UnaryExpression" && node.operator === "-");
    if (!isOperator || neverTraced(node, e.scope)) return null;
    this.read.add(node);
    if (operator === "+" || operator === "-") this.summed.add(node);
    return node;
  }

  /** Leaves a product of such operands to the sum around it; false if that is not possible. */
  leave(node: t.BinaryExpression, operand: Operand | null, product: LeftProduct): boolean {
    if (node.operator !== "*" || operand !== null || !this.summed.has(node)) return false;
    this.left.set(node, product);
    return true;
  }

  /**
   * The call of an operator, after its operands were visited.
   *
   * @param helper its name in the runtime
   * @param tail the arguments after the operands
   */
  call(
    e: Emitter,
    helper: string,
    node: t.Node,
    operand: Operand | null,
    operands: readonly string[],
    tail: string,
  ): string {
    const suffix = this.read.has(node) ? "N" : "";
    const name = `${e.prefix}.${helper}`;
    const given = operands.join(", ");
    if (operand === null) return `${name}${suffix}(${given}${tail})`;
    const product = this.left.get(operand.node);
    if (product === undefined) return `${name}${operand.side}${suffix}(${given}${tail})`;
    const form = operand.side === "R" ? `${helper}Mul` : `mul${helper === "add" ? "Add" : "Sub"}`;
    const { x, y, site } = product;
    return `${e.prefix}.${form}${suffix}(${given}, ${x}, ${y}, ${site}${tail})`;
  }
}

/** An operand that is read at once, and where it stands. */
export interface Operand {
  readonly node: t.Node;
  readonly side: "L" | "R";
}

function runsNothing(e: Emitter, node: t.Node): boolean {
  if (node.type === "NumericLiteral" || node.type === "ThisExpression") return true;
  // a name nobody declares may be an accessor of the global object
  return node.type === "Identifier" && e.scope.resolve(node.name) !== null;
}
