/**
 * Operations that move elements: every element of the output is one element of the operand, or a fill value. They are
 * linear, so one description, where each element comes from, gives the value, the JVP (the same move of the tangent) and
 * the VJP (each cotangent added back to where its element came from), to any order.
 */
import { sizeOf, stridesOf, type Shape } from "../../tape/ndarray.js";
import type { Rounder } from "../dtype.js";
import { Embedded } from "./embedded.js";
import type { NumericAlgebra } from "./numeric.js";
import { defineArray, type ArrayPrimitive, type Params } from "./row.js";

/** Neighbouring indices of an axis. */
export interface AxisRange {
  readonly start: number;
  readonly count: number;
}

/** Source index along an axis for every index of the output, -1 for none; a range of it; null: the axis as it is. */
export type AxisMap = Int32Array | AxisRange | null;

function listed({ start, count }: AxisRange): Int32Array {
  const out = new Int32Array(count);
  for (let i = 0; i < count; i++) out[i] = start + i;
  return out;
}

/** Where elements come from: `block` consecutive ones from every sum of a base and an offset; negative: from nowhere. */
export interface Moves {
  readonly bases: Int32Array;
  readonly offsets: Int32Array;
  readonly block: number;
}

/** Moves that treat every axis for itself. */
export function axisMoves(from: Shape, maps: readonly AxisMap[]): Moves {
  const strides = stridesOf(from);
  let last = maps.length - 1;
  while (last >= 0 && maps[last] === null) last--;
  if (last < 0) return { bases: Int32Array.of(0), offsets: Int32Array.of(0), block: sizeOf(from) };
  let bases: Int32Array = Int32Array.of(0);
  for (let axis = 0; axis < last; axis++) bases = crossed(bases, maps[axis], from[axis], strides[axis]);
  const map = maps[last];
  if (map !== null && !(map instanceof Int32Array)) {
    const { start, count } = map;
    return { bases, offsets: Int32Array.of(start * strides[last]), block: count * strides[last] };
  }
  const offsets = crossed(Int32Array.of(0), maps[last], from[last], strides[last]);
  return joined(bases, offsets, strides[last]);
}

/** Every base with every index of one more axis. */
function crossed(bases: Int32Array, given: AxisMap, length: number, stride: number): Int32Array {
  const map = given === null || given instanceof Int32Array ? given : listed(given);
  const count = map === null ? length : map.length;
  const out = new Int32Array(bases.length * count);
  let at = 0;
  for (const base of bases) {
    for (let i = 0; i < count; i++) {
      const index = map === null ? i : map[i];
      out[at++] = base < 0 || index < 0 ? -1 : base + index * stride;
    }
  }
  return out;
}

/** A run of neighbouring blocks is one longer block. */
function joined(bases: Int32Array, offsets: Int32Array, block: number): Moves {
  const start = offsets[0];
  if (offsets.length < 2 || start < 0) return { bases, offsets, block };
  for (let i = 1; i < offsets.length; i++)
    if (offsets[i] !== start + i * block) return { bases, offsets, block };
  return { bases, offsets: Int32Array.of(start), block: block * offsets.length };
}

/** Moves given element by element. */
export function flatMoves(sources: Int32Array): Moves {
  return { bases: sources, offsets: Int32Array.of(0), block: 1 };
}

/** The elements, moved. */
export function pick(
  data: Float64Array,
  { bases, offsets, block }: Moves,
  fill = 0,
  zeros: (n: number) => Float64Array = (n) => new Float64Array(n),
): Float64Array {
  const out = zeros(bases.length * offsets.length * block);
  let at = 0;
  for (const base of bases) {
    for (const offset of offsets) {
      const from = base + offset;
      const none = base < 0 || offset < 0;
      if (block === 1) out[at] = none ? fill : data[from];
      else if (none) {
        if (fill !== 0) out.fill(fill, at, at + block);
      } else if (block < 16) for (let i = 0; i < block; i++) out[at + i] = data[from + i];
      else out.set(data.subarray(from, from + block), at);
      at += block;
    }
  }
  return out;
}

/** The place of the only block of moves that take one whole block; -1 for other moves. */
function singleBlock({ bases, offsets }: Moves): number {
  if (bases.length !== 1 || offsets.length !== 1 || bases[0] < 0 || offsets[0] < 0) return -1;
  return bases[0] + offsets[0];
}

/** Adds every element to where it was taken from, in the order of the elements. */
export function putBack(
  out: Float64Array,
  data: Float64Array,
  { bases, offsets, block }: Moves,
  round: Rounder | null,
): Float64Array {
  let at = 0;
  for (const base of bases) {
    for (const offset of offsets) {
      if (base >= 0 && offset >= 0) {
        const to = base + offset;
        if (round === null) for (let i = 0; i < block; i++) out[to + i] += data[at + i];
        else for (let i = 0; i < block; i++) out[to + i] = round(out[to + i] + data[at + i]);
      }
      at += block;
    }
  }
  return out;
}

export interface MoveSpec {
  readonly name: string;
  /** checks the parameters and gives the output's shape */
  shape(x: Shape, params: Params): Shape;
  moves(x: Shape, params: Params): Moves;
  /** the value of elements that come from nowhere; absent: 0 */
  fill?(params: Params): number;
  readonly formula: string;
  readonly rule: string;
  readonly doc: string;
}

const specs = new Map<string, MoveSpec>();

/** True for a row that moves elements. */
export function isMove(name: string): boolean {
  return specs.has(name);
}

/** Parameters of the linear part: a fill is a constant, its tangent 0. */
function linearPart(spec: MoveSpec, params: Params): Params {
  return spec.fill === undefined ? params : { ...params, value: 0 };
}

/** A row that moves elements. */
export function defineMove(spec: MoveSpec): ArrayPrimitive {
  const { name, formula, rule, doc } = spec;
  specs.set(name, spec);
  return defineArray({
    name,
    operands: ["x"],
    shape: ([x], params) => spec.shape(x, params),
    value([x], params, _shape, k) {
      const moves = spec.moves(x.shape, params);
      const from = singleBlock(moves);
      if (from < 0) return pick(x.data, moves, spec.fill?.(params), (n) => k.zeros(n));
      // elements that are not to be kept are not copied either
      if (k.kernels !== null) return x.data.subarray(from, from + moves.block);
      const out = k.alloc(moves.block);
      out.set(x.data.subarray(from, from + moves.block));
      return out;
    },
    pull(_slot, k, g, [{ shape }], _output, params) {
      const moves = spec.moves(shape, params);
      const from = k.kernels === null ? -1 : singleBlock(moves);
      if (from >= 0) return new Embedded(shape, sizeOf(shape), g.data, from, k.room);
      return { shape, data: scattered(g.data, moves, sizeOf(shape), k) };
    },
    vjp: (_slot, k, g, [x], _output, params) =>
      k.apply("scatterBack", [g], { op: name, of: params, shape: k.shape(x) }),
    jvp: (k, [t], _operands, _output, params) =>
      t === null ? null : k.apply(name, [t], linearPart(spec, params)),
    saves: () => [],
    cost: () => 0,
    exact: true,
    formula,
    rule,
    doc,
  });
}

interface BackParams {
  readonly op: string;
  readonly of: Params;
  readonly shape: Shape;
}

const back = (params: Params): BackParams & { spec: MoveSpec } => {
  const { op, of, shape } = params as unknown as BackParams;
  return { op, of, shape, spec: specs.get(op)! };
};

/** Elements added to where they came from, among zeros. */
function scattered(g: Float64Array, moves: Moves, size: number, k: NumericAlgebra): Float64Array {
  const to = singleBlock(moves);
  if (to < 0) return putBack(k.zeros(size), g, moves, k.round);
  return new Embedded([size], size, g, to, k.room).data;
}

export const adjoints: readonly ArrayPrimitive[] = [
  defineArray({
    name: "scatterBack",
    operands: ["g"],
    shape: (_shapes, params) => back(params).shape,
    value([g], params, _shape, k) {
      const { spec, of, shape } = back(params);
      return scattered(g.data, spec.moves(shape, of), sizeOf(shape), k);
    },
    vjp(_slot, k, u, _operands, _output, params) {
      const { op, of, spec } = back(params);
      return k.apply(op, [u], linearPart(spec, of));
    },
    jvp: (k, [t], _operands, _output, params) => (t === null ? null : k.apply("scatterBack", [t], params)),
    saves: () => [],
    cost: ([g]) => sizeOf(g),
    formula: "the adjoint of a move of elements",
    rule: "the move of g",
    doc: "Adds cotangents back to where a slice, gather, pad or other move took its elements from.",
  }),
];
