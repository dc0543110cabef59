/* global document, innerWidth */
/** The bar on top: in one piece at every width, and plain about which of two sweeps is right. */
import { assert, equal, has, send, show, text } from "./see.mjs";

const WIDTHS = [320, 360, 400, 480, 560, 640, 760, 860, 960, 1000, 1100, 1360];

/** Controls of the header with their places. */
const controls = () =>
  Array.from(document.querySelectorAll("#header :is(button, select, h1)"), (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { id: element.id || element.tagName, left, right, top, bottom, width: innerWidth };
  }).filter(({ left, right }) => right - left > 1);

/** Nothing is cut off, nothing lies over something else, and what belongs together stands in one line. */
function inOrder(found, what) {
  for (const one of found)
    assert(
      one.left >= 0 && one.right <= one.width + 0.5,
      `${what}: ${one.id} is cut off: ${JSON.stringify(one)}`,
    );
  for (const [i, a] of found.entries())
    for (const b of found.slice(i + 1)) {
      const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5;
      const level = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5;
      assert(!(over && level), `${what}: ${a.id} lies over ${b.id}`);
    }
  const at = Object.fromEntries(found.map((one) => [one.id, one]));
  const middle = ({ top, bottom }) => (top + bottom) / 2;
  for (const id of ["run", "help"])
    assert(
      Math.abs(middle(at[id]) - middle(at["mode-sum"])) < 2,
      `${what}: ${id} is in another line than the modes`,
    );
  for (const id of ["tab-memory", "tab-schedules", "tab-numerics"])
    equal(Math.round(at[id].top), Math.round(at["tab-graph"].top), `${what}: top of ${id}`);
}

export const headerChecks = {
  "the header wraps nowhere badly at any width": async (page) => {
    for (const [sweep, mode, widths] of [
      ["fanOut", "last-writer-wins", WIDTHS],
      ["engine", "sum", WIDTHS],
      ["random5000", "sum", [320, 640, 1000]],
      ["foreign", "last-writer-wins", WIDTHS],
    ])
      for (const width of widths) {
        await page.setViewportSize({ width, height: 700 });
        if (width === widths[0]) await show(page, sweep, { step: 9, mode });
        inOrder(await page.evaluate(controls), `${sweep}, ${width} px`);
      }
  },
  "beside the modes stands which of them is right": async (page) => {
    await show(page, "fanOut", { step: 9 });
    equal(await text(page, "#verdict"), "", "the sum is right and needs no words");
    await page.click("#mode-lww");
    equal(await text(page, "#verdict"), "not the derivative; Sum is right", "last writer wins");
    has(await page.getAttribute("#verdict", "title"), "the hints in the editor have both");
    await page.click("#mode-sum");
    equal(await text(page, "#verdict"), "", "the sum again");
    await show(page, "chain40", { step: 9, mode: "last-writer-wins" });
    has(await text(page, "#verdict"), "same gradient");
    await show(page, "foreign", { step: 9, mode: "last-writer-wins" });
    has(await text(page, "#verdict"), "Right has ours");
    await show(page, "alone", { step: 9 });
    equal(await text(page, "#verdict"), "", "one sweep only");
  },
  "breakpoints are rings on the scrub bar, and are told": async (page) => {
    await show(page, "fanOut", { step: 8 });
    await send(page, { type: "breakpoints", steps: [1, 6, 9] });
    await page.waitForFunction(() => document.querySelectorAll(".breakpoint-mark").length === 3);
    const spoken = () => page.getAttribute("#scrub", "aria-valuetext");
    assert(!(await spoken()).includes("breakpoint"), "none here");
    await page.click("#step");
    has(await spoken(), "breakpoint, line 6");
    has(await text(page, ".mark-label"), "a final; breakpoint, line 6");
    // another sweep has none until it is told
    await show(page, "threeChildren", { step: 9 });
    equal(await page.locator(".breakpoint-mark").count(), 0, "rings of the sweep before");
  },
  "the box beside the pointer has the table of the editor's hover": async (page) => {
    await show(page, "threeChildren", { step: 13 });
    const at = await page.locator(".card.is-current .card-body").boundingBox();
    await page.mouse.move(at.x + 60, at.y + 20);
    await page.waitForSelector("#tooltip:not([hidden])");
    const rows = await page.evaluate(() =>
      Array.from(document.querySelectorAll("#tooltip .story tr"), (row) =>
        Array.from(row.cells, (cell) => cell.textContent).join(" | "),
      ),
    );
    equal(
      rows.join("\n"),
      [
        "from | cotangent \u00d7 local derivative | contribution | share | running sum",
        "d, operand 1 | 1 \u00d7 6 | 6 | 20 % | 6",
        "d, operand 2 | 1 \u00d7 6 | 6 | 20 % | 12",
        "b | 18 \u00d7 1 | 18 | 60 % | 30",
        "c | waiting",
        "so far | 12 + 18 = 30",
      ].join("\n"),
      "rows",
    );
  },
};
