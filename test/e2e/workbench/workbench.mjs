/** Driving the real workbench: what a person does with it, in a few words. Waits are for conditions, never for times. */
import { basename } from "node:path";
import process from "node:process";
import { setTimeout as later } from "node:timers/promises";

const READY_MS = 180_000;
const MODIFIER = process.platform === "darwin" ? "Meta" : "Control";

/** Opens a folder, and in it a file, in the page; resolves when the workbench shows the file's text. */
export async function openWorkbench(page, server, { folder, file = null }) {
  const payload = file === null ? [] : [["openFile", `vscode-remote://${server.authority}${file}`]];
  await page.goto(server.address({ folder, payload }));
  await workbenchReady(page, file);
}

export async function workbenchReady(page, file = null) {
  await page.locator(".monaco-workbench .statusbar").waitFor({ timeout: READY_MS });
  if (file) await page.locator(".monaco-editor .view-line").first().waitFor({ timeout: READY_MS });
  if (file) await tab(page, basename(file)).waitFor({ timeout: READY_MS });
}

export function tab(page, name) {
  return page.locator(".tabs-container .tab", { hasText: name }).first();
}

/** Runs a command of the palette by its title. The palette closes when something else takes the focus: then again. */
export async function command(page, title) {
  const input = page.locator(".quick-input-widget input[type=text]").first();
  const entry = page.locator(".quick-input-widget .monaco-list-row", { hasText: title }).first();
  for (let attempt = 1; ; attempt++) {
    try {
      await page.keyboard.press("F1");
      await input.waitFor({ timeout: 10_000 });
      await input.fill(`>${title}`, { timeout: 10_000 });
      await entry.click({ timeout: 10_000 });
      break;
    } catch (error) {
      if (attempt === 5) throw error;
      await page.keyboard.press("Escape");
    }
  }
  // gone, or already the list that the command asks with
  await page.waitForFunction(`(() => {
    const shown = document.querySelector(".quick-input-widget input[type=text]");
    return shown === null || shown.offsetParent === null || !shown.value.startsWith(">");
  })()`);
}

/** The CodeLens over the only graph of the file. */
export function lens(page) {
  return page.locator(".codelens-decoration a", { hasText: "Run sweep" });
}

/** The document of Backsweep's webview, two frames deep. */
export function view(page) {
  return page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
}

/** Where on the page the card of the node with this text stands: its middle. */
export async function cardAt(page, text) {
  const card = view(page).locator(".overlay .card", { hasText: text }).first().locator(".card-body");
  const box = await card.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/**
 * Moves the editor's cursor to a line and column with "Go to Line/Column". What takes the focus meanwhile closes the input
 * or takes the key: then again, until the status bar says that the cursor is there.
 */
export async function goTo(page, file, line, column) {
  const input = page.locator(".quick-input-widget input[type=text]").first();
  const place = page.locator("#status\\.editor\\.selection", { hasText: `Ln ${line}, Col ${column}` });
  for (let attempt = 1; ; attempt++) {
    try {
      await tab(page, file).click({ timeout: 10_000 });
      await page.keyboard.press(`${MODIFIER}+G`);
      await input.waitFor({ timeout: 10_000 });
      await input.fill(`:${line}:${column}`, { timeout: 10_000 });
      await input.press("Enter", { timeout: 10_000 });
      await input.waitFor({ state: "hidden", timeout: 10_000 });
      await place.waitFor({ timeout: 10_000 });
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      await page.keyboard.press("Escape");
    }
  }
}

/** Waits until the text of a locator satisfies a test; rejects with what the text was instead. */
export async function waitForText(locator, wanted, what, limit = 60_000) {
  const fits = (text) => (wanted instanceof RegExp ? wanted.test(text) : text.includes(wanted));
  const deadline = Date.now() + limit;
  for (;;) {
    const text = await allText(locator);
    if (fits(text)) return text;
    if (Date.now() > deadline)
      throw new Error(`${what}: expected ${String(wanted)}, found ${JSON.stringify(text)}`);
    await later(100);
  }
}

/** Text and accessible name of an element, or "" while it is not there. */
async function allText(locator) {
  try {
    const element = locator.first();
    const [text, label, value] = await Promise.all([
      element.textContent({ timeout: 2_000 }),
      element.getAttribute("aria-label", { timeout: 2_000 }),
      element.getAttribute("aria-valuetext", { timeout: 2_000 }),
    ]);
    return [text, label, value].filter(Boolean).join(" | ").replace(/\s+/g, " ").trim();
  } catch {
    return "";
  }
}
