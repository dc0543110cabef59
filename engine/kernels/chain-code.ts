/**
 * Code for a fused chain: a WebAssembly module of one function, all steps in registers, one load for each input and one
 * store for each output. The interpreter (wasm/chain.ts) passes every intermediate value through the cache; where a chain
 * runs often, this is several times as fast. The operations and the order of sums are the same.
 */
import {
  and,
  bitselect,
  flat,
  get,
  load,
  number,
  section,
  set,
  store,
  text,
  unsigned,
  vector,
  type Code,
} from "./binary-format.js";
import { FIRST_FUNCTION, Op } from "./codes.js";
import { INSTRUCTION, type Plan } from "./fuse.js";
import { BLOCK } from "./layout.js";
import { Region } from "./native.js";

/** Opcodes of the SIMD instructions that differ between formats, behind the prefix 0xfd. */
interface Simd {
  readonly size: 4 | 8;
  /** compares and arithmetic start here, in the order of the specification */
  readonly eq: number;
  readonly abs: number;
  readonly ceil: number;
  readonly floor: number;
  readonly trunc: number;
  readonly loadZero: number;
  readonly storeLane: number;
  readonly extract: number;
  readonly loadScalar: number;
  readonly storeScalar: number;
  readonly addScalar: number;
}

const simd32: Simd = {
  size: 4,
  eq: 0x41,
  abs: 0xe0,
  ceil: 0x67,
  floor: 0x68,
  trunc: 0x69,
  loadZero: 0x5c,
  storeLane: 0x5a,
  extract: 0x1f,
  loadScalar: 0x2a,
  storeScalar: 0x38,
  addScalar: 0x92,
};

const simd64: Simd = {
  size: 8,
  eq: 0x47,
  abs: 0xec,
  ceil: 0x74,
  floor: 0x75,
  trunc: 0x7a,
  loadZero: 0x5d,
  storeLane: 0x5b,
  extract: 0x21,
  loadScalar: 0x2b,
  storeScalar: 0x39,
  addScalar: 0xa0,
};

const I32 = 0x7f;
const V128 = 0x7b;
const VOID = 0x40;

/** Steps above which the interpreter is as good: values no longer stay in registers. */
const MOST_STEPS = 96;

/** True if code can be made for this chain: no call of JavaScript, and not too long. */
export function encodable({ instructions, sums }: Plan): boolean {
  if (instructions.length > MOST_STEPS * INSTRUCTION || sums.length > 4) return false;
  for (let w = 0; w < instructions.length; w += INSTRUCTION)
    if (instructions[w] >= FIRST_FUNCTION) return false;
  return true;
}

/** Place of the lanes of a sum, and of its stack of partial sums. */
export const lanesOf = (sum: number): number => Region.chain + 40_960 + 64 * sum;
export const stackOf = (sum: number): number => Region.chain + 64 + 400 * sum;

/** while (counter != 0) { body; counter -= step } */
function loop(counter: number, body: Code, step: Code): Code {
  return [
    [0x02, VOID, 0x03, VOID],
    [get(counter), 0x45, 0x0d, 1],
    body,
    [get(counter), step, 0x6b, set(counter), 0x0c, 0],
    [0x0b, 0x0b],
  ];
}

/** One number in every lane. */
function splat({ size }: Simd, value: number): Code {
  const lanes = size === 8 ? new Float64Array(2).fill(value) : new Float32Array(4).fill(value);
  return vector(0x0c, ...new Uint8Array(lanes.buffer));
}

/** What operations are made of, in one format. */
function parts(simd: Simd) {
  const arithmetic = (i: number): Code => vector(simd.abs + i);
  const compare = (i: number): Code => vector(simd.eq + i);
  return {
    one: splat(simd, 1),
    zero: splat(simd, 0),
    minus: splat(simd, -1),
    nan: splat(simd, NaN),
    abs: arithmetic(0),
    neg: arithmetic(1),
    sqrt: arithmetic(3),
    add: arithmetic(4),
    sub: arithmetic(5),
    mul: arithmetic(6),
    div: arithmetic(7),
    min: arithmetic(8),
    max: arithmetic(9),
    same: compare(0),
    differ: compare(1),
    less: compare(2),
    greater: compare(3),
    greaterEqual: compare(5),
    floor: vector(simd.floor),
    ceil: vector(simd.ceil),
    trunc: vector(simd.trunc),
  };
}

const parts32 = parts(simd32);
const parts64 = parts(simd64);

/** Code that leaves the result of an operation on the stack. */
function operation(of: typeof parts64, op: number, a: Code, b: Code, c: Code): Code {
  const { one, zero, add, sub, mul, div, same, differ, less, greater } = of;
  switch (op) {
    case Op.add:
      return [a, b, add];
    case Op.sub:
      return [a, b, sub];
    case Op.mul:
      return [a, b, mul];
    case Op.div:
      return [a, b, div];
    case Op.min:
      return [a, b, of.min];
    case Op.max:
      return [a, b, of.max];
    case Op.greater:
      return [a, b, greater, one, and];
    case Op.greaterEqual:
      return [a, b, of.greaterEqual, one, and];
    case Op.equal:
      return [a, b, same, one, and];
    case Op.neg:
      return [a, of.neg];
    case Op.abs:
      return [a, of.abs];
    case Op.sqrt:
      return [a, of.sqrt];
    case Op.square:
      return [a, a, mul];
    case Op.copy:
      return a;
    case Op.reciprocal:
      return [one, a, div];
    case Op.floor:
      return [a, of.floor];
    case Op.ceil:
      return [a, of.ceil];
    case Op.trunc:
      return [a, of.trunc];
    case Op.sign: {
      const negative = [of.minus, a, a, zero, less, bitselect];
      return [one, negative, a, zero, greater, bitselect];
    }
    case Op.relu:
      return [a, zero, of.max];
    case Op.step:
      return [of.nan, a, zero, greater, one, and, a, a, differ, bitselect];
    case Op.mulAdd:
      return [a, b, mul, c, add];
    case Op.mulSub:
      return [a, b, mul, c, sub];
    case Op.subMul:
      return [c, a, b, mul, sub];
    default:
      return [b, c, a, a, same, a, zero, differ, and, bitselect];
  }
}

/**
 * The module, for elements of `size` bytes: `run(n)` over arrays whose places stand in the slots region; constants and scalars stand splatted in the
 * blocks region, 16 bytes each in their order. Imports the memory and `finish(lanes, stack)`, which adds the sum of a block.
 */
export function chainCode(chain: Plan, size: number): Uint8Array {
  const simd = size === 8 ? simd64 : simd32;
  const of = size === 8 ? parts64 : parts32;
  const numbers = chain.constants.length + chain.scalars;
  const firstOutput = chain.inputs + numbers;
  const slots = firstOutput + chain.outputs + chain.temporaries;
  const arrays: readonly number[] = [
    ...Array.from({ length: chain.inputs }, (_, i) => i),
    ...Array.from({ length: chain.outputs }, (_, i) => firstOutput + i),
  ];
  const unrolled = size / 2;
  // locals: n, a place for each array, three counters, then vectors: slots and accumulators
  const n = 0;
  const place = new Map(arrays.map((slot, i) => [slot, 1 + i]));
  const [length, left, lane] = [0, 1, 2].map((i) => 1 + arrays.length + i);
  const value = (slot: number): number => 4 + arrays.length + slot;
  const sum = (s: number, u: number): number => value(slots) + s * unrolled + u;
  const sums = Array.from(chain.sums);

  const steps: Code[] = [];
  for (let w = 0; w < chain.instructions.length; w += INSTRUCTION) {
    const [op, out, a, b, c] = chain.instructions.subarray(w, w + INSTRUCTION);
    steps.push(operation(of, op, get(value(a)), get(value(b)), get(value(c))), set(value(out)));
  }
  const inputs = arrays.slice(0, chain.inputs);
  const outputs = arrays.slice(chain.inputs);
  const advance = (bytes: number): Code =>
    arrays.map((slot) => [get(place.get(slot)!), number(bytes), 0x6a, set(place.get(slot)!)]);
  // an output may be an input's own array, so all is read before anything is written
  const whole = (u: number): Code => [
    inputs.map((slot) => [get(place.get(slot)!), load(16 * u), set(value(slot))]),
    steps,
    outputs.map((slot) => [get(place.get(slot)!), get(value(slot)), store(16 * u)]),
    sums.map((slot, s) => [get(sum(s, u)), get(value(slot)), of.add, set(sum(s, u))]),
  ];
  const single = [
    inputs.map((slot) => [get(place.get(slot)!), vector(simd.loadZero, 0, 0), set(value(slot))]),
    steps,
    outputs.map((slot) => [get(place.get(slot)!), get(value(slot)), vector(simd.storeLane, 0, 0, 0)]),
    sums.map((slot, s) => [
      get(lane),
      [get(lane), simd.loadScalar, 0, unsigned(lanesOf(s))],
      [get(value(slot)), vector(simd.extract, 0), simd.addScalar],
      [simd.storeScalar, 0, unsigned(lanesOf(s))],
    ]),
  ];
  const units = Array.from({ length: unrolled }, (_, u) => u);
  const block = [
    [get(n), number(BLOCK), get(n), number(BLOCK), 0x49, 0x1b, set(length)],
    sums.map((_, s) => units.map((u) => [of.zero, set(sum(s, u))])),
    [get(length), number(3), 0x76, set(left)],
    loop(left, [units.map(whole), advance(8 * size)], number(1)),
    sums.map((_, s) => units.map((u) => [number(lanesOf(s)), get(sum(s, u)), store(16 * u)])),
    [get(length), number(7), 0x71, set(left), number(0), set(lane)],
    loop(left, [single, advance(size), get(lane), number(size), 0x6a, set(lane)], number(1)),
    sums.map((_, s) => [number(lanesOf(s)), number(stackOf(s)), 0x10, 0]),
  ];
  const code = flat([
    // two runs of locals: counters and places, then vectors
    [2, unsigned(arrays.length + 3), I32, unsigned(slots + sums.length * unrolled), V128],
    arrays.map((slot) => [number(Region.slots + 8 * slot), 0x28, 2, 0, set(place.get(slot)!)]),
    Array.from({ length: numbers }, (_, i) => i).map((i) => [
      [number(Region.blocks + 16 * i), load(0), set(value(chain.inputs + i))],
    ]),
    loop(n, block, get(length)),
    0x0b,
  ]);
  return Uint8Array.from(
    flat([
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, [2, 0x60, 1, I32, 0, 0x60, 2, I32, I32, 0]),
      section(2, [2, text("js"), text("finish"), 0, 1, text("env"), text("memory"), 2, 0, 1]),
      section(3, [1, 0]),
      section(7, [1, text("run"), 0, 1]),
      section(10, [1, unsigned(code.length), code]),
    ]),
  );
}
