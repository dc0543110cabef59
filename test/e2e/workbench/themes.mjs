/** Pictures of the panel in the four theme kinds, for docs/images/ and to be looked at. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, say } from "../../../scripts/setup.mjs";
import { openPage } from "../../../scripts/vscode-browser.mjs";
import { copyWorkspace, startServer } from "../../../scripts/vscode-server.mjs";
import { command, lens, openWorkbench, view, waitForText } from "./workbench.mjs";

const themes = {
  light: "Default Light Modern",
  dark: "Default Dark Modern",
  "high-contrast-dark": "Default High Contrast",
  "high-contrast-light": "Default High Contrast Light",
};

/** Step 9: both debts paid into `a`, which is final. */
async function show(page, server, folder) {
  await openWorkbench(page, server, { folder, file: join(folder, "fan-out.graph.ts") });
  await lens(page).waitFor({ timeout: 120_000 });
  if (await page.locator(".part.sidebar").isVisible())
    await command(page, "View: Toggle Primary Side Bar Visibility");
  await lens(page).click();
  const inside = view(page);
  await inside.locator("#start").click({ timeout: 120_000 });
  for (let step = 0; step < 9; step++) await inside.locator("#step").click();
  await waitForText(inside.locator('[data-node="a"]'), /18 \+ 24 = 42/, "both debts are paid");
  if (await page.locator(".part.auxiliarybar").isVisible())
    await command(page, "View: Toggle Secondary Side Bar Visibility");
  if (await page.locator(".notifications-toasts.visible").isVisible())
    await command(page, "Notifications: Clear All Notifications");
  await page.mouse.move(2, 2);
}

export async function takeScreenshots({ browser, vsix, settings, folder }) {
  mkdirSync(folder, { recursive: true });
  const sum = { passed: 0, failed: 0 };
  for (const [name, theme] of Object.entries(themes)) {
    const work = copyWorkspace(join(root, "examples"));
    const server = await startServer({ vsix, settings: { ...settings, "workbench.colorTheme": theme } });
    const { page, keep } = await openPage(browser, { width: 1500, height: 900, reducedMotion: "reduce" });
    try {
      await show(page, server, work);
      await page.screenshot({ path: join(folder, `panel-${name}.png`) });
      await view(page).locator("#mode-lww").click();
      await view(page).locator("#end").click();
      await waitForText(view(page).locator("#gradient-x"), /\b90\b/, "last writer wins");
      await page.screenshot({ path: join(folder, `panel-${name}-last-writer-wins.png`) });
      say(`  ok screenshots: ${theme}`);
      sum.passed++;
    } catch (error) {
      await keep(`screenshots-${name}`);
      say(`  NOT OK screenshots: ${theme}\n${String(error.stack ?? error).replace(/^/gm, "  | ")}`);
      sum.failed++;
    } finally {
      await page.context().close();
      await server.stop();
      rmSync(work, { recursive: true, force: true });
    }
  }
  return sum;
}
