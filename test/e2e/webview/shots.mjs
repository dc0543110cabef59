/* global console, process, harness, document */
/** Pictures of the panel, to be looked at: `node test/e2e/webview/shots.mjs [name...]`, into /tmp/backsweep-shots. */
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";
import { chromiumOptions } from "./chromium.mjs";
import { serve } from "./serve.mjs";

const out = "/tmp/backsweep-shots";
mkdirSync(out, { recursive: true });
const at = (sweep, step, more = {}) => ({
  sweep,
  rest: { step, ...more },
  theme: "dark",
  size: [1360, 860],
  ...more,
});

const shots = {
  dark: at("fanOut", 9),
  light: at("fanOut", 9, { theme: "light" }),
  "hc-dark": at("fanOut", 9, { theme: "hc-dark" }),
  "hc-light": at("fanOut", 9, { theme: "hc-light" }),
  "dark-forward": at("fanOut", 2),
  "dark-start": at("fanOut", 0),
  "dark-seed": at("fanOut", 4),
  "dark-end": at("fanOut", 12),
  "dark-lww": at("fanOut", 12, { mode: "last-writer-wins", selected: 2 }),
  "light-lww": at("fanOut", 9, { mode: "last-writer-wins", theme: "light" }),
  audit: at("foreign", 12, { mode: "last-writer-wins", selected: 2 }),
  "audit-light": at("foreign", 12, { mode: "last-writer-wins", selected: 2, theme: "light" }),
  "audit-hc-dark": at("foreign", 12, { mode: "last-writer-wins", selected: 2, theme: "hc-dark" }),
  "audit-narrow": at("foreign", 12, { mode: "last-writer-wins", selected: 2, size: [420, 800] }),
  "audit-threw": at("foreignThrew", 12, { mode: "last-writer-wins", selected: 2 }),
  "audit-changed": at("foreignChanged", 12, { mode: "last-writer-wins", selected: 2 }),
  three: at("threeChildren", 13),
  chain: at("chain40", 60),
  random300: at("random300", 500),
  random5000: at("random5000", 5000),
  awkward: at("awkward", 9, { theme: "light" }),
  narrow: at("fanOut", 9, { size: [400, 760] }),
  short: at("fanOut", 9, { size: [1100, 360] }),
  arrays: at("arrayFan", 11),
  "arrays-light": at("layer", 21, { theme: "light", selected: 6 }),
  "arrays-hc": at("arrayFan", 11, { theme: "hc-dark", mode: "last-writer-wins", selected: 2 }),
  "arrays-hc-light": at("arrayFan", 10, { theme: "hc-light" }),
  "arrays-tall": at("layer", 21, { size: [1360, 1300], theme: "light" }),
  "arrays-lww": at("arrayFan", 14, { size: [1000, 1300], mode: "last-writer-wins", theme: "hc-light" }),
  "arrays-big": at("bigArray", 14),
  ...Object.fromEntries(
    ["dark", "light", "hc-dark", "hc-light"].flatMap((theme) => [
      [`memory-${theme}`, at("chain24", 150, { theme, tab: "memory" })],
      [`schedules-${theme}`, at("chain24", 150, { theme, tab: "schedules" })],
      [`numerics-${theme}`, at("fan", 9, { theme, tab: "numerics" })],
    ]),
  ),
  "schedules-tapes": at("chain24tapes", 100, { tab: "schedules" }),
  "schedules-mixed": at("chain24mixed", 100, { tab: "schedules" }),
  "schedules-bennett": at("chain16bennett", 100, { tab: "schedules", theme: "light" }),
  "schedules-none": at("fanOut", 9, { tab: "schedules" }),
  "schedules-measured": at("chain24", 150, { tab: "schedules", measure: true, size: [1360, 1500] }),
  ...Object.fromEntries(
    [320, 400, 560, 700, 800, 960, 1100].map((width) => [
      `width-${width}`,
      at("fanOut", 9, { size: [width, 500], mode: "last-writer-wins" }),
    ]),
  ),
  "schedules-narrow": at("chain24", 100, { tab: "schedules", size: [500, 900] }),
  "schedules-tall": at("chain24", 150, { tab: "schedules", size: [1360, 1900] }),
  "graph-chain": at("chain6", 30),
  "graph-bennett": at("chain6bennett", 30),
  "graph-coupled": at("coupled", 150),
  "numerics-coupled": at("coupled", 150, { tab: "numerics" }),
  "schedules-coupled": at("coupled", 150, { tab: "schedules" }),
  breakpoints: at("fanOut", 9, { breakpoints: [1, 6, 9] }),
  hover: at("threeChildren", 13, { hover: "a" }),
  "memory-fan": at("fanOut", 9, { tab: "memory", theme: "light" }),
  "numerics-nan": at("awkward", 9, { tab: "numerics" }),
  small: at("fanOut", 9, { size: [400, 400], theme: "light" }),
};

const wanted = process.argv.slice(2);
const server = await serve();
const browser = await chromium.launch(chromiumOptions);
for (const [name, shot] of Object.entries(shots)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const [width, height] = shot.size;
  const page = await browser.newPage({ viewport: { width, height } });
  page.on("pageerror", (error) => console.log(name, "error:", error.stack));
  await page.goto(`${server.origin}/?theme=${shot.theme}`);
  await page.evaluate(({ sweep, rest }) => harness.sweep(sweep, rest), shot);
  await page.waitForFunction(() => document.getElementById("position")?.textContent !== "", undefined, {
    timeout: 8000,
  });
  if (shot.breakpoints !== undefined)
    await page.evaluate((steps) => harness.send({ type: "breakpoints", steps }), shot.breakpoints);
  if (shot.tab !== undefined) await page.click(`#tab-${shot.tab}`);
  if (shot.hover !== undefined) {
    const card = page.locator(".overlay .card", { has: page.locator(`.card-name:text-is("${shot.hover}")`) });
    const box = await card.locator(".card-body").boundingBox();
    await page.mouse.move(box.x + 50, box.y + 20);
    await page.waitForSelector("#tooltip:not([hidden])");
  }
  if (shot.measure === true) {
    await page.click("#measure");
    await page.waitForSelector(".compared");
  }
  await page.waitForTimeout(shot.tab === undefined ? 500 : 1800);
  await page.screenshot({ path: `${out}/${name}.png` });
  const bad = await page.evaluate(() =>
    [harness.violations, harness.posted.filter((m) => m.type === "error")].flat(),
  );
  console.log(name, JSON.stringify(bad));
  await page.close();
}
await browser.close();
server.stop();
