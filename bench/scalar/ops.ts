/**
 * Scalar arithmetic over numbers `T` of an engine, and its constants `C`, which a program makes once for all their uses. The scalar engines run the same programs, written once over this
 * interface; a process has one engine, so that every call below has one target and can be inlined.
 */
export interface ScalarOps<T, C = number> {
  constant(c: number): C;
  add(a: T, b: T): T;
  sub(a: T, b: T): T;
  mul(a: T, b: T): T;
  square(a: T): T;
  /** a + c */
  plus(a: T, c: C): T;
  /** a c */
  times(a: T, c: C): T;
  /** c - a */
  from(c: C, a: T): T;
  exp(a: T): T;
  log(a: T): T;
  sin(a: T): T;
  tanh(a: T): T;
  sigmoid(a: T): T;
  /** the primal */
  value(a: T): number;
}
