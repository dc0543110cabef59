/** The main job: open the example, run it, watch both debts paid into the fan-out node, forwards and backwards. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { cardAt, command, goTo, lens, openWorkbench, tab, view, waitForText } from "./workbench.mjs";

const FILE = "fan-out.graph.ts";

export const sweep = {
  name: "sweep",
  server: {},
  steps: {
    "the CodeLens runs the sweep and the view opens": async ({ page, server, folder }) => {
      await openWorkbench(page, server, { folder, file: join(folder, FILE) });
      await lens(page).waitFor({ timeout: 120_000 });
      assert.equal(await lens(page).count(), 1, "one CodeLens, none in comments");
      await lens(page).click();
      await view(page).locator("#position").waitFor({ timeout: 120_000 });
      await waitForText(view(page).locator("#position"), /\b12\b/, "the position names the number of steps");
    },
    "stepping to the end pays 18, then 18 + 24 = 42": async ({ page }) => {
      const inside = view(page);
      await inside.locator("#start").click();
      await waitForText(inside.locator("#position"), /step 0 of 12/, "at the start");
      for (let step = 1; step <= 7; step++) await inside.locator("#step").click();
      await waitForText(inside.locator("#position"), /step 7 of 12/, "b pays at step 7");
      await waitForText(inside.locator('[data-node="a"]'), /\b18\b/, "a holds 18");
      await inside.locator("#step").click();
      await inside.locator("#step").click();
      await waitForText(inside.locator("#position"), /step 9 of 12/, "c pays at step 9");
      await waitForText(inside.locator('[data-node="a"]'), /18 \+ 24 = 42/, "both debts are paid");
      await waitForText(inside.locator("#sentence"), /42/, "the sentence says the sum");
    },
    "the end shows the gradient 144/132": async ({ page }) => {
      const inside = view(page);
      await inside.locator("#end").click();
      await waitForText(inside.locator("#position"), /step 12 of 12/, "at the end");
      await waitForText(inside.locator("#gradient-x"), /\b144\b/, "dL/dx");
      await waitForText(inside.locator("#gradient-y"), /\b132\b/, "dL/dy");
    },
    "stepping back takes the contribution back": async ({ page }) => {
      const inside = view(page);
      for (let step = 12; step > 8; step--) await inside.locator("#back").click();
      await waitForText(inside.locator("#position"), /step 8 of 12/, "before c pays");
      const text = await waitForText(inside.locator('[data-node="a"]'), /\b18\b/, "a is back at 18");
      assert.doesNotMatch(text, /= 42/);
    },
    "the keyboard moves the sweep, too": async ({ page }) => {
      const inside = view(page);
      await inside.locator("#scrub").focus();
      await page.keyboard.press("End");
      await waitForText(inside.locator("#position"), /step 12 of 12/, "End");
      await page.keyboard.press("ArrowLeft");
      await waitForText(inside.locator("#position"), /step 11 of 12/, "left arrow");
      await page.keyboard.press("ArrowRight");
      await waitForText(inside.locator("#position"), /step 12 of 12/, "right arrow");
    },
    "last writer wins loses 18 and gives 90/96": async ({ page }) => {
      const inside = view(page);
      await inside.locator("#mode-lww").click();
      await waitForText(inside.locator("#gradient-x"), /\b90\b/, "the wrong dL/dx");
      await waitForText(inside.locator("#gradient-y"), /\b96\b/, "the wrong dL/dy");
      await inside.locator("#mode-sum").click();
      await waitForText(inside.locator("#gradient-x"), /\b144\b/, "the right dL/dx");
    },
    "choosing a node shows its source": async ({ page }) => {
      const inside = view(page);
      await inside.locator('[data-node="c"]').first().dispatchEvent("click");
      await inside.locator("#nodes").focus();
      await page.keyboard.press("Enter");
      await waitForText(
        page.locator(".monaco-editor .line-numbers.active-line-number"),
        /^6$/,
        "the editor is at the line of c",
      );
      await page.locator(".monaco-editor .selected-text").first().waitFor({ state: "attached" });
    },
    "a click on a drawn card selects its source in the editor": async ({ page }) => {
      const { x, y } = await cardAt(page, "a + x");
      await page.mouse.click(x, y);
      await waitForText(
        page.locator(".monaco-editor .line-numbers.active-line-number"),
        /^5$/,
        "the editor is at the line of b",
      );
      await page.locator(".monaco-editor .selected-text").first().waitFor({ state: "attached" });
      await waitForText(view(page).locator("#inspector h2"), /b = a \+ x/, "the inspector shows b");
    },
    "hovering a card shows the table of its contributions": async ({ page }) => {
      await view(page).locator("#end").click();
      const { x, y } = await cardAt(page, "x * y");
      await page.mouse.move(x + 3, y + 3);
      await page.mouse.move(x, y);
      const tip = view(page).locator("#tooltip:not([hidden])");
      await waitForText(tip, /18 \+ 24 = 42/, "the tooltip");
      await waitForText(tip, /b.*18 × 1.*c.*8 × 3/, "who handed what");
      await page.mouse.move(5, 5);
    },
    "the editor's cursor selects the node": async ({ page }) => {
      await goTo(page, FILE, 4, 13);
      await waitForText(
        view(page).locator("#inspector, [role=complementary], aside"),
        /\ba\b.*18/,
        "the inspector shows a",
      );
    },
    "hiding and showing the view keeps its state": async ({ page }) => {
      const inside = view(page);
      await inside.locator("#start").click();
      for (let step = 0; step < 7; step++) await inside.locator("#step").click();
      await inside.locator("#mode-lww").click();
      await waitForText(inside.locator("#position"), /step 7 of 12/, "step 7");
      // another tab in the panel's group hides the view
      await tab(page, "Backsweep").click();
      await command(page, "File: New Untitled Text File");
      await inside.locator("#position").waitFor({ state: "hidden" });
      await tab(page, "Backsweep").click();
      await waitForText(inside.locator("#position"), /step 7 of 12/, "still step 7");
      await waitForText(
        inside.locator('#mode-lww:is([aria-pressed="true"], [aria-checked="true"], :checked)'),
        /./,
        "still last writer wins",
      );
    },
  },
};
