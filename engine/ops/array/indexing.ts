/**
 * Elements by index parameters: gather, take, and their adjoints scatterAdd, indexAdd, segmentSum. The indices are no
 * operands: nothing can be differentiated with respect to them. Repeated indices add up.
 */
import { sameShape, shapeText, sizeOf, stridesOf, type NDArray, type Shape } from "../../tape/ndarray.js";
import type { Algebra } from "./algebra.js";
import { axisOf } from "./axes.js";
import { indicesOf, integersOf, integerOf, wantRank, type Indices } from "./index-params.js";
import { axisMoves, defineMove, flatMoves, pick, putBack, type Moves } from "./moves.js";
import { defineArray, ShapeError, type ArrayPrimitive, type ArraySpec, type Params } from "./row.js";

interface Along {
  readonly axis: number;
  readonly index: Indices;
}

/** Axis and index of gather and scatterAdd: the index has the operand's rank and is nowhere longer but along the axis. */
function along(name: string, x: Shape, params: Params): Along {
  const axis = axisOf(name, params.axis ?? 0, x);
  const index = indicesOf(name, params.index, x, axis);
  const { shape } = index;
  if (shape.length !== x.length || shape.some((length, i) => i !== axis && length > x[i]))
    throw new ShapeError(
      `${name}: an index of shape ${shapeText(shape)} does not fit the shape ${shapeText(x)}: the same number of axes is needed, none longer but axis ${axis}`,
    );
  return { axis, index };
}

/** Source of element (i, j, ..) of the index: the same place, but for the index along the axis. */
function alongMoves(x: Shape, { axis, index }: Along): Moves {
  const strides = stridesOf(x);
  const { shape, data } = index;
  const sources = new Int32Array(data.length);
  const at = new Array<number>(shape.length).fill(0);
  for (let i = 0; i < data.length; i++) {
    let source = data[i] * strides[axis];
    for (let d = 0; d < at.length; d++) if (d !== axis) source += at[d] * strides[d];
    sources[i] = source;
    for (let d = at.length - 1; d >= 0 && ++at[d] === shape[d]; d--) at[d] = 0;
  }
  return flatMoves(sources);
}

/** `axis` absent or null takes from all elements in their order. */
function taken(x: Shape, params: Params): { from: Shape; axis: number; index: Indices } {
  const flat = params.axis === undefined || params.axis === null;
  const from = flat ? [sizeOf(x)] : x;
  const axis = flat ? 0 : axisOf("take", params.axis, x);
  return { from, axis, index: indicesOf("take", params.index, from, axis) };
}

/** A list of places along an axis, for rows that add there. */
function places(name: string, base: Shape, params: Params): { axis: number; index: Indices } {
  const axis = axisOf(name, params.axis ?? 0, base);
  const index = indicesOf(name, params.index, base, axis);
  if (index.shape.length !== 1)
    throw new ShapeError(`${name}: the index must be a list, not of shape ${shapeText(index.shape)}`);
  return { axis, index };
}

const rowMoves = (x: Shape, axis: number, index: Int32Array): Moves =>
  axisMoves(
    x,
    x.map((_, i) => (i === axis ? index : null)),
  );

/** Rows that add updates into a base: both linear, so their derivative is themselves. */
function defineAdding(
  spec: Pick<ArraySpec, "name" | "formula" | "rule" | "doc"> & {
    check(base: Shape, updates: Shape, params: Params): void;
    add(base: NDArray, updates: NDArray, params: Params, round: ((x: number) => number) | null): Float64Array;
    /** cotangents of the updates */
    pull<T>(k: Algebra<T>, g: T, updates: Shape, params: Params): T;
  },
): ArrayPrimitive {
  const { check, add, pull, ...texts } = spec;
  return defineArray({
    ...texts,
    operands: ["base", "updates"],
    shape([base, updates], params) {
      check(base, updates, params);
      return base;
    },
    value: ([base, updates], params, _shape, k) => add(base, updates, params, k.round),
    vjp: (slot, k, g, [, updates], _output, params) =>
      slot === 0 ? g : pull(k, g, k.shape(updates), params),
    jvp(k, [t, u], [base], _output, params) {
      if (u === null) return t;
      return k.apply(spec.name, [t ?? k.filled(k.shape(base), 0), u], params);
    },
    saves: () => [],
    cost: ([, updates]) => sizeOf(updates),
  });
}

/** The updates that an index reaches: scatterAdd leaves those beyond its own lengths alone. */
function reached({ shape, data }: NDArray, index: Shape): Float64Array {
  if (sameShape(shape, index)) return data;
  const maps = index.map((length) => Int32Array.from({ length }, (_, i) => i));
  return pick(data, axisMoves(shape, maps));
}

function segments(x: Shape, params: Params): { count: number; ids: Int32Array } {
  wantRank("segmentSum", x, 1);
  const { shape, data: ids } = integersOf("segmentSum", "segmentIds", params.segmentIds);
  if (shape.length !== 1 || ids.length !== x[0])
    throw new ShapeError(
      `segmentSum: segmentIds of shape ${shapeText(shape)} do not fit the shape ${shapeText(x)}: one number for each of the ${x[0]} slices of axis 0 is needed`,
    );
  const largest = ids.reduce((a, b) => Math.max(a, b), -1);
  const count = integerOf("segmentSum", "numSegments", params.numSegments, largest + 1);
  for (const id of ids)
    if (id < 0 || id >= count)
      throw new ShapeError(
        `segmentSum: segment ${id} is out of range for ${count} segments of axis 0 of ${shapeText(x)}`,
      );
  return { count, ids };
}

export const indexing: readonly ArrayPrimitive[] = [
  defineMove({
    name: "gather",
    shape: (x, params) => along("gather", x, params).index.shape,
    moves: (x, params) => alongMoves(x, along("gather", x, params)),
    formula: "x[index[i, j, ..], j, ..]",
    rule: "g added at the indices",
    doc: "For every element of the index, the element at that place along the axis (torch.gather, take_along_axis).",
  }),
  defineMove({
    name: "take",
    shape(x, params) {
      const { from, axis, index } = taken(x, params);
      return [...from.slice(0, axis), ...index.shape, ...from.slice(axis + 1)];
    },
    moves(x, params) {
      const { from, axis, index } = taken(x, params);
      return rowMoves(from, axis, index.data);
    },
    formula: "x[.., index, ..]",
    rule: "g added at the indices",
    doc: "Whole slices of an axis by index, in the index's shape; negative indices count from the end (numpy.take).",
  }),
  defineAdding({
    name: "scatterAdd",
    check(base, updates, params) {
      const { index } = along("scatterAdd", base, params);
      if (updates.length !== base.length || index.shape.some((length, i) => length > updates[i]))
        throw new ShapeError(
          `scatterAdd: an index of shape ${shapeText(index.shape)} does not fit updates of shape ${shapeText(updates)}`,
        );
    },
    add(base, updates, params, round) {
      const where = along("scatterAdd", base.shape, params);
      const { shape } = where.index;
      return putBack(base.data.slice(), reached(updates, shape), alongMoves(base.shape, where), round);
    },
    pull(k, g, updates, params) {
      const part = k.apply("gather", [g], params);
      const own = k.shape(part);
      if (sameShape(own, updates)) return part;
      return k.apply("pad", [part], {
        widths: updates.map((length, i) => [0, length - own[i]]),
        mode: "constant",
        value: 0,
      });
    },
    formula: "base, with updates added at the indices",
    rule: "g; gather(g, index)",
    doc: "Adds every update to the base at its index along the axis (torch.scatter_add); repeated indices add up.",
  }),
  defineAdding({
    name: "indexAdd",
    check(base, updates, params) {
      const { axis, index } = places("indexAdd", base, params);
      const wanted = base.map((length, i) => (i === axis ? index.data.length : length));
      if (!sameShape(updates, wanted))
        throw new ShapeError(
          `indexAdd: updates of shape ${shapeText(updates)} do not fit the base ${shapeText(base)} with ${index.data.length} indices along axis ${axis}: ${shapeText(wanted)} is needed`,
        );
    },
    add(base, updates, params, round) {
      const { axis, index } = places("indexAdd", base.shape, params);
      return putBack(base.data.slice(), updates.data, rowMoves(base.shape, axis, index.data), round);
    },
    pull: (k, g, _updates, params) => k.apply("take", [g], { index: params.index, axis: params.axis ?? 0 }),
    formula: "base, with slices of updates added at the indices",
    rule: "g; take(g, index, axis)",
    doc: "Adds slices of the updates to slices of the base by index along an axis; repeated indices add up.",
  }),
  defineArray({
    name: "segmentSum",
    operands: ["x"],
    shape: ([x], params) => [segments(x, params).count, ...x.slice(1)],
    value([x], params, shape, k) {
      const { ids } = segments(x.shape, params);
      return putBack(new Float64Array(sizeOf(shape)), x.data, rowMoves(shape, 0, ids), k.round);
    },
    vjp: (_slot, k, g, _operands, _output, params) =>
      k.apply("take", [g], { index: params.segmentIds, axis: 0 }),
    jvp: (k, [t], _operands, _output, params) => (t === null ? null : k.apply("segmentSum", [t], params)),
    saves: () => [],
    cost: ([x]) => sizeOf(x),
    formula: "sum of x[i] over i with segmentIds[i] = s",
    rule: "g[segmentIds]",
    doc: "Sums the slices of the first axis that share a segment number; an empty segment gives 0.",
  }),
];
