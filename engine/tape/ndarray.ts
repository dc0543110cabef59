/**
 * An n-d array as the engine computes with it: a shape and its elements in row-major order, always contiguous. The
 * elements are doubles whatever the number format is; f32, f16 and bf16 hold doubles that are representable there.
 * A value is never changed once it is an operand or a node: operations that only rename axes share their operand's data.
 */

/** Lengths by axis; [] is a scalar, a length of 0 an empty array. */
export type Shape = readonly number[];

export interface NDArray {
  readonly shape: Shape;
  readonly data: Float64Array;
}

/** Number of elements of a shape (1 for a scalar). */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (const length of shape) size *= length;
  return size;
}

/** Row-major strides in elements. */
export function stridesOf(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

export function sameShape(a: Shape, b: Shape): boolean {
  if (a.length !== b.length) return false;
  for (let axis = 0; axis < a.length; axis++) if (a[axis] !== b[axis]) return false;
  return true;
}

/** A shape as messages and views write it: `[2, 3]`, `[]` for a scalar. */
export function shapeText(shape: Shape): string {
  return `[${shape.join(", ")}]`;
}

const NO_AXES: Shape = [];

export function scalar(value: number): NDArray {
  // not Float64Array.of, which takes several times as long
  const data = new Float64Array(1);
  data[0] = value;
  return { shape: NO_AXES, data };
}

/** An array filled with one value. */
export function filled(shape: Shape, value: number): NDArray {
  const data = new Float64Array(sizeOf(shape));
  if (value !== 0) data.fill(value);
  return { shape, data };
}

/** Nested arrays of numbers, as JSON has them. */
export type Nested = number | readonly Nested[];

/**
 * Reads nested arrays of numbers; an empty array has the shape [0].
 *
 * @throws RangeError telling where an element is no number, or where a row has another length than its siblings
 */
export function fromNested(nested: unknown): NDArray {
  const shape: number[] = [];
  let level: unknown = nested;
  while (Array.isArray(level)) {
    shape.push(level.length);
    level = level[0];
  }
  const data = new Float64Array(sizeOf(shape));
  let at = 0;
  const fill = (value: unknown, axis: number, path: string): void => {
    if (axis === shape.length) {
      if (typeof value !== "number") throw new RangeError(`element ${path || "[]"} is not a number`);
      data[at++] = value;
      return;
    }
    if (!Array.isArray(value) || value.length !== shape[axis]) {
      const found = Array.isArray(value) ? `has length ${value.length}` : "is not an array";
      throw new RangeError(`${path || "the array"} ${found} where ${shape[axis]} elements were expected`);
    }
    value.forEach((element, i) => fill(element, axis + 1, `${path}[${i}]`));
  };
  fill(nested, 0, "");
  return { shape, data };
}

/** Nested arrays of plain numbers; the number itself for a scalar. Recursion is over the axes only. */
export function toNested({ shape, data }: NDArray): Nested {
  if (shape.length === 0) return data[0];
  const build = (axis: number, at: number, block: number): Nested[] => {
    const length = shape[axis];
    const out = new Array<Nested>(length);
    if (axis === shape.length - 1) for (let i = 0; i < length; i++) out[i] = data[at + i];
    else {
      const step = length === 0 ? 0 : block / length;
      for (let i = 0; i < length; i++) out[i] = build(axis + 1, at + i * step, step);
    }
    return out;
  };
  return build(0, 0, data.length);
}
