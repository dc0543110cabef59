/**
 * The explicit-call API: every scalar primitive as a function of numbers. On plain numbers it computes, on traced ones it
 * records. These run in plain Node without the loader; there, the site is unknown.
 */
import { activeRecorder } from "../ops/recorder.js";
import { opcode, primitive } from "../ops/table.js";
import { call, callRow } from "../tape/callsite.js";
import { isTensor, type Tensor } from "../tape/tensor.js";
import { isTraced, type Operand } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { callArray, type TensorLike } from "./array-calls.js";

/** Applies a primitive to numbers, traced or not. Throws `definition` for anything else. */
export function apply(name: string, operands: readonly unknown[]): number {
  if (operands.some(isArrayLike)) return callArray(name, operands) as number;
  const row = primitive(name);
  const given = operands.slice(0, row.arity);
  let traced = false;
  given.forEach((x, i) => {
    if (isTraced(x)) traced = true;
    else if (typeof x !== "number") {
      throw new BacksweepError(
        "definition",
        `${name}: operand ${i + 1} is ${x === null ? "null" : `a ${typeof x}`}, not a number`,
        call.site,
      );
    }
  });
  if (given.length < row.arity) {
    throw new BacksweepError(
      "definition",
      `${name} takes ${row.arity} operands, ${given.length} given`,
      call.site,
    );
  }
  if (!traced) return row.value(given[0] as number, (given[1] as number) ?? 0, (given[2] as number) ?? 0);
  const recorder = activeRecorder();
  if (recorder === null) {
    throw new BacksweepError(
      "definition",
      `${name}: a traced number is used after its graph function has returned`,
      call.site,
    );
  }
  return recorder.apply(name, given as Operand[], call.site, callRow()) as unknown as number;
}

/** A list, typed array or tensor among the operands makes the operation one on arrays. */
function isArrayLike(x: unknown): boolean {
  return isTensor(x) || Array.isArray(x) || ArrayBuffer.isView(x);
}

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

function unary(name: string): Unary {
  const op = opcode(name);
  const { value } = primitive(op);
  const call_ = (x: number): number => {
    if (typeof x === "number") return value(x, 0, 0);
    const recorder = activeRecorder();
    if (recorder === null || !isTraced(x)) return apply(name, [x]);
    return recorder.unary(op, x, call.site, callRow()) as unknown as number;
  };
  return call_ as Unary;
}

function binary(name: string): Binary {
  const op = opcode(name);
  const { value } = primitive(op);
  const call_ = (a: number, b: number): number => {
    const plainA = typeof a === "number";
    const plainB = typeof b === "number";
    if (plainA && plainB) return value(a, b, 0);
    const recorder = activeRecorder();
    if (recorder === null || !(plainA || isTraced(a)) || !(plainB || isTraced(b))) return apply(name, [a, b]);
    return recorder.binary(
      op,
      a as unknown as Operand,
      b as unknown as Operand,
      call.site,
      callRow(),
    ) as unknown as number;
  };
  return call_ as Binary;
}

const ternary = (name: string): Ternary =>
  ((a: number, b: number, c: number): number => apply(name, [a, b, c])) as Ternary;

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
export const sigmoid = unary("sigmoid");
export const logSigmoid = unary("logSigmoid");
export const softplus = unary("softplus");
export const relu = unary("relu");
export const leakyRelu: (x: number, slope?: number) => number = (x, slope = 0.01) =>
  apply("leakyRelu", [x, slope]);
export const elu: (x: number, alpha?: number) => number = (x, alpha = 1) => apply("elu", [x, alpha]);
export const gelu = unary("gelu");
export const geluTanh = unary("geluTanh");
export const silu = unary("silu");
export const floor = unary("floor");
export const ceil = unary("ceil");
export const round = unary("round");
export const trunc = unary("trunc");
export const clip = ternary("clip");
/** `where(c, a, b)`: a where c is not 0, else b; a condition may also be a boolean. */
export const where = (condition: number | boolean, a: number, b: number): number =>
  apply("where", [typeof condition === "boolean" ? Number(condition) : condition, a, b]);
