/** Where a drawing stands in the room there is: how large, and which part of it. Pure, so that it can be tested without a screen. */
import { MARGIN } from "../../engine/layout/metrics.js";
import type { Point } from "./route.js";

export interface Extent {
  readonly width: number;
  readonly height: number;
}

export interface Framing {
  readonly zoom: number;
  readonly pan: Point;
}

/** Cards above this zoom have all they say in their own size; below it fewer words in a larger one, down to `SMALLEST_ZOOM`. */
export const READABLE_ZOOM = 0.65;
/** the smallest zoom at which the numbers of cards in the larger type can be read; two lines of an array have no larger one */
export const SMALLEST_ZOOM = 0.45;
export const LARGEST_ZOOM = 1.25;
/** the user can always zoom out this far, and further where the whole drawing needs it */
export const LEAST_ZOOM = 0.04;
/** what rings, badges and the line below a card need around the outermost cards: the rest of the layout's margin is left off */
const AROUND = 26;
const TRIM = MARGIN - AROUND;

/** The zoom at which all of a drawing is in the room. */
export function fittingZoom(drawn: Extent, room: Extent): number {
  return Math.min(room.width / (drawn.width - 2 * TRIM), room.height / (drawn.height - 2 * TRIM));
}

/**
 * All of a drawing where that can be read, or `whole` asks for it; else the part around a point, at a size that can be read.
 * `smallest`: the zoom below which the cards of this drawing cannot be read.
 */
export function framing(
  drawn: Extent,
  room: Extent,
  { whole, smallest, at }: { readonly whole: boolean; readonly smallest: number; readonly at: Point },
): Framing {
  const fitting = fittingZoom(drawn, room);
  const zoom = Math.min(LARGEST_ZOOM, whole || fitting >= smallest ? fitting : READABLE_ZOOM);
  return { zoom, pan: panAround(drawn, room, zoom, at) };
}

/** Puts a point of the drawing in the middle, as far as no empty space comes in; what fits is centred itself. */
export function panAround(drawn: Extent, room: Extent, zoom: number, at: Point): Point {
  const pan = (size: number, length: number, middle: number): number => {
    const free = size - (length - 2 * TRIM) * zoom;
    const start = free >= 0 ? free / 2 : Math.min(0, Math.max(free, size / 2 - (middle - TRIM) * zoom));
    return start - TRIM * zoom;
  };
  return { x: pan(room.width, drawn.width, at.x), y: pan(room.height, drawn.height, at.y) };
}
