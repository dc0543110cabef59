/* global document, getComputedStyle */
/** The language features in the real workbench: hints, fan-out marks, hover, staleness, the tree, the startup report. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as later } from "node:timers/promises";
import { command, goTo, lens, openWorkbench, view, waitForText } from "./workbench.mjs";

const FILE = "fan-out.graph.ts";

/** A picture to be looked at, where they are wanted: BACKSWEEP_PICTURES names the folder. */
async function picture(page, name) {
  const folder = process.env.BACKSWEEP_PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const lines = (page) => page.locator(".editor-instance .view-lines").first();

/** Waits for a text behind a line: VS Code writes it with a style, so that no element has it as its text. */
async function behind(page, wanted, what) {
  const texts = () =>
    Array.from(
      document.querySelectorAll(".view-lines span"),
      (span) => getComputedStyle(span, "::after").content,
    )
      .filter((content) => content !== "none")
      .join("\n")
      .replace(/\u00a0/g, " ");
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await page.evaluate(texts);
    if (wanted.test(found)) return;
    if (Date.now() > deadline) throw new Error(`${what}: expected ${String(wanted)}, found ${found}`);
    await later(100);
  }
}

export const features = {
  name: "features",
  server: {},
  steps: {
    "the CodeLens offers the check, and the check agrees": async ({ page, server, folder }) => {
      await openWorkbench(page, server, { folder, file: join(folder, FILE) });
      await lens(page).waitFor({ timeout: 120_000 });
      const check = page.locator(".codelens-decoration a", { hasText: "Check gradient" });
      await check.click();
      await waitForText(page.locator(".statusbar"), /derivatives agree/, "the answer");
    },
    "after the run hints and fan-outs stand in the source": async ({ page }) => {
      await lens(page).click();
      await view(page).locator("#position").waitFor({ timeout: 120_000 });
      await waitForText(lines(page), /x \* y\s*=\s*6\s*∂\s*42/, "the hint of a");
      await behind(page, /2 uses: 18 \+ 24 = 42/, "the sum of the fan-out");
      await page.locator(".glyph-margin-widgets .cgmr").first().waitFor({ state: "attached" });
      await waitForText(page.locator(".statusbar"), /fanOut: gradient/, "the status bar");
      await page.mouse.move(5, 5);
      await picture(page, "hints");
    },
    "the hover has the table of contributions": async ({ page }) => {
      await goTo(page, FILE, 4, 9);
      await command(page, "Show or Focus Hover");
      const hover = page.locator(".monaco-hover:not(.hidden)").first();
      await waitForText(hover, /18 × 1.*24.*42/, "the contributions");
      await waitForText(hover, /2 paths to the output/, "the paths");
      await picture(page, "hover");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
    },
    "an edit marks every figure as older than the text, at once and where it moved to": async ({ page }) => {
      await goTo(page, FILE, 4, 1);
      await page.keyboard.type("\n");
      await waitForText(lines(page), /x \* y\s*~\s*6\s*∂\s*42/, "the stale hint");
      await behind(page, /2 uses: 18 \+ 24 = 42 \(older than the text\)/, "the stale sum");
      await waitForText(page.locator(".statusbar"), /older than the text/, "the status bar");
      await picture(page, "stale");
      await page.keyboard.press(`${process.platform === "darwin" ? "Meta" : "Control"}+Z`);
      await waitForText(lines(page), /x \* y\s*=\s*6\s*∂\s*42/, "fresh again");
    },
    "while the panel shows last writer wins, the source says so and what is right": async ({ page }) => {
      await view(page).locator("#mode-lww").click();
      await waitForText(
        lines(page),
        /x \* y\s*=\s*6\s*∂\s*last writer wins: 24, right: 42/,
        "the hint of a, both figures",
      );
      await behind(page, /2 uses: last writer wins: 24, right: 18 \+ 24 = 42/, "the sum that was lost");
      await waitForText(page.locator(".statusbar"), /fanOut: last writer wins/, "the status bar");
      await picture(page, "last-writer-wins");
      await view(page).locator("#mode-sum").click();
      await waitForText(lines(page), /x \* y\s*=\s*6\s*∂\s*42/, "the right figure alone again");
    },
    "the tree follows the view, and the view the tree": async ({ page }) => {
      await command(page, "Explorer: Focus on Computation Graph View");
      const pane = page.locator(".pane", { hasText: "Computation Graph" });
      const row = (text) => pane.locator(".monaco-list-row", { hasText: text }).first();
      await waitForText(row("b * c"), /144/, "the output");
      await row("c = a * y").click();
      await waitForText(view(page).locator("#inspector h2"), /c = a \* y/, "the inspector shows c");
      await goTo(page, FILE, 5, 13);
      await waitForText(
        pane.locator(".monaco-list-row.selected").first(),
        /a = x \* y/,
        "the tree follows the cursor",
      );
      await picture(page, "tree");
    },
    "the startup report names a short activation": async ({ page }) => {
      await command(page, "Developer: Startup Performance");
      await page.locator(".view-line", { hasText: "System Info" }).first().waitFor({ timeout: 60_000 });
      // only the lines on screen are elements of the page
      await page.keyboard.press(`${process.platform === "darwin" ? "Meta" : "Control"}+F`);
      await page.keyboard.type("backsweep.backsweep");
      await page.keyboard.press("Enter");
      const line = page.locator(".view-line", { hasText: "onLanguage:typescript" }).first();
      const row = await waitForText(line, /backsweep\.backsweep/, "the row of the extension");
      // milliseconds: loading the code, the call of activate, until its promise resolves
      assert.match(row, /\| *(\d+) *\| *(\d+) *\| *(\d+) *\|/, row);
      process.stderr.write(`  | startup report: ${row}\n`);
      await picture(page, "startup");
    },
  },
};
