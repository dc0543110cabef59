/**
 * Codes of the element-wise operations, the same for single kernels, fused chains and the replay of scalar tapes. What a
 * code computes is said here once; every build computes exactly that, rounding after every single operation (no fused
 * multiply-add), in the format of the arrays.
 */
export const Op = {
  // two operands
  add: 0,
  sub: 1,
  mul: 2,
  div: 3,
  /** Math.min: NaN wins, -0 is below 0 */
  min: 4,
  /** Math.max: NaN wins, 0 is above -0 */
  max: 5,
  /** a > b ? 1 : 0 */
  greater: 6,
  /** a >= b ? 1 : 0 */
  greaterEqual: 7,
  /** a === b ? 1 : 0 */
  equal: 8,

  // one operand, exact or correctly rounded in WebAssembly too
  neg: 16,
  abs: 17,
  sqrt: 18,
  /** a * a */
  square: 19,
  copy: 20,
  /** 1 / a */
  reciprocal: 21,
  floor: 22,
  ceil: 23,
  trunc: 24,
  /** Math.sign, which keeps -0 and NaN */
  sign: 25,
  /** max(a, 0) */
  relu: 26,
  /** derivative of relu: a > 0 ? 1 : a <= 0 ? 0 : NaN */
  step: 27,

  // three operands, in fused chains only
  /** a truthy as in JavaScript (neither 0 nor NaN) ? b : c */
  select: 32,
  /** (a * b) + c, two roundings */
  mulAdd: 33,
  /** (a * b) - c, two roundings */
  mulSub: 34,
  /** c - (a * b), two roundings */
  subMul: 35,

  // one operand, loops over the functions of JavaScript in every build
  exp: 64,
  expm1: 65,
  log: 66,
  log1p: 67,
  log2: 68,
  log10: 69,
  tanh: 70,
  /** logistic function, exp only of numbers <= 0 */
  sigmoid: 71,
  /** log(1 + exp(a)) */
  softplus: 72,
  sin: 73,
  cos: 74,
  tan: 75,
  asin: 76,
  acos: 77,
  atan: 78,
  sinh: 79,
  cosh: 80,
  asinh: 81,
  acosh: 82,
  atanh: 83,
  cbrt: 84,
} as const;

export type OpName = keyof typeof Op;
export type OpCode = (typeof Op)[OpName];

/** Codes below this take two operands. */
export const FIRST_UNARY = 16;
/** Codes from here to `FIRST_FUNCTION` take three operands. */
export const FIRST_TERNARY = 32;
/** Codes from here on are functions of JavaScript. */
export const FIRST_FUNCTION = 64;

const names: ReadonlyMap<number, OpName> = new Map(
  (Object.entries(Op) as [OpName, OpCode][]).map(([name, code]) => [code, name]),
);

/** Name of an operation, for messages. */
export function opName(code: number): string {
  return names.get(code) ?? `operation ${code}`;
}

/** How many operands an operation takes, 0 for a code that means nothing. */
export function arity(code: number): 0 | 1 | 2 | 3 {
  if (!names.has(code)) return 0;
  if (code < FIRST_UNARY) return 2;
  return code < FIRST_TERNARY || code >= FIRST_FUNCTION ? 1 : 3;
}

/** Which operand of a product of matrices is stored transposed; all are row-major. */
export const Product = {
  /** A (m×k) · B (k×n) */
  NN: 0,
  /** Aᵀ · B with A stored as k×m */
  TN: 1,
  /** A · Bᵀ with B stored as n×k */
  NT: 2,
} as const;

export type ProductKind = (typeof Product)[keyof typeof Product];
