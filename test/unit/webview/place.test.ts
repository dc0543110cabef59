/** A box that speaks of a node stands beside it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { placeBeside, type Box, type Placed } from "../../../webview/place.js";

const room = { width: 700, height: 500 };
const size = { width: 420, height: 200 };

function overlaps(
  anchor: Box,
  placed: Placed,
  { width, height }: { width: number; height: number },
): boolean {
  const over = Math.min(anchor.x + anchor.width, placed.x + width) - Math.max(anchor.x, placed.x);
  const level = Math.min(anchor.y + anchor.height, placed.y + height) - Math.max(anchor.y, placed.y);
  return over > 0 && level > 0;
}

test.each([
  ["to the right of what stands at the left", { x: 20, y: 100, width: 100, height: 60 }, { x: 130, y: 100 }],
  ["to the left of what stands at the right", { x: 560, y: 100, width: 100, height: 60 }, { x: 130, y: 100 }],
  ["below what stands in the middle", { x: 300, y: 60, width: 100, height: 60 }, { x: 276, y: 130 }],
  ["above what stands low in the middle", { x: 300, y: 400, width: 100, height: 60 }, { x: 276, y: 190 }],
])("it goes %s", (_, anchor, at) => {
  expect(placeBeside(anchor, size, room)).toEqual({ ...at, beside: true });
});

test("where no side has room it says so, and keeps to the far corner", () => {
  const anchor = { x: 300, y: 220, width: 100, height: 60 };
  expect(placeBeside(anchor, { width: 600, height: 300 }, room)).toEqual({ x: 4, y: 4, beside: false });
});

test("beside means that nothing of the anchor is covered and all of the box is in the room", () => {
  const length = fc.integer({ min: 1, max: 900 });
  const anchors = fc.record({
    x: fc.integer({ min: -100, max: 800 }),
    y: fc.integer({ min: -100, max: 800 }),
    width: fc.integer({ min: 1, max: 300 }),
    height: fc.integer({ min: 1, max: 200 }),
  });
  const sizes = fc.record({ width: length, height: length });
  let besides = 0;
  fc.assert(
    fc.property(anchors, sizes, sizes, (anchor, box, all) => {
      const placed = placeBeside(anchor, box, all);
      if (!placed.beside) return;
      besides++;
      expect(overlaps(anchor, placed, box)).toBe(false);
      expect(placed.x).toBeGreaterThanOrEqual(0);
      expect(placed.y).toBeGreaterThanOrEqual(0);
      expect(placed.x + box.width).toBeLessThanOrEqual(all.width);
      expect(placed.y + box.height).toBeLessThanOrEqual(all.height);
    }),
    { numRuns: 500 },
  );
  expect(besides).toBeGreaterThan(20);
});
