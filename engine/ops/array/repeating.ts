/** Arrays made longer: pad, tile, repeat. */
import { shapeText, sizeOf, type Shape } from "../../tape/ndarray.js";
import { axisOf } from "./axes.js";
import { countList, isInteger } from "./index-params.js";
import { axisMoves, defineMove, type AxisMap } from "./moves.js";
import { ShapeError, type ArrayPrimitive, type Params } from "./row.js";

const modes = ["constant", "reflect", "edge", "wrap"] as const;
type Mode = (typeof modes)[number];

function widthsOf(x: Shape, params: Params): [number, number][] {
  const { widths } = params;
  const mode = modeOf(params);
  if (!Array.isArray(widths) || widths.length !== x.length)
    throw new ShapeError(
      `pad: widths must give [before, after] for each of the ${x.length} axes of the shape ${shapeText(x)}`,
    );
  return (widths as unknown[]).map((pair, axis) => {
    if (!Array.isArray(pair) || pair.length !== 2 || !pair.every((n) => isInteger(n) && n >= 0))
      throw new ShapeError(`pad: the widths of axis ${axis} must be two counts [before, after]`);
    const [before, after] = pair as [number, number];
    if (mode !== "constant" && x[axis] === 0 && before + after > 0)
      throw new ShapeError(`pad: axis ${axis} of ${shapeText(x)} is empty: there is nothing to ${mode}`);
    return [before, after];
  });
}

function modeOf(params: Params): Mode {
  const mode = modes.find((one) => one === (params.mode ?? "constant"));
  if (mode === undefined) throw new ShapeError(`pad: the mode must be one of ${modes.join(", ")}`);
  return mode;
}

function fillOf(params: Params): number {
  const value = params.value ?? 0;
  if (typeof value !== "number")
    throw new ShapeError(`pad: the value must be a number, not ${String(value)}`);
  return value;
}

/** Remainder of a floor division. */
const modulo = (i: number, n: number): number => ((i % n) + n) % n;

/** Source of a position before, in or after an axis of this length; reflections go on as often as needed. */
function sourceOf(i: number, length: number, mode: Mode): number {
  if (i >= 0 && i < length) return i;
  switch (mode) {
    case "constant":
      return -1;
    case "edge":
      return i < 0 ? 0 : length - 1;
    case "wrap":
      return modulo(i, length);
    case "reflect": {
      if (length === 1) return 0;
      const at = modulo(i, 2 * (length - 1));
      return Math.min(at, 2 * (length - 1) - at);
    }
  }
}

function padMap(length: number, [before, after]: readonly [number, number], mode: Mode): AxisMap {
  if (before === 0 && after === 0) return null;
  return Int32Array.from({ length: before + length + after }, (_, i) => sourceOf(i - before, length, mode));
}

interface Repeats {
  readonly from: Shape;
  readonly axis: number;
  readonly map: Int32Array;
}

/** `axis` absent or null repeats the elements in their order. */
function repeatsOf(x: Shape, params: Params): Repeats {
  const flat = params.axis === undefined || params.axis === null;
  const from = flat ? [sizeOf(x)] : x;
  const axis = flat ? 0 : axisOf("repeat", params.axis, x);
  const counts = countList("repeat", "repeats", params.repeats);
  const length = from[axis];
  if (counts.length !== 1 && counts.length !== length)
    throw new ShapeError(
      `repeat: ${counts.length} counts were given for axis ${axis} (length ${length}) of the shape ${shapeText(from)}`,
    );
  const map: number[] = [];
  for (let i = 0; i < length; i++) {
    for (let left = counts[counts.length === 1 ? 0 : i]; left > 0; left--) map.push(i);
  }
  return { from, axis, map: Int32Array.from(map) };
}

/** Operand shape and repetitions with the same number of axes, leading ones of 1. */
function tiling(x: Shape, params: Params): { from: Shape; reps: number[] } {
  const reps = countList("tile", "reps", params.reps);
  const rank = Math.max(reps.length, x.length);
  const led = (list: readonly number[]): number[] => [
    ...new Array<number>(rank - list.length).fill(1),
    ...list,
  ];
  return { from: led(x), reps: led(reps) };
}

export const repeating: readonly ArrayPrimitive[] = [
  defineMove({
    name: "pad",
    shape(x, params) {
      fillOf(params);
      return widthsOf(x, params).map(([before, after], axis) => before + x[axis] + after);
    },
    moves(x, params) {
      const mode = modeOf(params);
      return axisMoves(
        x,
        widthsOf(x, params).map((pair, axis) => padMap(x[axis], pair, mode)),
      );
    },
    fill: fillOf,
    formula: "pad(x, widths, mode)",
    rule: "g of the elements, and of their copies in the border",
    doc: "A border around an array: a constant value, its reflection (edge not repeated), its edge or its other end.",
  }),
  defineMove({
    name: "tile",
    shape(x, params) {
      const { from, reps } = tiling(x, params);
      return from.map((length, axis) => length * reps[axis]);
    },
    moves(x, params) {
      const { from, reps } = tiling(x, params);
      return axisMoves(
        from,
        from.map((length, axis) =>
          reps[axis] === 1 ? null : Int32Array.from({ length: length * reps[axis] }, (_, i) => i % length),
        ),
      );
    },
    formula: "tile(x, reps)",
    rule: "sum of g over the copies",
    doc: "The whole array over and over along its axes; missing leading axes count 1 (numpy.tile).",
  }),
  defineMove({
    name: "repeat",
    shape(x, params) {
      const { from, axis, map } = repeatsOf(x, params);
      return from.map((length, i) => (i === axis ? map.length : length));
    },
    moves(x, params) {
      const { from, axis, map } = repeatsOf(x, params);
      return axisMoves(
        from,
        from.map((_, i) => (i === axis ? map : null)),
      );
    },
    formula: "repeat(x, repeats, axis)",
    rule: "sum of g over the copies",
    doc: "Every slice of an axis several times in a row; over all elements by default (numpy.repeat).",
  }),
];
