/* global document, getComputedStyle */
/** N-d arrays: shape and norm wherever a number of theirs would stand, elements in the inspector, words for the reader. */
import { assert, audit, equal, has, node, show, text } from "./see.mjs";

const card = (page, name) =>
  page.locator(".overlay .card", { has: page.locator(`.card-name:text-is("${name}")`) }).textContent();

const arrays = async (page) => {
  await show(page, "layer", { step: 21 });
  has(await text(page, "#sentence"), "hands back an array [2×3], norm 0.6695, to W1.");
  equal(await text(page, "#live"), await text(page, "#sentence"), "live region");
  has(await node(page, "hidden"), "value array [4×3], norm 1.753, cotangent array [4×3], norm 1.037,");
  const drawn = await card(page, "hidden");
  for (const part of ["[4×3] ‖1.75‖", "‖1.04‖"]) has(drawn, part);
  has(await text(page, ".edge-label.is-flying"), "[2×3] ‖0.67‖");
  // W1 is the step's node
  has(await text(page, "#inspector"), "Paths from W1 to loss: 1No products");
  // what a reader hears of the contribution and of the gradient's bar
  equal(
    await text(page, ".contributions td.now .hidden"),
    "array [2×3], norm 0.6695",
    "contribution in words",
  );
  has(await text(page, "#gradient-W1 .bar-sum .hidden"), "sum array [2×3], norm 0.6695");
  equal(await page.locator(".element-table").count(), 2, "tables of elements");
  equal(await page.locator(".element-table").first().locator("td.element").count(), 6, "elements");
  const [wide, narrow] = await page.evaluate(() =>
    Array.from(document.querySelectorAll("td.element"), (td) => getComputedStyle(td).backgroundSize),
  );
  assert(wide !== narrow && wide.includes("%"), `bars of the elements: ${wide}, ${narrow}`);
  // one row an array, its elements on demand
  has(await text(page, "#gradient-W1"), "[2×3]");
  equal(await page.locator(".gradient-elements").count(), 3, "arrays in the gradient");
  await page.locator(".gradient-elements summary").first().click();
  await page.waitForSelector('[data-testid="gradient-W1[1][2]"]');
  await audit(page, "the layer example");
};

/** The check in one theme. */
const inTheme = (theme) => Object.assign((page) => arrays(page), { theme });

export const arrayChecks = {
  "arrays: the layer example, light": inTheme("light"),
  "arrays: the layer example, high contrast": inTheme("hc-dark"),
  "arrays: fan-out, hover and last writer wins": async (page) => {
    await show(page, "arrayFan", { step: 11 });
    has(await text(page, "#sentence"), "norms 1.625 and 2.449 add up to norm 3.382.");
    has(await text(page, ".contributions"), "slot 1: [2×3] ‖0.8124‖");
    has(await text(page, ".contributions"), "together: [2×3] ‖1.625‖");
    has(await text(page, "#inspector"), "shares by norm");
    const at = await page.locator(".card.is-current .card-body").boundingBox();
    await page.mouse.move(at.x + 60, at.y + 20);
    await page.waitForSelector("#tooltip:not([hidden])");
    has(await text(page, "#tooltip"), "cotangent [2×3] ‖3.382‖");
    has(await text(page, "#tooltip"), "No products");
    await page.click("#mode-lww");
    has(await text(page, "#sentence"), "the sum sweep has array [2×3], norm 3.382");
    has(await page.locator(".contributions s").first().textContent(), "[2×3] ‖0.8124‖");
    has(await card(page, "a"), "‖0.812‖‖2.45‖");
    await audit(page, "arrays, last writer wins");
  },
};
