/**
 * The audit as a person meets it: an engine that loses contributions is named, its smallest failing graph opens beside
 * the line at fault; a long audit shows that it goes on, and can be cancelled.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { shot } from "./debug-view.mjs";
import { command, goTo, openWorkbench, tab, view, waitForText } from "./workbench.mjs";

const FILE = "faulty-engines/overwrite.audit.ts";
const SLOW = "slow.audit.ts";

/** Every gradient is right, and the whole audit takes longer than anybody would wait. */
const SLOW_TEXT = `import { audit } from "backsweep";
import { Value } from "./correct-engines/closures";

const slowly = (op: (a: Value, b: Value) => Value) => (a: Value, b: Value) => {
  for (const end = Date.now() + 500; Date.now() < end; );
  return op(a, b);
};

export const slow = audit({
  leaf: (value) => new Value(value),
  operations: { add: slowly((a, b) => a.add(b)), mul: slowly((a, b) => a.mul(b)) },
  backward: (output: Value) => output.backward(),
  gradient: (node: Value) => node.grad,
});
`;

/** The CodeLens in the group of editors that has the focus. */
const auditLens = (page) =>
  page.locator(".editor-group-container.active .codelens-decoration a", { hasText: "Audit this engine" });
const toast = (page, text) =>
  page.locator(".notifications-toasts .notification-toast", { hasText: text }).first();

/** Runs a row of the Test Explorer. While files are found the list is drawn anew under the mouse: then again. */
async function runRow(page, row) {
  for (let attempt = 1; ; attempt++) {
    try {
      await page.mouse.move(5, 5);
      await row.hover({ timeout: 5_000 });
      await row.locator('.action-label[aria-label^="Run Test"]').first().click({ timeout: 5_000 });
      return;
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}

export const audit = {
  name: "audit",
  server: {},
  steps: {
    "the CodeLens audits the engine, and the fault is named": async ({ page, server, folder }) => {
      writeFileSync(join(folder, SLOW), SLOW_TEXT);
      await openWorkbench(page, server, { folder, file: join(folder, FILE) });
      await auditLens(page).click({ timeout: 120_000 });
      await waitForText(
        toast(page, "overwrite:"),
        /overwrite: overwrite: .*\(overwrite\.ts:40\)/,
        "what is wrong, and where",
        120_000,
      );
      await shot(page, "audit-1-named");
    },
    "its smallest failing graph opens, right and wrong side by side": async ({ page }) => {
      await toast(page, "overwrite:").locator(".monaco-button", { hasText: "Open Smallest Graph" }).click();
      const inside = view(page);
      await waitForText(inside.locator("#mode-lww"), /overwrite/, "the engine has a button", 120_000);
      await waitForText(
        inside.locator('#mode-lww:is([aria-pressed="true"], [aria-checked="true"], :checked)'),
        /./,
        "its sweep is looked at first",
      );
      await waitForText(inside.locator("body"), /overwrite.s numbers; Right has ours/, "whose numbers");
      await shot(page, "audit-2-smallest");
    },
    "what was lost is struck out, and the editor shows the line that lost it": async ({ page }) => {
      await waitForText(view(page).locator('[data-node="x"]'), /lost|overw|20\.09/, "x keeps the last one");
      await waitForText(
        view(page).locator("#inspector"),
        /Contributions to the cotangent of x.*last\s*20\.09/,
        "the inspector has both contributions",
      );
      await tab(page, "overwrite.ts").waitFor();
      await waitForText(
        page.locator(".monaco-editor .line-numbers.active-line-number"),
        /^40$/,
        "the line at fault",
      );
    },
    "Right shows our sweep of the same graph": async ({ page }) => {
      await view(page).locator("#mode-sum").click();
      await waitForText(view(page).locator("#inspector"), /1 \+ 20\.09 = 21\.09/, "the sum that is due");
      await shot(page, "audit-3-right");
    },
    "an edit of the engine makes its sweep older than the text, and Run audits it again": async ({
      page,
    }) => {
      await goTo(page, "overwrite.ts", 40, 12);
      await page.keyboard.type("+");
      await waitForText(page.locator(".statusbar"), /smallest: .*older than the text/, "the status bar");
      // an engine that is saved while it is audited has to be audited again
      for (let attempt = 1; ; attempt++) {
        await view(page).getByRole("button", { name: /^Run/ }).first().click();
        try {
          await waitForText(
            view(page).locator("#face"),
            /overwrite passes: every gradient is right on 200 random graphs/,
            "the engine is right, and its old sweep is gone",
            30_000,
          );
          break;
        } catch (error) {
          if (attempt === 4) throw error;
        }
      }
      await shot(page, "audit-4-mended");
      await page.keyboard.press("Escape");
      await command(page, "Notifications: Clear All Notifications");
    },
    "a long audit shows in the Test Explorer that it goes on, and is cancelled there": async ({ page }) => {
      // an open file is listed at once, and where the search for others has no program to search with
      await command(page, "Collapse Folders in Explorer");
      await page.locator(".explorer-folders-view .monaco-list-row", { hasText: SLOW }).first().dblclick();
      await auditLens(page).waitFor({ timeout: 60_000 });
      await command(page, "Testing: Focus on Test Explorer View");
      // the filter has the focus
      await page.locator(".testing-filter-wrapper .monaco-editor.focused").waitFor();
      await page.keyboard.type("slow.audit");
      const row = page.locator(".test-explorer .monaco-list-row", { hasText: SLOW }).first();
      const spinning = page.locator(".test-explorer .codicon-modifier-spin").first();
      await row.waitFor({ timeout: 120_000 });
      await runRow(page, row);
      await spinning.waitFor();
      await waitForText(
        page.locator(".test-explorer"),
        /slow\s*[1-9]\d* of 200 graphs/,
        "how many graphs were tried",
        120_000,
      );
      const cancel = page.locator('[aria-label^="Cancel Test Run"]').first();
      await cancel.waitFor();
      await shot(page, "audit-5-long");
      await cancel.click();
      await cancel.waitFor({ state: "hidden" });
      await spinning.waitFor({ state: "hidden" });
    },
    "started from its CodeLens it has a notification with a way to cancel, and ends without a word": async ({
      page,
    }) => {
      await tab(page, SLOW).click();
      await auditLens(page).click({ timeout: 60_000 });
      const progress = toast(page, "Auditing slow");
      await waitForText(progress, /Auditing slow.*: [1-9]\d* of 200 graphs/, "how far it is", 120_000);
      await progress.locator(".monaco-button", { hasText: "Cancel" }).click({ timeout: 60_000 });
      await progress.waitFor({ state: "hidden" });
      await page.locator(".test-explorer .codicon-modifier-spin").first().waitFor({ state: "hidden" });
      const said = await page.locator(".notifications-toasts").allInnerTexts();
      assert.equal(said.join("").trim(), "");
    },
    "the next audit runs as if nothing had been": async ({ page }) => {
      await tab(page, "overwrite.audit.ts").click();
      await auditLens(page).click({ timeout: 60_000 });
      await waitForText(
        page.locator(".statusbar"),
        /overwrite: every gradient is right/,
        "the answer",
        120_000,
      );
    },
  },
};
