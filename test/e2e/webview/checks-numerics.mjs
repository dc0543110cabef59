/* global document */
/** The numerics picture. */
import { assert, equal, has, posted, settled, show, text } from "./see.mjs";
import { open, tab } from "./pictures.mjs";

export const numericsChecks = {
  "numerics: both pictures and the words": async (page) => {
    await open(page, "numerics", "fan");
    await page.waitForFunction(() => document.querySelectorAll("#panel-numerics svg.plot").length === 2);
    const words = await text(page, "#panel-numerics");
    has(words, "central differences in f32");
    has(words, "4 contributions");
    has(words, "Every value and every cotangent of this sweep is finite.");
    await page.selectOption("#steps-format", "f64");
    has(await text(page, "#panel-numerics"), "central differences in f64");
    assert((await page.locator("#panel-numerics math").count()) > 0, "the formula is typeset");
  },
  "numerics: nothing is asked before the tab is in front": async (page) => {
    await show(page, "fan");
    await settled(page);
    equal((await posted(page, "request")).length, 0, "questions");
  },
  "numerics: where NaN begins, and the way there": async (page) => {
    await show(page, "awkward");
    await tab(page, "numerics");
    await page.waitForFunction(() =>
      document.getElementById("panel-numerics").textContent.includes("first at r"),
    );
    await page.click("#panel-numerics .origin button");
    equal((await posted(page, "reveal")).at(-1).node, 3, "the node is shown in the source");
  },
  "numerics: the replay contract of the schedule that ran": async (page) => {
    await show(page, "chain24");
    await tab(page, "numerics");
    await page.waitForFunction(() =>
      document.getElementById("panel-numerics").textContent.includes("No replayed value differs"),
    );
    has(await text(page, ".contract"), "random stream: held");
  },
  "numerics: coupling layers, each with its error, and the gradient beside that of store-all": async (
    page,
  ) => {
    await open(page, "numerics", "coupled");
    await page.waitForSelector("#reconstruction svg.plot");
    equal(await page.locator("#reconstruction .layers tbody tr").count(), 8, "layers");
    has(await text(page, "#reconstruction .layers"), "layer 3");
    has(await text(page, "#reconstruction"), "15 ULPs");
    has(await text(page, "#reconstruction"), "from that of store-all");
    await show(page, "fan");
    await page.waitForFunction(() => document.getElementById("reconstruction").hidden);
  },
};
