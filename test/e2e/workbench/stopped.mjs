/** A run that stops before its sweep shows what it recorded, and goes to the line where it stopped. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command, lens, openWorkbench, view, waitForText } from "./workbench.mjs";

const FILE = "fan-out.graph.ts";

export const stopped = {
  name: "stopped",
  server: {},
  steps: {
    "a throw leaves its recording: steps forward, not swept": async ({ page, server, folder, memory }) => {
      memory.file = join(folder, FILE);
      memory.source = readFileSync(memory.file, "utf8");
      writeFileSync(
        memory.file,
        memory.source.replace("return b * c", 'if (b > 0) throw new Error("no luck");\n  return b * c'),
      );
      await openWorkbench(page, server, { folder, file: memory.file });
      await lens(page).click({ timeout: 120_000 });
      const inside = view(page);
      await waitForText(inside.locator("#banner"), /no luck/, "the banner", 120_000);
      await waitForText(inside.locator("#banner"), /stopped after 3 operations/, "how far it came");
      await waitForText(inside.locator("#position"), /step 3 of 3, forward/, "at its end");
      await waitForText(inside.locator('[data-node="c"]'), /value 18, not swept/, "c has a value only");
      await inside.locator("#back").click();
      await waitForText(inside.locator("#position"), /step 2 of 3/, "one step back");
    },
    "the place in the banner leads to the line": async ({ page }) => {
      await view(page).locator("#failure-place").click();
      await waitForText(
        page.locator(".monaco-editor .line-numbers.active-line-number"),
        /^7$/,
        "the line of the throw",
      );
    },
    "while it runs again the view says so, then what an endless loop had recorded": async ({
      page,
      memory,
    }) => {
      writeFileSync(
        memory.file,
        memory.source.replace(
          "return b * c",
          "let s = b;\n  for (let i = 1; ; i++) { if (i % 1000 === 0) s = s * 0.5; if (i < 0) break; }\n  return s",
        ),
      );
      await waitForText(page.locator(".monaco-editor .view-lines"), /% 1000|%.1000/, "the changed file");
      await lens(page).click();
      await waitForText(view(page).locator("#banner"), /Running the sweep/, "running comes first", 30_000);
      await waitForText(view(page).locator("body"), /still running after 5 s/, "the deadline", 60_000);
    },
    "mended, the recording gives way to the sweep": async ({ page, memory }) => {
      writeFileSync(memory.file, memory.source);
      await waitForText(page.locator(".monaco-editor .view-lines"), /return.b.\*.c/, "the mended file");
      await command(page, "Backsweep: Run Sweep Again");
      // the failure was also told in a notification, which lies over the player
      await command(page, "Notifications: Clear All Notifications");
      await waitForText(view(page).locator("#position"), /of 12/, "the sweep", 60_000);
      await view(page).locator("#end").click();
      await waitForText(view(page).locator("#gradient-x"), /\b144\b/, "the gradient");
    },
  },
};
