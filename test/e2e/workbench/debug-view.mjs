/** The debugger's parts of the workbench, as a person finds them; pictures where BACKSWEEP_SHOTS names a folder. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

export async function shot(page, name) {
  const folder = process.env.BACKSWEEP_SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** The rows of the Variables view, read as one text. */
export function variables(page) {
  return page.locator(".debug-variables .monaco-list-rows");
}

/** One row of the Variables view: the first one with this text. */
export function variable(page, text) {
  return page.locator(".debug-variables .monaco-list-row", { hasText: text }).first();
}

export function callStack(page) {
  return page.locator(".debug-call-stack .monaco-list-rows");
}

/** A button of the debug toolbar by the beginning of its name. */
export function toolbar(page, name) {
  return page.locator(`.debug-toolbar [aria-label^="${name}"]`).first();
}

/** Chooses an entry of the menu that is open. */
export async function chooseInMenu(page, text) {
  const entry = page.locator(".monaco-menu .action-item", { hasText: text }).first();
  await entry.waitFor({ timeout: 30_000 });
  // a menu does not listen to the mouse in its first moments: again until it has gone
  for (let attempt = 1; ; attempt++) {
    await entry.click({ timeout: 5_000 }).catch(() => undefined);
    try {
      await entry.waitFor({ state: "hidden", timeout: 3_000 });
      return;
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}

/** Chooses an entry of the list that was opened. */
export async function chooseInList(page, text) {
  await page
    .locator(".quick-input-widget .monaco-list-row", { hasText: text })
    .first()
    .click({ timeout: 60_000 });
}
