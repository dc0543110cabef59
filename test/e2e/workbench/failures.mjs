/** A run that fails says where, the last good sweep stays, and the window stays responsive. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command, lens, openWorkbench, tab, view, waitForText } from "./workbench.mjs";

const FILE = "fan-out.graph.ts";

export const failures = {
  name: "failures",
  server: {},
  steps: {
    "a sweep is on screen": async ({ page, server, folder, memory }) => {
      memory.source = readFileSync(join(folder, FILE), "utf8");
      await openWorkbench(page, server, { folder, file: join(folder, FILE) });
      await lens(page).click({ timeout: 120_000 });
      await waitForText(view(page).locator("#position"), /of 12/, "the sweep", 120_000);
    },
    "an error in the graph is said with its line, and the sweep stays": async ({ page, folder, memory }) => {
      writeFileSync(
        join(folder, FILE),
        memory.source.replace("return b * c", 'if (x > 0) throw new Error("no luck"); return b * c'),
      );
      await waitForText(
        page.locator(".monaco-editor .view-lines"),
        /no.luck/,
        "the editor shows the changed file",
      );
      await lens(page).click();
      await waitForText(view(page).locator("body"), /no luck/, "the view says what was thrown");
      await waitForText(view(page).locator("#position"), /of 12/, "the last good sweep stays");
      // said in the view, which is on screen: a notification would say it twice and lie over the player
      const toasts = await page.locator(".notifications-toasts").allTextContents();
      if (toasts.some((text) => text.includes("no luck"))) {
        throw new Error("the failure is told in a notification as well");
      }
    },
    "an endless loop ends at its deadline while the window answers": async ({ page, folder, memory }) => {
      writeFileSync(join(folder, FILE), memory.source.replace("return b * c", "for (;;) {} return b * c"));
      await waitForText(
        page.locator(".monaco-editor .view-lines"),
        /for.*;;/,
        "the editor shows the changed file",
      );
      await lens(page).click();
      await command(page, "View: Toggle Primary Side Bar Visibility");
      await command(page, "View: Toggle Primary Side Bar Visibility");
      await tab(page, FILE).waitFor();
      await waitForText(
        view(page).locator("body"),
        /still running after 5 s/,
        "the view names the deadline",
        60_000,
      );
    },
    "mended, it runs again": async ({ page, folder, memory }) => {
      writeFileSync(join(folder, FILE), memory.source);
      await waitForText(
        page.locator(".monaco-editor .view-lines"),
        /return.b.\*.c/,
        "the editor shows the mended file",
      );
      await command(page, "Backsweep: Run Sweep Again");
      await view(page).locator("#end").click();
      await waitForText(view(page).locator("#gradient-x"), /\b144\b/, "the gradient");
    },
  },
};
