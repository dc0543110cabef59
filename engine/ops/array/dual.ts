/**
 * The algebra of duals over another algebra: a value with its tangent. Running a reverse rule in it gives the tangent of
 * the contribution, which is forward over reverse (Griewank and Walther 2008, section 5.1).
 */
import type { NDArray, Shape } from "../../tape/ndarray.js";
import { Algebra } from "./algebra.js";
import type { ArrayPrimitive, Params } from "./row.js";

export interface Dual<T> {
  readonly primal: T;
  /** null: zero */
  readonly tangent: T | null;
}

const none: Params = Object.freeze({});

export class DualAlgebra<T> extends Algebra<Dual<T>> {
  constructor(readonly inner: Algebra<T>) {
    super();
  }

  row(name: string): ArrayPrimitive {
    return this.inner.row(name);
  }

  shape(x: Dual<T>): Shape {
    return this.inner.shape(x.primal);
  }

  constant(value: NDArray): Dual<T> {
    return { primal: this.inner.constant(value), tangent: null };
  }

  apply(name: string, operands: readonly Dual<T>[], params: Params = none): Dual<T> {
    const { inner } = this;
    const primals = operands.map((operand) => operand.primal);
    const primal = inner.apply(name, primals, params);
    const tangents = operands.map((operand) => operand.tangent);
    if (tangents.every((tangent) => tangent === null)) return { primal, tangent: null };
    return { primal, tangent: inner.row(name).jvp(inner, tangents, primals, primal, params) };
  }
}
