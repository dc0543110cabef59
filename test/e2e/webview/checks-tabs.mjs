/* global document, getComputedStyle, URL, window */
/** The tabs, the memory picture, and the pictures before a reader who cannot see them. */
import { assert, audit, equal, has, send, settled, show, text } from "./see.mjs";
import { drawn, open, tab } from "./pictures.mjs";

export const tabChecks = {
  "tabs: arrows, Home and End move along them, and one is in front": async (page) => {
    await show(page, "chain6");
    await page.focus("#tab-graph");
    for (const [key, wanted] of [
      ["ArrowRight", "memory"],
      ["ArrowRight", "schedules"],
      ["End", "numerics"],
      ["ArrowRight", "graph"],
      ["ArrowLeft", "numerics"],
      ["Home", "graph"],
    ]) {
      await page.keyboard.press(key);
      const front = await page.evaluate(() => ({
        focus: document.activeElement.id,
        selected: Array.from(
          document.querySelectorAll('[role="tab"][aria-selected="true"]'),
          ({ id }) => id,
        ).join(),
        shown: Array.from(
          document.querySelectorAll('[role="tabpanel"]:not([hidden])'),
          ({ id }) => id,
        ).join(),
      }));
      equal(front.focus, `tab-${wanted}`, "focus");
      equal(front.selected, `tab-${wanted}`, "selected");
      equal(front.shown, `panel-${wanted}`, "shown");
    }
    equal(
      (await page.evaluate(() => document.getElementById("scrub").value)) !== "0",
      true,
      "the step stayed",
    );
  },
  "tabs: the second script is fetched when a picture is wanted first, and once": async (page) => {
    const fetched = [];
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    await show(page, "chain6");
    await settled(page);
    assert(!fetched.includes("/plots.js"), "fetched before it was wanted");
    await tab(page, "memory");
    await page.waitForSelector(drawn.memory);
    await tab(page, "schedules");
    await page.waitForSelector(drawn.schedules);
    equal(fetched.filter((path) => path === "/plots.js").length, 1, "fetches");
  },
  "tabs: the picture in front survives a reload": async (page) => {
    await open(page, "memory", "chain6", { step: 9 });
    await page.reload();
    await show(page, "chain6");
    await page.waitForSelector(drawn.memory);
    equal(await page.getAttribute("#tab-memory", "aria-selected"), "true", "memory in front");
  },
  "tabs: a command of the host brings a picture to the front": async (page) => {
    await show(page, "chain6");
    await send(page, { type: "tab", tab: "schedules" });
    await page.waitForSelector(drawn.schedules);
  },
  "tabs: no sweep, running and stale have their faces with every picture in front": async (page) => {
    await send(page, { type: "tab", tab: "schedules" });
    await send(page, { type: "empty", reason: "no-graph", detail: "Open a graph definition." });
    await page.waitForFunction(() => document.getElementById("face").textContent.includes("No graph"));
    await show(page, "chain6");
    await page.waitForSelector(drawn.schedules);
    await send(page, { type: "stale", stale: true });
    await page.waitForFunction(() => document.getElementById("banner").textContent.includes("has changed"));
    assert(await page.isVisible(drawn.schedules), "the picture stays");
  },
  "tabs: a stopped run has memory to show and says what it has not": async (page) => {
    await open(page, "memory", "stopped3");
    await tab(page, "numerics");
    await page.waitForFunction(() =>
      document.getElementById("panel-numerics").textContent.includes("stopped before its sweep"),
    );
    await tab(page, "schedules");
    await page.waitForSelector(drawn.schedules);
  },
  "tabs: the tabulator key reaches every control of every picture": async (page) => {
    await show(page, "coupled");
    for (const name of ["memory", "schedules", "numerics"]) {
      await tab(page, name);
      await page.waitForSelector(drawn[name]);
      await settled(page);
      const wanted = await page.evaluate((panel) => {
        const focusable = "button, select, input, a[href], [tabindex='0']";
        return Array.from(document.querySelectorAll(`#panel-${panel} :is(${focusable})`))
          .filter((element) => element.checkVisibility() && element.disabled !== true)
          .map((element, i) => (element.dataset.stop = String(i)));
      }, name);
      assert(wanted.length >= 5, `${wanted.length} controls in ${name}`);
      await page.evaluate(() => {
        window.reached = [];
        document.addEventListener("focusin", ({ target }) => window.reached.push(target.dataset.stop));
      });
      for (let i = 0; i < wanted.length + 40; i++) await page.keyboard.press("Tab");
      const reached = await page.evaluate(() => window.reached);
      const missed = wanted.filter((stop) => !reached.includes(stop));
      const names = await page.evaluate(
        (stops) =>
          stops.map((stop) => document.querySelector(`[data-stop="${stop}"]`).outerHTML.slice(0, 120)),
        missed,
      );
      equal(names.join(), "", `not reached in ${name}`);
      await page.evaluate(() => {
        for (const element of document.querySelectorAll("[data-stop]")) delete element.dataset.stop;
      });
    }
  },
  "memory: peaks are those of the report, and the figures say what they are": async (page) => {
    await open(page, "memory", "chain24", { step: 150 });
    const words = await text(page, "#panel-memory");
    has(words, "peak 99 at step");
    has(words, "as count");
    has(words, "allocated bytes");
    has(words, "measured");
    await page.click("#memory-bytes");
    has(await text(page, "#panel-memory .picture-side"), "as allocated bytes");
    has(await text(page, "#panel-memory .bands"), " B");
  },
  "memory: a click moves the index, and the line follows the player": async (page) => {
    await open(page, "memory", "chain24", { step: 0 });
    const box = await page.locator(drawn.memory).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await page.mouse.down();
    const first = Number(await page.inputValue("#scrub"));
    assert(first > 150 && first < 320, `step ${first} is not in the middle`);
    await page.mouse.move(box.x + box.width * 0.75, box.y + 100);
    await page.mouse.up();
    assert(Number(await page.inputValue("#scrub")) > first, "dragging moved on");
    const place = () => page.getAttribute("#panel-memory .now-line", "transform");
    const before = await place();
    await page.click("#start");
    assert((await place()) !== before, "the line stood still");
  },
};

for (const theme of ["dark", "light", "hc-dark", "hc-light"]) {
  tabChecks[`axe on every picture, ${theme}`] = Object.assign(
    async (page) => {
      for (const [name, sweep] of [
        ["memory", "chain24"],
        ["schedules", "chain24"],
        ["numerics", "fan"],
      ]) {
        await open(page, name, sweep, { step: 12 });
        await settled(page);
        await audit(page, `${theme}, ${name}`);
      }
      const dim = await page.evaluate(() => getComputedStyle(document.querySelector(".figure-title")).color);
      assert(dim !== "", "titles have a colour");
    },
    { theme },
  );
}
