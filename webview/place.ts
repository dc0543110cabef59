/** Where a box goes that speaks of something on the screen: beside it, never on it as long as a side has room. Pure. */

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Placed {
  readonly x: number;
  readonly y: number;
  /** false: no side has room for all of it, and it lies over what it speaks of */
  readonly beside: boolean;
}

const GAP = 10;
const EDGE = 4;

/**
 * The place of a box of a size beside an anchor, in a room that begins at the origin: to the right, to the left, below or
 * above, the first with room; level with the anchor as far as the room allows. Where no side has room, in the corner that
 * leaves most of the anchor free.
 */
export function placeBeside(
  anchor: Box,
  size: { readonly width: number; readonly height: number },
  room: { readonly width: number; readonly height: number },
): Placed {
  const inside = (at: number, length: number, all: number): number =>
    Math.max(EDGE, Math.min(at, all - length - EDGE));
  const fits = (at: number, length: number, all: number): boolean => at >= EDGE && at + length <= all - EDGE;
  const level = inside(anchor.y, size.height, room.height);
  const flush = inside(anchor.x, size.width, room.width);
  const sides = [
    { x: anchor.x + anchor.width + GAP, y: level },
    { x: anchor.x - GAP - size.width, y: level },
    { x: flush, y: anchor.y + anchor.height + GAP },
    { x: flush, y: anchor.y - GAP - size.height },
  ];
  const side = sides.find(({ x, y }) => fits(x, size.width, room.width) && fits(y, size.height, room.height));
  if (side !== undefined) return { ...side, beside: true };
  const middle = { x: anchor.x + anchor.width / 2, y: anchor.y + anchor.height / 2 };
  return {
    x: middle.x < room.width / 2 ? Math.max(EDGE, room.width - size.width - EDGE) : EDGE,
    y: middle.y < room.height / 2 ? Math.max(EDGE, room.height - size.height - EDGE) : EDGE,
    beside: false,
  };
}
