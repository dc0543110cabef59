/** Restricted Mode: the view says so and nothing is run. */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lens, openWorkbench, view, waitForText } from "./workbench.mjs";

const SOURCE = `import { graph } from "backsweep";
import { writeFileSync } from "node:fs";
writeFileSync(new URL("was-run", import.meta.url), "yes");
export const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => x * y);
`;

export const restricted = {
  name: "restricted",
  server: { trust: true },
  steps: {
    "graphs are recognised": async ({ page, server, folder }) => {
      writeFileSync(join(folder, "untrusted.graph.ts"), SOURCE);
      await openWorkbench(page, server, { folder, file: join(folder, "untrusted.graph.ts") });
      await lens(page).waitFor({ timeout: 120_000 });
    },
    "running shows the restricted face and runs nothing": async ({ page, folder }) => {
      await lens(page).click();
      await waitForText(view(page).locator("body"), /restricted/i, "the restricted face", 120_000);
      await view(page).locator("button", { hasText: /trust/i }).waitFor();
      assert.equal(existsSync(join(folder, "was-run")), false);
      assert.equal(await view(page).locator("#position").isVisible(), false);
    },
    "the button leads to Workspace Trust": async ({ page }) => {
      await view(page).locator("button", { hasText: /trust/i }).click();
      await page.locator(".workspace-trust-editor").waitFor();
    },
    "once trusted, what was asked for is run": async ({ page }) => {
      await page
        .locator(".workspace-trust-editor .monaco-button", { hasText: /^Trust$/ })
        .first()
        .click();
      // the file imports node:fs, which the loader refuses: that it says so shows that it was run now
      await waitForText(page.locator(".monaco-workbench"), /node:fs/, "the runner's answer", 120_000);
    },
  },
};
