/**
 * An algebra over some kind of array: what derivative rules and composite operations are written in. The named methods
 * are shorthands for rows of the array table.
 */
import { sameShape, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { ArrayPrimitive, Params } from "./row.js";

const none: Params = Object.freeze({});

export abstract class Algebra<T> {
  /** the row of a name; throws naming it if there is none */
  abstract row(name: string): ArrayPrimitive;
  abstract shape(x: T): Shape;
  abstract apply(name: string, operands: readonly T[], params?: Params): T;
  abstract constant(value: NDArray): T;

  number(value: number): T {
    return this.constant({ shape: [], data: Float64Array.of(value) });
  }
  filled(shape: Shape, value: number): T {
    return this.broadcastTo(this.number(value), shape);
  }

  add(a: T, b: T): T {
    return this.apply("add", [a, b], none);
  }
  sub(a: T, b: T): T {
    return this.apply("sub", [a, b], none);
  }
  mul(a: T, b: T): T {
    return this.apply("mul", [a, b], none);
  }
  div(a: T, b: T): T {
    return this.apply("div", [a, b], none);
  }
  neg(a: T): T {
    return this.apply("neg", [a], none);
  }
  /** x times a plain number */
  scale(x: T, factor: number): T {
    return this.mul(x, this.number(factor));
  }
  unary(name: string, x: T): T {
    return this.apply(name, [x], none);
  }

  /** Sum over axes (null: all). */
  sum(x: T, axis: readonly number[] | number | null = null, keepdims = false): T {
    return this.apply("sum", [x], { axis, keepdims });
  }
  /** Sums the axes along which `shape` was broadcast, so that a contribution has its operand's shape. */
  sumTo(x: T, shape: Shape): T {
    return sameShape(this.shape(x), shape) ? x : this.apply("sumTo", [x], { shape });
  }
  broadcastTo(x: T, shape: Shape): T {
    return sameShape(this.shape(x), shape) ? x : this.apply("broadcastTo", [x], { shape });
  }
  reshape(x: T, shape: Shape): T {
    return sameShape(this.shape(x), shape) ? x : this.apply("reshape", [x], { shape });
  }
  /** Axes in a new order; null reverses them. */
  transpose(x: T, axes: readonly number[] | null = null): T {
    return this.apply("transpose", [x], { axes });
  }
  matmul(a: T, b: T, flags: { readonly transposeA?: boolean; readonly transposeB?: boolean } = none): T {
    return this.apply("matmul", [a, b], flags);
  }
  /** Sum of terms, null ones left out; null if none is left. */
  total(terms: readonly (T | null)[]): T | null {
    let sum: T | null = null;
    for (const term of terms) if (term !== null) sum = sum === null ? term : this.add(sum, term);
    return sum;
  }
}
