/**
 * Sliding windows over the trailing axes of [N, C, ...spatial]: what convolutions and pools are made of. `patches` lays
 * every window's elements out as [N, C, elements a window, windows]; its adjoint adds them back where they came from.
 */
import { shapeText, sizeOf, type Shape } from "../../tape/ndarray.js";
import { defineMove, flatMoves, type Moves } from "./moves.js";
import { ShapeError, type ArrayPrimitive, type Params } from "./row.js";

export interface Window {
  readonly kernel: readonly number[];
  readonly stride: readonly number[];
  readonly padding: readonly number[];
  readonly dilation: readonly number[];
}

/** An integer a spatial axis: one number for all, or a list. */
function perAxis(name: string, what: string, given: unknown, count: number, least: number): number[] {
  const list = Array.isArray(given) ? (given as unknown[]) : new Array<unknown>(count).fill(given);
  const fine = list.length === count && list.every((x) => Number.isInteger(x) && (x as number) >= least);
  if (!fine)
    throw new ShapeError(
      `${name}: ${what} must be an integer from ${least} on, or ${count} of them, not ${JSON.stringify(given)}`,
    );
  return list as number[];
}

/** The window parameters; stride defaults to `stride`, or to the kernel for pools. */
export function windowOf(
  name: string,
  kernel: unknown,
  params: Params,
  axes: number,
  stride: "one" | "kernel",
): Window {
  const size = perAxis(name, "kernel", kernel, axes, 1);
  return {
    kernel: size,
    stride: perAxis(name, "stride", params.stride ?? (stride === "one" ? 1 : size), axes, 1),
    padding: perAxis(name, "padding", params.padding ?? 0, axes, 0),
    dilation: perAxis(name, "dilation", params.dilation ?? 1, axes, 1),
  };
}

/** Number of windows along every spatial axis. */
export function windowCounts(name: string, spatial: Shape, window: Window): number[] {
  return spatial.map((length, axis) => {
    const { kernel, stride, padding, dilation } = window;
    const reach = dilation[axis] * (kernel[axis] - 1) + 1;
    const room = length + 2 * padding[axis] - reach;
    if (room < 0)
      throw new ShapeError(
        `${name}: a window of ${kernel[axis]}${dilation[axis] > 1 ? ` (dilation ${dilation[axis]})` : ""} does not fit ${shapeText(spatial)} with padding ${padding[axis]} on axis ${axis}`,
      );
    return Math.floor(room / stride[axis]) + 1;
  });
}

function asWindow(params: Params): Window {
  return params as unknown as Window;
}

/** Offset into the spatial axes of every element of every window, -1 in the padding: [elements, windows]. */
function spatialOffsets(spatial: Shape, window: Window): Int32Array {
  const counts = windowCounts("patches", spatial, window);
  const { kernel, stride, padding, dilation } = window;
  const elements = sizeOf(kernel);
  const windows = sizeOf(counts);
  const out = new Int32Array(elements * windows);
  for (let element = 0; element < elements; element++) {
    for (let w = 0; w < windows; w++) {
      let offset = 0;
      let step = 1;
      let e = element;
      let at = w;
      for (let axis = spatial.length - 1; axis >= 0; axis--) {
        const inside = e % kernel[axis];
        e = (e - inside) / kernel[axis];
        const place = at % counts[axis];
        at = (at - place) / counts[axis];
        const index = place * stride[axis] + inside * dilation[axis] - padding[axis];
        if (index < 0 || index >= spatial[axis]) {
          offset = -1;
          break;
        }
        offset += index * step;
        step *= spatial[axis];
      }
      out[element * windows + w] = offset;
    }
  }
  return out;
}

function patchMoves(x: Shape, params: Params): Moves {
  const [n, c, ...spatial] = x;
  const offsets = spatialOffsets(spatial, asWindow(params));
  const size = sizeOf(spatial);
  const sources = new Int32Array(n * c * offsets.length);
  let at = 0;
  for (let i = 0; i < n * c; i++)
    for (const offset of offsets) sources[at++] = offset < 0 ? -1 : i * size + offset;
  return flatMoves(sources);
}

export const windows: readonly ArrayPrimitive[] = [
  defineMove({
    name: "patches",
    shape([n, c, ...spatial], params) {
      const window = asWindow(params);
      return [n, c, sizeOf(window.kernel), sizeOf(windowCounts("patches", spatial, window))];
    },
    moves: patchMoves,
    fill: (params) => (params.value as number | undefined) ?? 0,
    formula: "the elements of every window",
    rule: "g added back to the windows' places",
    doc: "Elements of sliding windows over the spatial axes of [N, C, ...], padded with `value`.",
  }),
];
