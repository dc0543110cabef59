/** Reloading the window restores the view where it was. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { command, lens, openWorkbench, view, waitForText, workbenchReady } from "./workbench.mjs";

const FILE = "fan-out.graph.ts";
const AUDIT = "lost.audit.ts";

/** Waits until the extension has written down that the view of this folder's example is at this step. */
async function writtenDown(server, folder, step) {
  const kept = join(server.data, "data", "User", "workspaceStorage");
  const deadline = Date.now() + 30_000;
  for (;;) {
    const files = readdirSync(kept, { recursive: true }).filter((file) => file.endsWith("positions.json"));
    const positions = files.flatMap((file) => JSON.parse(readFileSync(join(kept, file), "utf8")));
    const found = positions.find(({ key }) => key.includes(join(folder, FILE)));
    if (found?.step === step) return;
    if (Date.now() > deadline) throw new Error(`step ${step} was not written down: ${JSON.stringify(found)}`);
    await later(50);
  }
}

export const reload = {
  name: "reload",
  server: {},
  steps: {
    "the view is at step 9, last writer wins": async ({ page, server, folder }) => {
      // for the last step: the newest VS Code's explorer does not see files that are made after a reload of the page
      const text = readFileSync(join(folder, "faulty-engines", "overwrite.audit.ts"), "utf8");
      writeFileSync(join(folder, AUDIT), text.replace('"./', '"./faulty-engines/'));
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
    "a step is not lost when the browser reloads the page": async ({ page, server, folder }) => {
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
      // a page that is torn down before the message has left it cannot tell anybody
      await writtenDown(server, folder, 9);
      await page.reload();
      await workbenchReady(page, join(folder, FILE));
      await waitForText(inside.locator("#position"), /step 9 of 12/, "step 9, not 7", 120_000);
    },
    "the smallest failing graph of an audit is there again, with the engine's own sweep": async ({
      page,
      folder,
    }) => {
      const row = page.locator(".explorer-folders-view .monaco-list-row", { hasText: AUDIT });
      await row.dblclick({ timeout: 120_000 });
      const audits = page.locator(".codelens-decoration a", { hasText: "Audit this engine" });
      await audits.first().click({ timeout: 120_000 });
      const button = page.locator(".notification-toast .monaco-button", { hasText: "Open Smallest Graph" });
      await button.click({ timeout: 120_000 });
      const inside = view(page);
      const engines = inside.locator('#mode-lww:is([aria-pressed="true"], [aria-checked="true"], :checked)');
      await waitForText(engines, /overwrite/, "the engine's sweep", 120_000);
      const position = await waitForText(inside.locator("#position"), /step \d+ of \d+/, "where it is");
      const loaded = page.waitForEvent("load", { timeout: 120_000 });
      await command(page, "Developer: Reload Window");
      await loaded;
      await workbenchReady(page, join(folder, AUDIT));
      await waitForText(engines, /overwrite/, "the engine's sweep again", 120_000);
      await waitForText(inside.locator("#position"), position, "where it was", 120_000);
      await waitForText(inside.locator("body"), /overwrite.s numbers; Right has ours/, "whose numbers");
    },
  },
};
