/**
 * A session of the debugger as a person drives it: a breakpoint on the line of `a`, continue to it in the reverse sweep,
 * look at the contributions, step back, and the panel follows and leads. With BACKSWEEP_SHOTS a folder for pictures.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callStack, shot, toolbar, variables } from "./debug-view.mjs";
import { cardAt, command, goTo, lens, openWorkbench, view, waitForText } from "./workbench.mjs";

const FILE = "fan-out.graph.ts";

/** The keys go to the line of the debug console. */
const inConsole = (page) => page.evaluate('document.activeElement?.closest(".repl-input-wrapper") != null');

export const debuggerSession = {
  name: "debugger",
  server: {},
  steps: {
    "F9 sets a breakpoint on the line of a": async ({ page, server, folder }) => {
      await openWorkbench(page, server, { folder, file: join(folder, FILE) });
      await lens(page).waitFor({ timeout: 120_000 });
      await goTo(page, FILE, 4, 9);
      await page.keyboard.press("F9");
      await page.locator(".codicon-debug-breakpoint").first().waitFor({ timeout: 60_000 });
    },
    "Debug Sweep stops before the first evaluation, and the panel opens": async ({ page }) => {
      await command(page, "Backsweep: Debug Sweep");
      await toolbar(page, "Continue").waitFor({ timeout: 120_000 });
      await view(page).locator("#position").waitFor({ timeout: 120_000 });
      await waitForText(view(page).locator("#position"), /step 0 of 12/, "the panel is at the start");
      // the newest VS Code leaves the explorer where it is
      await command(page, "View: Show Run and Debug");
      await waitForText(callStack(page), /forward.*reverse sweep/, "both threads are there");
      await waitForText(callStack(page), /a = x \* y evaluates to 6/, "what happens next, in words");
      await shot(page, "1-entry");
    },
    "continue comes to a in the reverse sweep with both contributions": async ({ page }) => {
      await page.keyboard.press("F5");
      await waitForText(view(page).locator("#position"), /step 9 of 12/, "the panel follows");
      await waitForText(variables(page), /Contributions into a/, "the scope of contributions");
      const text = await waitForText(variables(page), /running sum.*42/, "the running sum");
      assert.match(text, /from b.*18 × 1/);
      assert.match(text, /from c.*8 × 3/);
      await waitForText(callStack(page), /a is final: 18 \+ 24 = 42/, "the stop in words");
      await waitForText(
        page.locator(".monaco-editor .line-numbers.active-line-number"),
        /^4$/,
        "the editor is at the line of a",
      );
      await waitForText(
        view(page).locator('[data-node="a"]'),
        /18 \+ 24 = 42/,
        "the graph view shows the sum",
      );
      // the drawing itself, not only the list beside it
      const { x, y } = await cardAt(page, "x * y");
      assert.ok(x > 0 && y > 0, "the card of a is drawn");
      await shot(page, "2-continued");
    },
    "step back takes one contribution back": async ({ page }) => {
      await toolbar(page, "Step Back").click();
      await waitForText(view(page).locator("#position"), /step 8 of 12/, "the panel follows back");
      const text = await waitForText(variables(page), /running sum.*18, 1 of 2/, "one contribution is left");
      assert.match(text, /from b.*18 × 1/);
      assert.doesNotMatch(text, /from c/);
      assert.match(text, /waiting for.*c/);
      await shot(page, "3-stepped-back");
    },
    "the panel's player moves the session": async ({ page }) => {
      await view(page).locator("#step").click();
      await waitForText(variables(page), /running sum.*42, 2 of 2/, "the session is where the panel is");
      await shot(page, "4-panel-leads");
    },
    "the console evaluates, and an assignment is a what-if": async ({ page }) => {
      await command(page, "Debug Console: Focus on Debug Console View");
      const output = page.locator(".repl .monaco-list-rows");
      await page.keyboard.type("bar(a) + local(a, c)");
      await page.keyboard.press("Enter");
      await waitForText(output, /\b45\b/, "42 + 3");
      await page.keyboard.type("x = 3");
      await page.keyboard.press("Enter");
      await waitForText(variables(page), /What-if beside the true sweep/, "the differences have a scope");
      await waitForText(view(page).locator("#position"), /step 9 of 12/, "the panel shows the what-if");
      await waitForText(view(page).locator(".banner"), /What if x = 3/, "the panel says that it is one");
      await waitForText(page.locator("footer.statusbar, .statusbar"), /what if x = 3/, "and the status bar");
      await waitForText(callStack(page), /what if x = 3/i, "and the call stack");
      await shot(page, "5-what-if");
    },
    "what is typed after a what-if goes into the console, not into the source": async ({ page, folder }) => {
      const before = readFileSync(join(folder, FILE), "utf8");
      assert.ok(await inConsole(page), "the focus is in the console");
      await page.keyboard.type("bar(a) = 1");
      await page.keyboard.press("Enter");
      await waitForText(
        page.locator(".repl .monaco-list-rows"),
        /What if x = 3 and bar\(a\) = 1/,
        "the second",
      );
      await waitForText(view(page).locator(".banner"), /What if x = 3 and bar\(a\) = 1/, "both are named");
      assert.ok(await inConsole(page), "the focus is still in the console");
      await page.locator(".tab.dirty").waitFor({ state: "detached" });
      assert.equal(readFileSync(join(folder, FILE), "utf8"), before);
      await shot(page, "6-console");
    },
    "stop ends the session, and the true sweep is back": async ({ page }) => {
      await page.keyboard.press("Shift+F5");
      await page.locator(".debug-toolbar").waitFor({ state: "hidden" });
      await view(page).locator(".banner").waitFor({ state: "hidden" });
      await waitForText(page.locator(".statusbar"), /fanOut: gradient/, "the status bar says so");
    },
    "a restart of a source that does not run keeps the session, and stop ends it": async ({
      page,
      folder,
    }) => {
      await goTo(page, FILE, 4, 9);
      await command(page, "Backsweep: Debug Sweep");
      await toolbar(page, "Continue").waitFor({ timeout: 120_000 });
      await waitForText(callStack(page), /a = x \* y evaluates to 6/, "the first stop");
      const path = join(folder, FILE);
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replace("return b * c;", "return b * ;"));
      await waitForText(page.locator(".monaco-editor .view-lines"), /return\sb\s\*\s;/, "the broken text");
      await toolbar(page, "Restart").click();
      await waitForText(
        page.locator(".notifications-toasts"),
        /Not restarted: fan-out\.graph\.ts:7:14: /,
        "why there is no new sweep, and where",
      );
      await shot(page, "7-broken");
      await page.keyboard.press("F5");
      await waitForText(callStack(page), /a is final: 18 \+ 24 = 42/, "the session goes on");
      await toolbar(page, "Stop").click();
      await page.locator(".debug-toolbar").waitFor({ state: "hidden", timeout: 10_000 });
      writeFileSync(path, text);
    },
  },
};
