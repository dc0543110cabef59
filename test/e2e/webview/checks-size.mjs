/* global document */
/** The graph fits the panel: at every width, and when the panel is resized while it is open. */
import { assert, equal, show } from "./see.mjs";

const WIDTHS = [400, 575, 720, 1360];
const scale = (page) =>
  page.evaluate(
    () => /scale\(([^)]+)\)/.exec(document.querySelector(".overlay > g").getAttribute("transform"))[1],
  );

/** How far the cards stick out of the drawing, in pixels, and the empty space at either side. */
const overhang = () => {
  const graph = document.getElementById("graph").getBoundingClientRect();
  const cards = Array.from(document.querySelectorAll(".overlay .card-body"), (card) =>
    card.getBoundingClientRect(),
  );
  const left = Math.min(...cards.map((card) => card.left)) - graph.left;
  const right = graph.right - Math.max(...cards.map((card) => card.right));
  const top = Math.min(...cards.map((card) => card.top)) - graph.top;
  const bottom = graph.bottom - Math.max(...cards.map((card) => card.bottom));
  return { out: -Math.min(0, left, right, top, bottom), uneven: Math.abs(left - right), graph: graph.width };
};

/** Waits until the whole graph is in sight; asks again and again, since a resize is drawn a frame later. */
async function whole(page, what) {
  let found = null;
  for (let tries = 0; tries < 400; tries++) {
    found = await page.evaluate(overhang);
    if (found.out < 1 && found.uneven < 3) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`${what}: ${JSON.stringify(found)}`);
}

export const sizeChecks = {
  "every width shows the whole graph": async (page) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      await page.reload();
      await show(page, "fanOut", { step: 9 });
      await whole(page, `opened ${width} px wide`);
    }
  },
  "a panel resized while it is open shows the whole graph": async (page) => {
    await show(page, "fanOut", { step: 9 });
    for (const width of [575, 1360, 400, 720, 575]) {
      await page.setViewportSize({ width, height: width === 400 ? 600 : 860 });
      await whole(page, `resized to ${width} px`);
    }
  },
  "stepping does not push a graph that fits out of the panel": async (page) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      await page.reload();
      await show(page, "fanOut", { step: 0 });
      for (let step = 1; step <= 12; step++) {
        await page.click("#step");
        await whole(page, `step ${step}, ${width} px wide`);
      }
    }
  },
  "a zoom from another size does not cut the graph after a reload": async (page) => {
    await show(page, "fanOut", { step: 9 });
    await page.click("#zoom-in");
    await page.click("#zoom-in");
    await page.waitForTimeout(300);
    const before = await scale(page);
    await page.setViewportSize({ width: 575, height: 860 });
    await page.reload();
    await show(page, "fanOut");
    await whole(page, "restored 575 px wide");
    // back at the old size the zoom chosen there counts again
    await page.setViewportSize({ width: 1360, height: 860 });
    await page.waitForFunction(
      (wanted) =>
        document.querySelector(".overlay > g").getAttribute("transform").includes(`scale(${wanted})`),
      before,
    );
  },
  "what the user zoomed is left alone by a resize": async (page) => {
    await show(page, "fanOut", { step: 9 });
    await page.click("#zoom-out");
    const before = await scale(page);
    await page.setViewportSize({ width: 900, height: 860 });
    await page.waitForTimeout(200);
    equal(await scale(page), before, "zoom");
    await page.click("#fit");
    await whole(page, "fitted by hand");
    await page.setViewportSize({ width: 575, height: 860 });
    await whole(page, "resized after it was fitted by hand");
  },
  "another graph in the same panel is fitted": async (page) => {
    await show(page, "fanOut", { step: 9 });
    await page.click("#zoom-in");
    await page.click("#zoom-in");
    await show(page, "threeChildren", { step: 9 });
    await whole(page, "the other graph");
    assert((await page.evaluate(overhang)).graph > 300, "there is a drawing");
  },
};
