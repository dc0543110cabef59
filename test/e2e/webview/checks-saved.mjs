/* global DOMParser */
/** What can be saved: every picture with its numbers, whole and self-contained. */
import { assert, equal, has, show } from "./see.mjs";
import { open, saved, tab } from "./pictures.mjs";

const formats = ["svg", "png", "csv", "json"];

/** A drawing needs nothing of the page it comes from. */
function selfContained(svg) {
  assert(svg.startsWith("<svg"), `it begins with ${svg.slice(0, 20)}`);
  for (const part of ["var(--", "class=", "<style"]) assert(!svg.includes(part), `${part} in the drawing`);
}

export const savedChecks = {
  "figures are saved as picture and as numbers, self-contained": async (page) => {
    await open(page, "memory", "chain6", { step: 9 });
    for (const format of formats) await page.click(`#panel-memory [aria-label="Save as ${format}"]`);
    const data = await saved(page, 4);
    selfContained(data.svg);
    assert(data.png.startsWith("data:image/png;base64,"), "png");
    has(data.csv.split("\n")[0], '"instructions, count"');
    equal(JSON.parse(data.json)[0]["first step"], 0, "json");
  },
  "the graph is saved whole, whatever part of it is in sight": async (page) => {
    await show(page, "fanOut", { step: 9 });
    for (let i = 0; i < 6; i++) await page.click("#zoom-in");
    const before = await page.getAttribute(".overlay > g", "transform");
    for (const format of formats) await page.click(`#graph [aria-label="Save as ${format}"]`);
    const data = await saved(page, 4);
    equal(await page.getAttribute(".overlay > g", "transform"), before, "the picture on screen");
    selfContained(data.svg);
    const drawn = await page.evaluate((text) => {
      const svg = new DOMParser().parseFromString(text, "image/svg+xml");
      const stroked = (element) => element.getAttribute("stroke") !== "none";
      return {
        words: svg.documentElement.textContent,
        edges: Array.from(svg.querySelectorAll("path"), stroked).filter(Boolean).length,
        moved: svg.querySelector("g").hasAttribute("transform"),
      };
    }, data.svg);
    for (const word of ["x", "y", "a", "b", "c", "L", "2 of 2", "42"]) has(drawn.words, word);
    equal(drawn.edges, 8, "edges, those that wait too");
    equal(drawn.moved, false, "it is zoomed");
    assert(data.png.startsWith("data:image/png;base64,") && data.png.length > 5000, "png");
    equal(data.csv.split("\n").length, 8, "a line a node, and the head");
    const a = JSON.parse(data.json).find(({ name }) => name === "a");
    equal(`${a.value} ${a.cotangent} ${a.status} ${a.paid}/${a.uses}`, "6 42 final 2/2", "a");
  },
  "every picture of every tab can be saved": async (page) => {
    await show(page, "coupled");
    for (const [name, count] of [
      ["graph", 1],
      ["memory", 1],
      ["schedules", 3],
      ["numerics", 3],
    ]) {
      await tab(page, name);
      await page.waitForFunction(
        ([panel, wanted]) =>
          Array.from(globalThis.document.querySelectorAll(`#panel-${panel} .figure-tools`)).filter(
            (tools) => tools.checkVisibility() && tools.childElementCount === 4,
          ).length === wanted,
        [name, count],
      );
    }
  },
};
