/**
 * Arithmetic and comparisons of rewritten code. Two plain numbers take the first line of each function; what is neither
 * number nor traced takes the language's own operator, so that BigInt, strings, dates and errors are exact.
 */
import { activeRecorder, type Recorder } from "../../ops/recorder.js";
import { opcode } from "../../ops/table.js";
import { isTraced, type Operand, type TracedNumber } from "../../tape/traced.js";
import { BacksweepError } from "../../trace/failure.js";
import { cut } from "./notes.js";
import type { Scope } from "./scope.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- user values of any type meet the language's operators here */

const ADD = opcode("add");
const SUB = opcode("sub");
const MUL = opcode("mul");
const DIV = opcode("div");
const MOD = opcode("mod");
const POW = opcode("pow");
const NEG = opcode("neg");

export function traced(x: unknown): x is TracedNumber {
  return typeof x === "object" && x !== null && isTraced(x);
}

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

/** ToPrimitive with hint "default", for the operand of `+` that is not traced. */
function toPrimitive(x: any): any {
  if ((typeof x !== "object" && typeof x !== "function") || x === null) return x;
  const exotic = x[Symbol.toPrimitive];
  const answer = exotic === undefined || exotic === null ? ordinary(x) : exotic.call(x, "default");
  if ((typeof answer === "object" && answer !== null && !traced(answer)) || typeof answer === "function") {
    throw new TypeError("Cannot convert object to primitive value");
  }
  return answer;
}

function ordinary(x: any): any {
  for (const method of ["valueOf", "toString"]) {
    if (typeof x[method] !== "function") continue;
    const answer = x[method]();
    if ((typeof answer !== "object" && typeof answer !== "function") || answer === null || traced(answer))
      return answer;
  }
  throw new TypeError("Cannot convert object to primitive value");
}

function addTraced(a: any, b: any, site: number, scope: Scope): unknown {
  const left = typeof a === "number" || traced(a) ? a : toPrimitive(a);
  const right = typeof b === "number" || traced(b) ? b : toPrimitive(b);
  if (typeof left === "string") return left + cut(right, scope.base + site, "turned into text");
  if (typeof right === "string") return cut(left, scope.base + site, "turned into text") + right;
  return record(ADD, left, right, site, scope);
}

export function add(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a + b;
  return traced(a) || traced(b) ? addTraced(a, b, site, scope) : a + b;
}
export function sub(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return traced(a) || traced(b) ? record(SUB, a, b, site, scope) : a - b;
}
export function mul(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a * b;
  return traced(a) || traced(b) ? record(MUL, a, b, site, scope) : a * b;
}
export function div(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a / b;
  return traced(a) || traced(b) ? record(DIV, a, b, site, scope) : a / b;
}
export function mod(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a % b;
  return traced(a) || traced(b) ? record(MOD, a, b, site, scope) : a % b;
}
export function pow(a: any, b: any, site: number, scope: Scope): unknown {
  if (typeof a === "number" && typeof b === "number") return a ** b;
  return traced(a) || traced(b) ? record(POW, a, b, site, scope) : a ** b;
}
export function neg(a: any, site: number, scope: Scope): unknown {
  if (typeof a === "number") return -a;
  if (!traced(a)) return -a;
  const at = scope.base + site;
  return recording(at).unary(NEG, a, at, scope.row());
}
/** Unary plus: a traced number is a number already. */
export function pos(a: any, _site: number, _scope: Scope): unknown {
  return traced(a) ? a : +a;
}
/** The operand of `++` and `--` as a number or BigInt: what the postfix form gives back. */
export function num(a: any, _site: number, _scope: Scope): unknown {
  if (typeof a === "number" || traced(a)) return a;
  // the language's own conversion, of the kind that postfix operators make
  const holder = { value: a };
  return holder.value++;
}
export function inc(a: any, site: number, scope: Scope): unknown {
  if (typeof a === "number") return a + 1;
  if (traced(a)) return record(ADD, a, 1, site, scope);
  const holder = { value: a };
  return ++holder.value;
}
export function dec(a: any, site: number, scope: Scope): unknown {
  if (typeof a === "number") return a - 1;
  if (traced(a)) return record(SUB, a, 1, site, scope);
  const holder = { value: a };
  return --holder.value;
}

type Comparison = (a: any, b: any) => boolean;

/** Compares primals and records the decision. */
function decide(op: string, compare: Comparison, a: any, b: any, site: number, scope: Scope): boolean {
  const at = scope.base + site;
  const left = traced(a) ? a.value : a;
  const right = traced(b) ? b.value : b;
  const outcome = compare(left, right);
  const asOperand = (x: any): Operand => (traced(x) || typeof x === "number" ? x : Number.NaN);
  activeRecorder()?.decision(op, asOperand(a), asOperand(b), outcome, at, scope.row());
  return outcome;
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
  return traced(a) || traced(b) ? decide("<", less, a, b, site, scope) : a < b;
}
export function le(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a <= b;
  return traced(a) || traced(b) ? decide("<=", lessOrEqual, a, b, site, scope) : a <= b;
}
export function gt(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a > b;
  return traced(a) || traced(b) ? decide(">", greater, a, b, site, scope) : a > b;
}
export function ge(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a >= b;
  return traced(a) || traced(b) ? decide(">=", greaterOrEqual, a, b, site, scope) : a >= b;
}
export function eq(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b;
  // eslint-disable-next-line eqeqeq
  return traced(a) || traced(b) ? decide("==", looselyEqual, a, b, site, scope) : a == b;
}
export function ne(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a !== b;
  // eslint-disable-next-line eqeqeq
  return traced(a) || traced(b) ? decide("!=", looselyDifferent, a, b, site, scope) : a != b;
}
export function same(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b;
  return traced(a) || traced(b) ? decide("===", strictlyEqual, a, b, site, scope) : a === b;
}
export function differs(a: any, b: any, site: number, scope: Scope): boolean {
  if (typeof a === "number" && typeof b === "number") return a !== b;
  return traced(a) || traced(b) ? decide("!==", strictlyDifferent, a, b, site, scope) : a !== b;
}
