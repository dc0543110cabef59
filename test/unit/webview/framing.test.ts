/** How a drawing is opened: whole where that can be read, else a readable part of it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { CARD_HEIGHT, CARD_WIDTH, COLUMN_GAP, MARGIN } from "../../../engine/layout/metrics.js";
import {
  fittingZoom,
  framing,
  READABLE_ZOOM,
  SMALLEST_ZOOM,
  type Extent,
  type Framing,
} from "../../../webview/graph/framing.js";

/** Four columns, three rows: the fan-out of the seed. */
const drawn = { width: 2 * MARGIN + 4 * CARD_WIDTH + 3 * COLUMN_GAP, height: 2 * MARGIN + 300 };
/** what stands out around a card: the badge above it and at its right, the line below it */
const BADGE = 24;
const opening = { whole: false, smallest: SMALLEST_ZOOM, at: { x: drawn.width, y: drawn.height / 2 } };

/** Where the outermost cards end, in pixels of the room. */
function cards({ width, height }: Extent, { zoom, pan }: Framing) {
  return {
    left: MARGIN * zoom + pan.x,
    right: (width - MARGIN) * zoom + pan.x,
    top: MARGIN * zoom + pan.y,
    bottom: (height - MARGIN) * zoom + pan.y,
  };
}

test("beside an editor the fan-out is seen whole, its inputs at the left edge too", () => {
  for (const width of [480, 525, 575, 720, 1360]) {
    const seen = framing(drawn, { width, height: 330 }, opening);
    expect(seen.zoom).toBeGreaterThanOrEqual(SMALLEST_ZOOM);
    const { left, right } = cards(drawn, seen);
    expect(left).toBeGreaterThan(BADGE * seen.zoom);
    expect(width - right).toBeGreaterThan(BADGE * seen.zoom);
  }
});

test("what cannot be read whole opens at a size that can, around its point", () => {
  const seen = framing(drawn, { width: 360, height: 330 }, opening);
  expect(seen.zoom).toBe(READABLE_ZOOM);
  const { right } = cards(drawn, seen);
  expect(360 - right).toBeCloseTo((MARGIN - 14) * READABLE_ZOOM, 6);
});

test("cards that can only be read in their own size are not made smaller", () => {
  const room = { width: 525, height: 330 };
  expect(framing(drawn, room, { ...opening, smallest: READABLE_ZOOM }).zoom).toBe(READABLE_ZOOM);
  expect(framing(drawn, room, opening).zoom).toBeCloseTo(fittingZoom(drawn, room), 9);
});

test("asked for as a whole, every drawing is in its room, in the middle", () => {
  const lengths = fc.integer({ min: 2 * MARGIN + CARD_HEIGHT, max: 40_000 });
  const extents = fc.record({ width: lengths, height: lengths });
  const rooms = fc.record({
    width: fc.integer({ min: 50, max: 3000 }),
    height: fc.integer({ min: 50, max: 3000 }),
  });
  fc.assert(
    fc.property(extents, rooms, (all, room) => {
      const { left, right, top, bottom } = cards(all, framing(all, room, { ...opening, whole: true }));
      expect(left).toBeGreaterThanOrEqual(0);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(left).toBeCloseTo(room.width - right, 6);
      expect(top).toBeCloseTo(room.height - bottom, 6);
    }),
  );
});
