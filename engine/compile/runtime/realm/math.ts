/** `Math` over traced numbers: what has a rule is recorded, what is a step sees the primal and is noted. */
import { leanFunctions } from "../../../ops/lean-calls.js";
import * as fast from "../../../ops/record.js";
import type { Recorder } from "../../../ops/recorder.js";
import { isPrimitive, opcode } from "../../../ops/table.js";
import { call, callRow } from "../../../tape/callsite.js";
import type { Operand, TracedNumber } from "../../../tape/traced.js";
import { cutInCall } from "../notes.js";
import { recording, traced } from "../operators.js";
import { toNumeric } from "../primitive.js";
import type { Patches } from "./patch.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- Math takes anything */

const unary =
  "abs sign exp expm1 log log1p log2 log10 sqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh".split(
    " ",
  );
const binary = ["pow", "atan2"];
const steps = ["floor", "ceil", "round", "trunc", "clz32", "fround"];

/** An operand, converted as Math would. */
function operand(x: any): Operand {
  if (typeof x === "number") return x;
  const value = toNumeric(x);
  return traced(value) ? value : +value;
}

type Unary = (recorder: Recorder, x: TracedNumber, site: number, scope: number) => TracedNumber;

/** A function of one operand that is no number and not recorded in lean memory. */
function unaryOf(original: (x: any) => number, record: Unary): (x: any) => unknown {
  return (x) => {
    const value = traced(x) ? x : operand(x);
    if (typeof value === "number") return original(value);
    return record(recording(call.site), value, call.site, callRow());
  };
}

function binaryOf(original: (a: any, b: any) => number, op: number) {
  return {
    of(a: any, b: any): unknown {
      if (typeof a === "number" && typeof b === "number") return original(a, b);
      const left = operand(a);
      const right = operand(b);
      if (typeof left === "number" && typeof right === "number") return original(left, right);
      return recording(call.site).binary(op, left, right, call.site, callRow());
    },
  }.of;
}

/** The functions of the table of one operand by name. */
const recordOf = fast as unknown as Readonly<Record<string, Unary>>;

function stepOf(name: string, original: (x: any) => number) {
  return {
    of(x: any): unknown {
      const value = operand(x);
      return original(
        typeof value === "number" ? value : cutInCall(value, call.site, `rounded by Math.${name}`),
      );
    },
  }.of;
}

/** `max`, `min`, `hypot` take any number of operands: they become a chain of the primitive of two. */
function variadicOf(original: (...xs: any[]) => number, op: number, single: (x: Operand) => unknown) {
  const slow = (xs: readonly any[]): unknown => {
    const operands = xs.map(operand);
    if (!operands.some(traced)) return original(...operands);
    if (operands.length === 1) return single(operands[0]);
    const recorder = recording(call.site);
    let result = operands[0];
    for (const next of operands.slice(1)) {
      result =
        typeof result === "number" && typeof next === "number"
          ? original(result, next)
          : recorder.binary(op, result, next, call.site, callRow());
    }
    return result;
  };
  return {
    of(a: any, b: any, ...rest: any[]): unknown {
      if (rest.length === 0 && typeof a === "number" && typeof b === "number") return original(a, b);
      // eslint-disable-next-line prefer-rest-params
      return slow(Array.prototype.slice.call(arguments));
    },
  }.of;
}

export function patchMath(patches: Patches, math: any): void {
  for (const name of unary) {
    if (isPrimitive(name))
      patches.method(math, name, (original) =>
        leanFunctions[name](original, unaryOf(original, recordOf[name])),
      );
  }
  for (const name of binary) patches.method(math, name, (original) => binaryOf(original, opcode(name)));
  for (const name of steps) patches.method(math, name, (original) => stepOf(name, original));
  patches.method(
    math,
    "imul",
    (original) =>
      ({
        of(a: any, b: any): unknown {
          const plain = (x: Operand): number =>
            typeof x === "number" ? x : cutInCall(x, call.site, "used in Math.imul");
          return original(plain(operand(a)), plain(operand(b)));
        },
      }).of,
  );
  const abs = opcode("abs");
  for (const name of ["max", "min"]) {
    patches.method(math, name, (original) => variadicOf(original, opcode(name), (x) => x));
  }
  patches.method(math, "hypot", (original) =>
    variadicOf(original, opcode("hypot"), (x) =>
      typeof x === "number" ? original(x) : recording(call.site).unary(abs, x, call.site, callRow()),
    ),
  );
}
