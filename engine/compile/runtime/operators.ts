/**
 * Arithmetic and comparisons of rewritten code. Two plain numbers take the first line of each function; what is neither
 * number nor traced takes the language's own operator, so that BigInt, strings, dates and errors are exact.
 */
import { activeRecorder, recording as active, type Recorder } from "../../ops/recorder.js";
import { leanOperators } from "../../ops/lean-calls.js";
import * as fast from "../../ops/record.js";
import { opcode } from "../../ops/table.js";
import { isTraced, type Operand, type TracedNumber, primal } from "../../tape/traced.js";
import { BacksweepError } from "../../trace/failure.js";
import { cut } from "./notes.js";
import { isObject, toNumeric, toPrimitive } from "./primitive.js";
import type { Scope } from "./scope.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- user values of any type meet the language's operators here */

const ADD = opcode("add");
const SUB = opcode("sub");
const MUL = opcode("mul");
const DIV = opcode("div");
const MOD = opcode("mod");
const POW = opcode("pow");

export const traced: (x: unknown) => x is TracedNumber = isTraced;

/** The active recorder; a traced number that has outlived its recording is refused. */
export function recording(site: number): Recorder {
  const recorder = activeRecorder();
  if (recorder !== null) return recorder;
  throw new BacksweepError(
    "definition",
    "a traced number is used after its graph function has returned",
    site,
  );
}

/** Records a binary primitive of which at least one operand is traced; the other is converted as the operator would. */
function record(op: number, a: any, b: any, site: number, scope: Scope): unknown {
  const at = scope.base + site;
  const left: Operand = typeof a === "number" || traced(a) ? a : a * 1;
  const right: Operand = typeof b === "number" || traced(b) ? b : b * 1;
  return recording(at).binary(op, left, right, at, scope.row());
}

function isOperand(x: unknown): x is Operand {
  return typeof x === "number" || isTraced(x);
}

type Native = (a: any, b: any) => unknown;

/** Arithmetic of what is not two plain numbers. */
function arithmetic(op: number, native: Native, a: any, b: any, site: number, scope: Scope): unknown {
  const left = toNumeric(a);
  const right = toNumeric(b);
  return traced(left) || traced(right) ? record(op, left, right, site, scope) : native(left, right);
}

/** `+` of what is not two plain numbers. */
function sum(a: any, b: any, site: number, scope: Scope): unknown {
  const left = toPrimitive(a, "default");
  const right = toPrimitive(b, "default");
  if (!traced(left) && !traced(right)) return left + right;
  const at = scope.base + site;
  if (typeof left === "string") return left + cut(right, at, "turned into text", false);
  if (typeof right === "string") return cut(left, at, "turned into text", false) + right;
  return record(ADD, left, right, site, scope);
}

const minus: Native = (a, b) => a - b;
const times: Native = (a, b) => a * b;
const over: Native = (a, b) => a / b;
const modulo: Native = (a, b) => a % b;
const power: Native = (a, b) => a ** b;

function addOfAny(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (isOperand(a) && isOperand(b)) {
    const at = scope.base + site;
    const recorder = recording(at);
    return fast.add(recorder, a, b, at, recorder.bare ? 0 : scope.row());
  }
  return typeof a === "string" && typeof b === "string" ? a + b : sum(a, b, site, scope);
}
function subOfAny(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (isOperand(a) && isOperand(b)) {
    const at = scope.base + site;
    const recorder = recording(at);
    return fast.sub(recorder, a, b, at, recorder.bare ? 0 : scope.row());
  }
  return arithmetic(SUB, minus, a, b, site, scope);
}
function mulOfAny(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a * b;
  if (isOperand(a) && isOperand(b)) {
    const at = scope.base + site;
    const recorder = recording(at);
    return fast.mul(recorder, a, b, at, recorder.bare ? 0 : scope.row());
  }
  return arithmetic(MUL, times, a, b, site, scope);
}
function divOfAny(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a / b;
  if (isOperand(a) && isOperand(b)) {
    const at = scope.base + site;
    const recorder = recording(at);
    return fast.div(recorder, a, b, at, recorder.bare ? 0 : scope.row());
  }
  return arithmetic(DIV, over, a, b, site, scope);
}
function modOfAny(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a % b;
  if (isOperand(a) && isOperand(b)) {
    const at = scope.base + site;
    const recorder = recording(at);
    return fast.mod(recorder, a, b, at, recorder.bare ? 0 : scope.row());
  }
  return arithmetic(MOD, modulo, a, b, site, scope);
}
function powOfAny(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a ** b;
  if (isOperand(a) && isOperand(b)) {
    const at = scope.base + site;
    const recorder = recording(at);
    return fast.pow(recorder, a, b, at, recorder.bare ? 0 : scope.row());
  }
  return arithmetic(POW, power, a, b, site, scope);
}
function negOfAny(a: any, site: number, scope: Scope): unknown {
  if (typeof a === "number") return -a;
  const x = traced(a) ? a : toNumeric(a);
  if (!traced(x)) return -x;
  const at = scope.base + site;
  const recorder = recording(at);
  return fast.neg(recorder, x, at, recorder.bare ? 0 : scope.row());
}
/** Arithmetic: the way into lean memory stands in front, and what hands on the newest node (`lean-calls.ts`). */
export const {
  add,
  sub,
  mul,
  div,
  mod,
  pow,
  neg,
  addN,
  addL,
  addLN,
  addR,
  addRN,
  subN,
  subL,
  subLN,
  subR,
  subRN,
  mulN,
  mulL,
  mulLN,
  mulR,
  mulRN,
  divN,
  divL,
  divLN,
  divR,
  divRN,
  addMul,
  addMulN,
  subMul,
  subMulN,
  mulAdd,
  mulAddN,
  mulSub,
  mulSubN,
  negN,
  negR,
  negRN,
} = leanOperators<Scope>({
  add: addOfAny,
  sub: subOfAny,
  mul: mulOfAny,
  div: divOfAny,
  mod: modOfAny,
  pow: powOfAny,
  neg: negOfAny,
});

/** Unary plus: a traced number is a number already. */
export function pos(a: any, _site: number, _scope: Scope): unknown {
  const x = toNumeric(a);
  return traced(x) ? x : +x;
}
/** The operand of `++` and `--` as a number or BigInt: what the postfix form gives back. */
export function num(a: any, _site: number, _scope: Scope): unknown {
  if (typeof a === "number") return a;
  const old = toNumeric(a);
  return traced(old) || typeof old === "bigint" ? old : +old;
}
export function inc(a: any, site: number, scope: Scope): unknown {
  if (typeof a === "number") return a + 1;
  const old = toNumeric(a);
  if (traced(old)) return record(ADD, old, 1, site, scope);
  return typeof old === "bigint" ? old + 1n : +old + 1;
}
export function dec(a: any, site: number, scope: Scope): unknown {
  if (typeof a === "number") return a - 1;
  const old = toNumeric(a);
  if (traced(old)) return record(SUB, old, 1, site, scope);
  return typeof old === "bigint" ? old - 1n : +old - 1;
}

type Comparison = (a: any, b: any) => boolean;

/** Compares primals; with a traced operand the outcome is a recorded decision. */
function decide(op: string, compare: Comparison, a: any, b: any, site: number, scope: Scope): boolean {
  if (!traced(a) && !traced(b)) return compare(a, b);
  const outcome = compare(traced(a) ? primal(a) : a, traced(b) ? primal(b) : b);
  if (activeRecorder()?.bare === true) return outcome;
  const at = scope.base + site;
  const asOperand = (x: any): Operand => (traced(x) || typeof x === "number" ? x : Number.NaN);
  activeRecorder()?.decision(op, asOperand(a), asOperand(b), outcome, at, scope.row());
  return outcome;
}

/* Where no decisions are kept, two operands that are numbers need no more than their primals. */

/** Order is a matter of primitives, the left one made first. */
function order(op: string, compare: Comparison, a: any, b: any, site: number, scope: Scope): boolean {
  const left = toPrimitive(a, "number");
  return decide(op, compare, left, toPrimitive(b, "number"), site, scope);
}

/** `==` makes a primitive of an object only where the other side is one. */
function loosely(op: string, compare: Comparison, a: any, b: any, site: number, scope: Scope): boolean {
  if (isObject(a) && !isObject(b) && b !== null && b !== undefined) a = toPrimitive(a, "default");
  else if (isObject(b) && !isObject(a) && a !== null && a !== undefined) b = toPrimitive(b, "default");
  return decide(op, compare, a, b, site, scope);
}

const less: Comparison = (a, b) => a < b;
const lessOrEqual: Comparison = (a, b) => a <= b;
const greater: Comparison = (a, b) => a > b;
const greaterOrEqual: Comparison = (a, b) => a >= b;
const looselyEqual: Comparison = (a, b) => a == b; // eslint-disable-line eqeqeq
const looselyDifferent: Comparison = (a, b) => a != b; // eslint-disable-line eqeqeq
const strictlyEqual: Comparison = (a, b) => a === b;
const strictlyDifferent: Comparison = (a, b) => a !== b;

export function lt(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a < b;
  if (active.named === null && isOperand(a) && isOperand(b)) return primal(a) < primal(b);
  return order("<", less, a, b, site, scope);
}
export function le(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a <= b;
  if (active.named === null && isOperand(a) && isOperand(b)) return primal(a) <= primal(b);
  return order("<=", lessOrEqual, a, b, site, scope);
}
export function gt(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a > b;
  if (active.named === null && isOperand(a) && isOperand(b)) return primal(a) > primal(b);
  return order(">", greater, a, b, site, scope);
}
export function ge(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a >= b;
  if (active.named === null && isOperand(a) && isOperand(b)) return primal(a) >= primal(b);
  return order(">=", greaterOrEqual, a, b, site, scope);
}
export function eq(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b;
  return loosely("==", looselyEqual, a, b, site, scope);
}
export function ne(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a !== b;
  return loosely("!=", looselyDifferent, a, b, site, scope);
}
export function same(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b;
  return traced(a) || traced(b) ? decide("===", strictlyEqual, a, b, site, scope) : a === b;
}
export function differs(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a !== b;
  return traced(a) || traced(b) ? decide("!==", strictlyDifferent, a, b, site, scope) : a !== b;
}

/** `instanceof`: a traced number is to it what its primal is. */
export function instance(a: any, type: any): boolean {
  return traced(a) ? (primal(a) as any) instanceof type : a instanceof type;
}
/** `in`, whose right side must be an object; a traced number is none. */
export function has(key: any, object: any, site: number, scope: Scope): boolean {
  const name = traced(key) ? cut(key, scope.base + site, "used as a key", false) : key;
  return name in (traced(object) ? (primal(object) as any) : object);
}
