/** A Chromium with a fresh profile, the pages opened in it, and what is kept of them when a test fails. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureChromium } from "./ensure-chromium.mjs";
import { root } from "./setup.mjs";

export const results = join(root, "test-results");

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Launches Chromium. Playwright gives it a fresh profile and ends it with this process. */
export async function launch() {
  const { chromium } = await import("playwright-core");
  // left to itself, Playwright would answer a signal by closing the browser and let the process wait for ever
  const ours = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    if (process.listenerCount(signal) === 0) process.on(signal, () => process.exit(130));
  return chromium.launch({ executablePath: await ensureChromium(), args: flags, ...ours });
}

/**
 * A page whose console is collected.
 * @returns {Promise<{ page: import("playwright-core").Page, log: string[], keep(name: string): Promise<void> }>}
 *   `keep` writes a screenshot and the console to test-results/
 */
export async function openPage(
  browser,
  { width = 1400, height = 900, reducedMotion = "no-preference" } = {},
) {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const log = [];
  page.on("console", (message) => log.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => log.push(`pageerror: ${error.stack ?? error.message}`));
  return {
    page,
    log,
    async keep(name) {
      mkdirSync(results, { recursive: true });
      writeFileSync(join(results, `${name}.log`), `${log.join("\n")}\n`);
      await page
        .screenshot({ path: join(results, `${name}.png`) })
        .catch((error) => process.stderr.write(`no screenshot: ${error.message}\n`));
    },
  };
}
