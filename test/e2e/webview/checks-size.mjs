/* global document, sessionStorage */
/**
 * The graph fits the panel where that leaves its text readable, else its current node is in sight: at every width, and
 * when the panel is resized while it is open.
 */
import { assert, equal, show } from "./see.mjs";

/** the smallest zoom a graph opens whole at, that of one too big for it, and the space left around its cards */
const SMALLEST = 0.45;
const READABLE = 0.65;
const MARGIN = 26;
const WIDTHS = [400, 525, 575, 720, 1360];
const scale = (page) =>
  page.evaluate(
    () => /scale\(([^)]+)\)/.exec(document.querySelector(".overlay > g").getAttribute("transform"))[1],
  );

/** How far the cards stick out of the drawing, in pixels, and the empty space at either side. */
const overhang = () => {
  const graph = document.querySelector(".overlay").getBoundingClientRect();
  const cards = Array.from(document.querySelectorAll(".overlay .card-body"), (card) =>
    card.getBoundingClientRect(),
  );
  const left = Math.min(...cards.map((card) => card.left)) - graph.left;
  const right = graph.right - Math.max(...cards.map((card) => card.right));
  const top = Math.min(...cards.map((card) => card.top)) - graph.top;
  const bottom = graph.bottom - Math.max(...cards.map((card) => card.bottom));
  return { out: -Math.min(0, left, right, top, bottom), uneven: Math.abs(left - right), graph: graph.width };
};

/** The whole graph is in sight. */
const isWhole = ({ out, uneven }) => out < 1 && uneven < 3;

/** Asks again and again, since a resize is drawn a frame later. */
async function until(page, look, good, what) {
  let found = null;
  for (let tries = 0; tries < 400; tries++) {
    found = await page.evaluate(look);
    if (good(found)) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`${what}: ${JSON.stringify(found)}`);
}

const whole = (page, what) => until(page, overhang, isWhole, what);

/** The current card, the drawing and all cards, in pixels of the page; the zoom. */
const places = () => {
  const box = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { left, right, top, bottom };
  };
  const cards = Array.from(document.querySelectorAll(".overlay .card-body"), box);
  const current = document.querySelector(".overlay .card.is-current .card-body");
  return {
    zoom: Number(
      /scale\(([^)]+)\)/.exec(document.querySelector(".overlay > g").getAttribute("transform"))[1],
    ),
    graph: box(document.querySelector(".overlay")),
    current: current === null ? null : box(current),
    all: {
      left: Math.min(...cards.map((card) => card.left)),
      right: Math.max(...cards.map((card) => card.right)),
      top: Math.min(...cards.map((card) => card.top)),
      bottom: Math.max(...cards.map((card) => card.bottom)),
    },
  };
};

/** The whole graph is in sight, or the current node of one too big for that at a readable zoom. */
function isReadable({ zoom, graph, current, all }) {
  const inside = (box) =>
    box.left >= graph.left - 1 &&
    box.right <= graph.right + 1 &&
    box.top >= graph.top - 1 &&
    box.bottom <= graph.bottom + 1;
  const margins = 2 * MARGIN * zoom;
  const fits = (length, room) => length / zoom + 2 * MARGIN <= room / SMALLEST;
  const wide = all.right - all.left + margins > graph.right - graph.left;
  const whole =
    fits(all.right - all.left, graph.right - graph.left) &&
    fits(all.bottom - all.top, graph.bottom - graph.top);
  // no side is empty while something is cut off at the other
  const used =
    !wide || (all.left - graph.left < margins / 2 + 1 && graph.right - all.right < margins / 2 + 1);
  return inside(all)
    ? zoom >= SMALLEST - 1e-6
    : Math.abs(zoom - READABLE) < 1e-6 && !whole && used && (current === null || inside(current));
}

const readable = (page, what) => until(page, places, isReadable, what);

/** Steps one by one, and what is seen after each: a step is drawn at once. */
const stepping = (page, steps) =>
  page.evaluate(`(() => {
    const places = ${places}, overhang = ${overhang}, seen = [];
    for (let step = 1; step <= ${steps}; step++) {
      document.getElementById("step").click();
      seen.push({ step, places: places(), overhang: overhang() });
    }
    return seen;
  })()`);

export const sizeChecks = {
  "every width shows the whole graph or a readable part with the current node": async (page) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      await page.reload();
      await show(page, "fanOut", { step: 9 });
      await readable(page, `opened ${width} px wide`);
      if (width > 500) await whole(page, `opened ${width} px wide`);
      await page.click("#fit");
      await whole(page, `fitted by hand, ${width} px wide`);
    }
  },
  "a panel resized while it is open shows it the same way": async (page) => {
    await show(page, "fanOut", { step: 9 });
    for (const width of [575, 1360, 400, 720, 575]) {
      await page.setViewportSize({ width, height: width === 400 ? 600 : 860 });
      await readable(page, `resized to ${width} px`);
      if (width > 500) await whole(page, `resized to ${width} px`);
    }
  },
  "stepping pushes no graph that fits out of the panel, and keeps the node of the step in sight": async (
    page,
  ) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      await page.reload();
      await show(page, "fanOut", { step: 0 });
      await readable(page, `opened ${width} px wide`);
      for (const { step, places: seen, overhang: out } of await stepping(page, 12)) {
        const what = `step ${step}, ${width} px wide`;
        assert(isReadable(seen), `${what}: ${JSON.stringify(seen)}`);
        if (width > 500) assert(isWhole(out), `${what}: ${JSON.stringify(out)}`);
      }
    }
  },
  "a zoom from another size does not cut the graph after a reload": async (page) => {
    await show(page, "fanOut", { step: 9 });
    await page.click("#zoom-in");
    await page.click("#zoom-in");
    const before = await scale(page);
    // the place is stored a moment after the last movement
    await page.waitForFunction(
      (zoom) => Math.abs(JSON.parse(sessionStorage.getItem("state")).zoom - zoom) < 1e-6,
      Number(before),
    );
    // resized while nothing is loaded: what a resize stores is not the subject
    const address = page.url();
    await page.goto("about:blank");
    await page.setViewportSize({ width: 575, height: 860 });
    await page.goto(address);
    await show(page, "fanOut");
    await readable(page, "restored 575 px wide");
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
  "no card lies under the foot, in a low panel neither": async (page) => {
    for (const [width, height] of [
      [525, 440],
      [700, 400],
      [760, 600],
      [1000, 420],
    ]) {
      await page.setViewportSize({ width, height });
      await page.reload();
      await show(page, "fanOut", { step: 12, mode: "last-writer-wins" });
      await whole(page, `${width} by ${height}`);
      const { foot, lowest } = await page.evaluate(() => ({
        foot: document.querySelector(".graph-foot").getBoundingClientRect().top,
        lowest: Math.max(
          ...Array.from(
            document.querySelectorAll(".overlay :is(.card-ring, .card-right)"),
            (part) => part.getBoundingClientRect().bottom,
          ),
        ),
      }));
      assert(
        lowest <= foot,
        `${width} by ${height}: the lowest card ends at ${lowest}, the foot begins at ${foot}`,
      );
    }
  },
  "the box that speaks of a node stands beside it": async (page) => {
    for (const [width, height] of [
      [525, 440],
      [700, 760],
      [1360, 860],
    ]) {
      await page.setViewportSize({ width, height });
      await page.reload();
      await show(page, "fanOut", { step: 12 });
      for (const name of ["x", "a", "c", "L"]) {
        const card = page.locator(".overlay .card", { has: page.locator(`.card-name:text-is("${name}")`) });
        const body = await card.locator(".card-body").boundingBox();
        await page.mouse.move(2, 2);
        await page.waitForSelector("#tooltip[hidden]", { state: "attached" });
        await page.mouse.move(body.x + 20, body.y + 10);
        const tip = await page.locator("#tooltip:not([hidden])").boundingBox();
        const what = `${name}, ${width} by ${height}: ${JSON.stringify({ body, tip })}`;
        const apart =
          tip.x >= body.x + body.width ||
          tip.x + tip.width <= body.x ||
          tip.y >= body.y + body.height ||
          tip.y + tip.height <= body.y;
        assert(apart, `covered: ${what}`);
        assert(
          tip.x >= 0 && tip.y >= 0 && tip.x + tip.width <= width && tip.y + tip.height <= height,
          `cut: ${what}`,
        );
      }
    }
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
