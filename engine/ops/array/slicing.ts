/** Parts of arrays: slice, split, flip, roll, diff. */
import { shapeText, sizeOf, type Shape } from "../../tape/ndarray.js";
import { axesOf, axisOf } from "./axes.js";
import { countList, integerList, integerOf, isInteger } from "./index-params.js";
import { axisMoves, defineMove, type AxisMap } from "./moves.js";
import { defineArray, ShapeError, type ArrayPrimitive, type Params } from "./row.js";

/** Indices from start to stop (not included) by step. */
function range(start: number, stop: number, step: number): Int32Array {
  const count = Math.max(0, Math.ceil((stop - start) / step));
  const map = new Int32Array(count);
  for (let i = 0; i < count; i++) map[i] = start + i * step;
  return map;
}

interface AxisSlice {
  readonly map: AxisMap;
  /** length of the axis in the output; null: one index was taken and the axis is gone */
  readonly length: number | null;
}

/**
 * One entry of `slices`, with Python's meaning: `[start, stop, step]`, each null for its default, negative positions
 * from the end, positions beyond the ends held at them; a single integer takes one index and drops the axis.
 */
function axisSlice(entry: unknown, shape: Shape, axis: number): AxisSlice {
  const length = shape[axis];
  if (entry === null || entry === undefined) return { map: null, length };
  if (isInteger(entry)) {
    if (entry < -length || entry >= length)
      throw new ShapeError(
        `slice: index ${entry} is out of range for axis ${axis} (length ${length}) of the shape ${shapeText(shape)}`,
      );
    return { map: Int32Array.of(entry < 0 ? entry + length : entry), length: null };
  }
  if (!Array.isArray(entry) || entry.length > 3)
    throw new ShapeError(`slice: axis ${axis} needs [start, stop, step] or an index, not ${String(entry)}`);
  const [first, end, by] = (entry as unknown[]).map((part) => {
    if (part === null || part === undefined || isInteger(part)) return part ?? null;
    throw new ShapeError(`slice: start, stop and step of axis ${axis} must be integers, not ${String(part)}`);
  });
  const step = by ?? 1;
  if (step === 0) throw new ShapeError(`slice: the step of axis ${axis} must not be 0`);
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const held = (at: number): number => Math.min(high, Math.max(low, at < 0 ? at + length : at));
  const start = first === null || first === undefined ? (step > 0 ? low : high) : held(first);
  const stop = end === null || end === undefined ? (step > 0 ? high : low) : held(end);
  if (step === 1) {
    const count = Math.max(0, stop - start);
    return { map: count === length ? null : { start, count }, length: count };
  }
  const map = range(start, stop, step);
  return { map, length: map.length };
}

function slicesOf(x: Shape, params: Params): AxisSlice[] {
  const { slices } = params;
  if (!Array.isArray(slices))
    throw new ShapeError("slice: slices must be a list with [start, stop, step] for each axis");
  if (slices.length > x.length)
    throw new ShapeError(`slice: ${slices.length} slices were given for the shape ${shapeText(x)}`);
  return x.map((_, axis) => axisSlice(slices[axis], x, axis));
}

interface Part {
  readonly axis: number;
  readonly start: number;
  readonly length: number;
}

/** The part of an axis that `take` names. */
function partOf(x: Shape, params: Params): Part {
  const axis = axisOf("split", params.axis ?? 0, x);
  const sizes = countList("split", "sizes", params.sizes);
  const sum = sizes.reduce((a, b) => a + b, 0);
  if (sum !== x[axis])
    throw new ShapeError(
      `split: sizes [${sizes.join(", ")}] add up to ${sum}, but axis ${axis} of the shape ${shapeText(x)} has length ${x[axis]}`,
    );
  const take = integerOf("split", "take", params.take, 0);
  if (take < 0 || take >= sizes.length)
    throw new ShapeError(`split: there is no part ${take} of ${sizes.length}`);
  return { axis, start: sizes.slice(0, take).reduce((a, b) => a + b, 0), length: sizes[take] };
}

function replaced(x: Shape, axis: number, length: number): Shape {
  return x.map((own, i) => (i === axis ? length : own));
}

/** Shift by axis; `axis` absent or null rolls the elements in their order as one axis. */
function rollMaps(x: Shape, params: Params): { from: Shape; maps: AxisMap[] } {
  const shifts = integerList("roll", "shifts", params.shifts);
  const flat = params.axis === undefined || params.axis === null;
  const from = flat ? [sizeOf(x)] : x;
  const axes = flat ? [0] : integerList("roll", "axis", params.axis).map((axis) => axisOf("roll", axis, x));
  if (shifts.length !== axes.length)
    throw new ShapeError(`roll: ${shifts.length} shifts were given for ${axes.length} axes`);
  const total = from.map(() => 0);
  axes.forEach((axis, i) => (total[axis] += shifts[i]));
  const maps = from.map((length, axis) => {
    if (length === 0 || total[axis] % length === 0) return null;
    const map = new Int32Array(length);
    for (let i = 0; i < length; i++) map[i] = (((i - total[axis]) % length) + length) % length;
    return map;
  });
  return { from, maps };
}

/** Slices that leave the axes before this one whole. */
const entryAt = (axis: number, entry: readonly unknown[]): unknown[] => [
  ...new Array<null>(axis).fill(null),
  entry,
];

function diffOf(x: Shape, params: Params): { axis: number; n: number } {
  const n = integerOf("diff", "n", params.n, 1);
  if (n < 0) throw new ShapeError("diff: n must not be negative");
  return { axis: axisOf("diff", params.axis ?? -1, x), n };
}

export const slicing: readonly ArrayPrimitive[] = [
  defineMove({
    name: "slice",
    shape(x, params) {
      const shape: number[] = [];
      for (const { length } of slicesOf(x, params)) if (length !== null) shape.push(length);
      return shape;
    },
    moves: (x, params) =>
      axisMoves(
        x,
        slicesOf(x, params).map(({ map }) => map),
      ),
    formula: "x[start:stop:step, ...]",
    rule: "g in its place among zeros",
    doc: "A part of every axis by [start, stop, step] as in Python, null for a default; an integer drops its axis.",
  }),
  defineMove({
    name: "split",
    shape(x, params) {
      const { axis, length } = partOf(x, params);
      return replaced(x, axis, length);
    },
    moves(x, params) {
      const part = partOf(x, params);
      const map = range(part.start, part.start + part.length, 1);
      return axisMoves(
        x,
        x.map((_, axis) => (axis === part.axis ? map : null)),
      );
    },
    formula: "split(x, sizes, axis)[take]",
    rule: "g in its place among zeros",
    doc: "One part of an axis cut into parts of these sizes.",
  }),
  defineMove({
    name: "flip",
    shape(x, params) {
      axesOf("flip", params.axes, x);
      return x;
    },
    moves(x, params) {
      const axes = new Set(axesOf("flip", params.axes, x));
      return axisMoves(
        x,
        x.map((length, axis) => (axes.has(axis) ? range(length - 1, -1, -1) : null)),
      );
    },
    formula: "flip(x, axes)",
    rule: "flip(g, axes)",
    doc: "Axes in reverse order, all by default.",
  }),
  defineMove({
    name: "roll",
    shape(x, params) {
      rollMaps(x, params);
      return x;
    },
    moves(x, params) {
      const { from, maps } = rollMaps(x, params);
      return axisMoves(from, maps);
    },
    formula: "roll(x, shifts, axis)",
    rule: "roll(g, -shifts, axis)",
    doc: "Elements moved along axes by shifts, those that leave come in at the other end; over all elements by default.",
  }),
  defineArray({
    name: "diff",
    operands: ["x"],
    shape([x], params) {
      const { axis, n } = diffOf(x, params);
      return replaced(x, axis, Math.max(0, x[axis] - n));
    },
    value([x], params, _shape, k) {
      const { axis, n } = diffOf(x.shape, params);
      let result = x;
      for (let left = n; left > 0; left--) {
        const later = k.apply("slice", [result], { slices: entryAt(axis, [1, null, 1]) });
        const earlier = k.apply("slice", [result], { slices: entryAt(axis, [0, later.shape[axis], 1]) });
        result = k.sub(later, earlier);
      }
      return result.data;
    },
    vjp(_slot, k, g, [x], _output, params) {
      const shape = k.shape(x);
      const { axis, n } = diffOf(shape, params);
      const padded = (before: number, after: number, part: typeof g): typeof g => {
        const widths = shape.map((_, i) => (i === axis ? [before, after] : [0, 0]));
        return k.apply("pad", [part], { widths, mode: "constant", value: 0 });
      };
      // nothing is left of an axis shorter than n: nothing flows back
      if (shape[axis] <= n && n > 0) return k.filled(shape, 0);
      let part = g;
      for (let left = n; left > 0; left--) part = k.sub(padded(1, 0, part), padded(0, 1, part));
      return part;
    },
    jvp: (k, [t], _operands, _output, params) => (t === null ? null : k.apply("diff", [t], params)),
    saves: () => [],
    cost: (_shapes, shape, params) => sizeOf(shape) * integerOf("diff", "n", params.n, 1),
    formula: "x[i+1] - x[i]",
    rule: "g[i-1] - g[i], 0 beyond the ends",
    doc: "Differences of neighbours along an axis (the last by default), n times.",
  }),
];
