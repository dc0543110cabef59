/**
 * The explicit-call API: every scalar primitive as a function of numbers. On plain numbers it computes, on traced ones it
 * records. These run in plain Node without the loader; there, the site is unknown.
 */
import type { Tensor } from "../tape/tensor.js";
import { apply } from "./apply.js";
import { notMapped, notMappedOfThree } from "./arguments.js";
import type { TensorLike } from "./array-calls.js";
import { scalarCalls } from "./scalar-calls.js";
import { trustOwn } from "./warnings.js";

export { apply } from "./apply.js";

/** Of numbers, or element by element of arrays, with broadcasting. */
interface Unary {
  (x: number): number;
  (x: Exclude<TensorLike, number>): Tensor;
}
interface Binary {
  (a: number, b: number): number;
  (a: TensorLike, b: TensorLike): Tensor;
}
interface Ternary {
  (a: number, b: number, c: number): number;
  (a: TensorLike, b: TensorLike, c: TensorLike): Tensor;
}

type Name = keyof typeof scalarCalls;

trustOwn(Object.values(scalarCalls));

const unary = (name: Name): Unary => scalarCalls[name] as Unary;
const binary = (name: Name): Binary => scalarCalls[name] as Binary;
const ternary = (name: string, usage: string): Ternary =>
  ((a: number, b: number, c: number): number => {
    notMappedOfThree(usage, a, b, c);
    return apply(name, [a, b, c]);
  }) as Ternary;

export const add = binary("add");
export const sub = binary("sub");
export const mul = binary("mul");
export const div = binary("div");
export const mod = binary("mod");
export const floorMod = binary("floorMod");
export const pow = binary("pow");
export const min = binary("min");
export const max = binary("max");
export const hypot = binary("hypot");
export const atan2 = binary("atan2");
export const neg = unary("neg");
export const abs = unary("abs");
export const sign = unary("sign");
export const square = unary("square");
export const reciprocal = unary("reciprocal");
export const exp = unary("exp");
export const expm1 = unary("expm1");
export const log = unary("log");
export const log1p = unary("log1p");
export const log2 = unary("log2");
export const log10 = unary("log10");
export const sqrt = unary("sqrt");
export const rsqrt = unary("rsqrt");
export const cbrt = unary("cbrt");
export const sin = unary("sin");
export const cos = unary("cos");
export const tan = unary("tan");
export const asin = unary("asin");
export const acos = unary("acos");
export const atan = unary("atan");
export const sinh = unary("sinh");
export const cosh = unary("cosh");
export const tanh = unary("tanh");
export const asinh = unary("asinh");
export const acosh = unary("acosh");
export const atanh = unary("atanh");
export const erf = unary("erf");
export const erfc = unary("erfc");
export const lgamma = unary("lgamma");
export const digamma = unary("digamma");
export const polygamma = binary("polygamma");
export const sigmoid = unary("sigmoid");
export const logSigmoid = unary("logSigmoid");
export const softplus = unary("softplus");
export const relu = unary("relu");
/** x where it is above 0, else slope times x; the slope is 0.01 if not given. */
export const leakyRelu: (x: number, slope?: number, surplus?: never) => number = (
  x,
  slope = 0.01,
  surplus,
) => {
  if (surplus !== undefined) notMapped("leakyRelu(x, slope)", [x, slope, surplus]);
  return apply("leakyRelu", [x, slope]);
};
/** x where it is above 0, else alpha times (exp(x) - 1); alpha is 1 if not given. */
export const elu: (x: number, alpha?: number, surplus?: never) => number = (x, alpha = 1, surplus) => {
  if (surplus !== undefined) notMapped("elu(x, alpha)", [x, alpha, surplus]);
  return apply("elu", [x, alpha]);
};
export const gelu = unary("gelu");
export const geluTanh = unary("geluTanh");
export const silu = unary("silu");
export const floor = unary("floor");
export const ceil = unary("ceil");
export const round = unary("round");
export const trunc = unary("trunc");
export const clip = ternary("clip", "clip(x, low, high)");
/** A condition: a truth value, a number (0 is false), or arrays of them. */
type Condition = boolean | TensorLike | readonly Condition[];

const asNumbers = (condition: Condition): unknown =>
  typeof condition === "boolean"
    ? Number(condition)
    : Array.isArray(condition)
      ? condition.map((part: Condition) => asNumbers(part))
      : condition;

/** `where(c, a, b)`: a where c is not 0, else b; of arrays element by element. Both are computed, one is taken. */
export const where = ((condition: Condition, a: number, b: number): number => {
  notMappedOfThree("where(condition, a, b)", condition, a, b);
  return apply("where", [asNumbers(condition), a, b]);
}) as {
  (condition: number | boolean, a: number, b: number): number;
  (condition: Condition, a: TensorLike, b: TensorLike): Tensor;
};
