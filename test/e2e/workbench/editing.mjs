/** Writing graphs by hand: a new definition, a snippet, the keys; and the schedules compared in the panel. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { shot } from "./debug-view.mjs";
import { command, goTo, lens, openWorkbench, tab, view, waitForText } from "./workbench.mjs";

const MODIFIER = process.platform === "darwin" ? "Meta" : "Control";
const lines = (page) => page.locator(".editor-instance .view-lines").first();

export const editing = {
  name: "editing",
  server: {},
  steps: {
    "New Graph Definition asks for a name, refuses one that is there, and makes a graph to run": async ({
      page,
      server,
      folder,
    }) => {
      await openWorkbench(page, server, { folder, file: join(folder, "fan-out.graph.ts") });
      await lens(page).waitFor({ timeout: 120_000 });
      await command(page, "Backsweep: New Graph Definition");
      const input = page.locator(".quick-input-widget input[type=text]").first();
      await input.waitFor();
      await input.fill("fan-out");
      await waitForText(
        page.locator(".quick-input-widget"),
        /fan-out\.graph\.ts is already there/,
        "refused",
      );
      await input.fill("my-loss");
      await page.keyboard.press("Enter");
      await tab(page, "my-loss.graph.ts").waitFor();
      await waitForText(lines(page), /export const myLoss = graph/, "its text");
      await lens(page).waitFor();
      await shot(page, "editing-1-new");
    },
    "its keys run it": async ({ page }) => {
      await tab(page, "my-loss.graph.ts").click();
      await lines(page).click();
      await page.keyboard.press(`${MODIFIER}+K`);
      await page.keyboard.press("G");
      await waitForText(view(page).locator("#position"), /of 12/, "the sweep", 120_000);
    },
    "a snippet writes a second graph": async ({ page }) => {
      await goTo(page, "my-loss.graph.ts", 9, 1);
      await page.keyboard.type("\nbacksweep-graph-options");
      await command(page, "Trigger Suggest");
      const rows = page.locator(".suggest-widget .monaco-list-row");
      await rows.filter({ hasText: "backsweep-graph-options" }).first().waitFor();
      // by keys: the list is drawn anew under the mouse while other providers answer
      const focused = page.locator(".suggest-widget .monaco-list-row.focused").first();
      for (let moved = 0; !(await focused.innerText()).includes("backsweep-graph-options"); moved++) {
        if (moved === 10) throw new Error("the keys do not reach the snippet");
        await page.keyboard.press("ArrowDown");
      }
      await page.keyboard.press("Enter");
      await page.keyboard.press("Escape");
      await page.locator(".codelens-decoration a", { hasText: "Run sweep" }).nth(1).waitFor();
      await shot(page, "editing-2-snippet");
    },
    "in an empty graph file the commands say what is missing, and fill it": async ({ page, folder }) => {
      writeFileSync(join(folder, "blank-page.graph.ts"), "\n");
      const row = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "blank-page.graph.ts" });
      await row.dblclick();
      await tab(page, "blank-page.graph.ts").waitFor();
      await command(page, "Backsweep: Run Sweep");
      const toast = page.locator(".notification-toast", { hasText: "blank-page.graph.ts is empty" });
      await toast.waitFor();
      await toast.locator(".monaco-button", { hasText: "Insert a Graph" }).click();
      await waitForText(lines(page), /export const blankPage = graph/, "its text");
      await lens(page).waitFor();
      await command(page, "File: Save");
    },
    "Compare Schedules opens the tab and measures, in front of what is planned": async ({ page }) => {
      await command(page, "View: Close All Editors");
      await page.keyboard.press("Escape");
      await page
        .locator(".monaco-dialog-box .monaco-button", { hasText: "Don't Save" })
        .click({ timeout: 10_000 })
        .catch(() => {});
      await page
        .locator(".explorer-folders-view .monaco-list-row", { hasText: "chain-64.graph.ts" })
        .dblclick();
      const compare = page.locator(".codelens-decoration a", { hasText: "Compare schedules" });
      await compare.click({ timeout: 120_000 });
      const inside = view(page);
      await inside.locator("#schedule-name").waitFor({ timeout: 120_000 });
      const table = inside.locator(".table-wide");
      await waitForText(table, /store-all/, "the graph under each schedule, measured", 300_000);
      await waitForText(table, /uniform/, "more than one schedule");
      await shot(page, "editing-3-schedules");
    },
    "a schedule chosen in the panel is run, and holds until another is chosen": async ({ page, memory }) => {
      const inside = view(page);
      const total = async () => {
        await inside.locator("#tab-graph").click();
        const text = await waitForText(inside.locator("#position"), /step \d+ of \d+/, "the position");
        return Number(/of ([\d,]+)/.exec(text)[1].replaceAll(",", ""));
      };
      memory.own = await total();
      await inside.locator("#tab-schedules").click();
      await inside.locator("#schedule-name").fill("uniform:8");
      await inside.locator("#schedule-plan").click();
      await inside.locator("#schedule-run:enabled").click();
      await inside.locator("#tab-graph").click();
      // replays are steps of the timeline
      await waitForText(
        inside.locator("#position"),
        new RegExp(`of (?!${memory.own}\\b)`),
        "replays",
        60_000,
      );
      const scheduled = await total();
      assert.ok(scheduled > memory.own, `${scheduled} steps, ${memory.own} when everything is kept`);
      await command(page, "Backsweep: Run Sweep Again");
      await waitForText(page.locator(".statusbar"), /chain64: gradient/, "it was run again");
      assert.equal(await total(), scheduled, "the schedule is remembered");
      await inside.locator("#tab-schedules").click();
      await inside.locator("#schedule-own").click();
      await inside.locator("#tab-graph").click();
      await waitForText(
        inside.locator("#position"),
        new RegExp(`of ${memory.own}\\b`),
        "its own again",
        60_000,
      );
      await shot(page, "editing-4-own-schedule");
    },
  },
};
