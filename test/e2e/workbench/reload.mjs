/** Reloading the window restores the view where it was. */
import { join } from "node:path";
import { command, lens, openWorkbench, view, waitForText, workbenchReady } from "./workbench.mjs";

const FILE = "fan-out.graph.ts";

export const reload = {
  name: "reload",
  server: {},
  steps: {
    "the view is at step 9, last writer wins": async ({ page, server, folder }) => {
      // opened from the explorer: an address that names a file shows that file only, reloaded or not
      await openWorkbench(page, server, { folder });
      await page
        .locator(".explorer-folders-view .monaco-list-row", { hasText: FILE })
        .dblclick({ timeout: 120_000 });
      await lens(page).click({ timeout: 120_000 });
      const inside = view(page);
      await inside.locator("#start").click({ timeout: 120_000 });
      for (let step = 0; step < 9; step++) await inside.locator("#step").click();
      await inside.locator("#mode-lww").click();
      await waitForText(inside.locator("#position"), /step 9 of 12/, "step 9");
    },
    "it is there again after the window was reloaded": async ({ page, folder }) => {
      // VS Code's own reload: the browser's would not wait until what is to be restored was stored
      const loaded = page.waitForEvent("load", { timeout: 120_000 });
      await command(page, "Developer: Reload Window");
      await loaded;
      await workbenchReady(page, join(folder, FILE));
      const inside = view(page);
      await waitForText(inside.locator("#position"), /step 9 of 12/, "still step 9", 120_000);
      await inside.locator("#end").click();
      await waitForText(inside.locator("#gradient-x"), /\b90\b/, "still last writer wins");
    },
    "a step is not lost when the browser reloads the page at once": async ({ page, folder }) => {
      const inside = view(page);
      await inside.locator("#start").click();
      for (let step = 0; step < 7; step++) await inside.locator("#step").click();
      await waitForText(inside.locator("#position"), /step 7 of 12/, "step 7");
      // VS Code stores this one; what comes after it is ours to keep
      const loaded = page.waitForEvent("load", { timeout: 120_000 });
      await command(page, "Developer: Reload Window");
      await loaded;
      await workbenchReady(page, join(folder, FILE));
      await waitForText(inside.locator("#position"), /step 7 of 12/, "step 7 again", 120_000);
      await inside.locator("#step").click();
      await inside.locator("#step").click();
      await page.reload();
      await workbenchReady(page, join(folder, FILE));
      await waitForText(inside.locator("#position"), /step 9 of 12/, "step 9, not 7", 120_000);
    },
  },
};
