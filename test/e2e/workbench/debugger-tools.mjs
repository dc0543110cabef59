/**
 * What else a person does in a session: jump to the cursor, give a cotangent another value, restart, break when a value
 * changes, a breakpoint with a condition, and the exception widget.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { callStack, chooseInList, chooseInMenu, shot, toolbar, variable, variables } from "./debug-view.mjs";
import { command, goTo, lens, openWorkbench, view, waitForText } from "./workbench.mjs";

const FILE = "fan-out.graph.ts";
const NAN = "nan.graph.ts";

const NAN_TEXT = `import { graph } from "backsweep";

export const bad = graph({ x: 1, y: 2 }, ({ x, y }) => {
  const d = x - y;
  const r = Math.sqrt(d);
  return r * y + x;
});
`;

const at = (page, step, what) =>
  waitForText(view(page).locator("#position"), new RegExp(`step ${step} of`), what);

async function end(page) {
  await page.keyboard.press("Shift+F5");
  await page.locator(".debug-toolbar").waitFor({ state: "hidden" });
}

export const debuggerTools = {
  name: "debugger tools",
  server: {},
  steps: {
    "Jump to Cursor offers both places of the line, and goes to where b is final": async ({
      page,
      server,
      folder,
    }) => {
      writeFileSync(join(folder, NAN), NAN_TEXT);
      await openWorkbench(page, server, { folder, file: join(folder, FILE) });
      await lens(page).waitFor({ timeout: 120_000 });
      await command(page, "Backsweep: Debug Sweep");
      await at(page, 0, "the panel is at the start");
      await command(page, "View: Show Run and Debug");
      await waitForText(callStack(page), /a = x \* y evaluates to 6/, "the first stop");
      await goTo(page, FILE, 5, 9);
      await command(page, "Debug: Jump to Cursor");
      await chooseInList(page, "b is final");
      await at(page, 5, "the panel follows the jump");
      await waitForText(callStack(page), /b is final: 18/, "the stop in words");
      await shot(page, "tools-1-jumped");
    },
    "Set Value on a cotangent shows what the sweep would be, beside the true one": async ({ page }) => {
      await waitForText(variables(page), /Contributions into b/, "the scopes of b");
      await variable(page, "running sum").dblclick();
      const input = page.locator(
        ".debug-variables .inputBoxWrapper input, .debug-variables .monaco-inputbox input",
      );
      await input.first().fill("20");
      await page.keyboard.press("Enter");
      await waitForText(variables(page), /What-if beside the true sweep/, "the differences have a scope");
      // the frame is the same, so that what was open stays open, and no more
      await variable(page, "What-if beside the true sweep").click();
      // bar(a) = 20 + 24, so bar(x) = 20 + 44 * 3 and bar(y) = 48 + 44 * 2
      await waitForText(
        variables(page),
        /bar\(x\).*152, true 144, difference 8/,
        "the gradient that would be",
      );
      await waitForText(variables(page), /bar\(y\).*136, true 132, difference 4/, "of y as well");
      await waitForText(callStack(page), /what if bar\(b\) = 20/, "the session says so");
      await shot(page, "tools-2-what-if");
    },
    "Restart goes back to the true sweep": async ({ page }) => {
      await toolbar(page, "Restart").click();
      await at(page, 0, "from the beginning");
      await waitForText(variables(page), /^(?!.*What-if).*Primal values/, "the true sweep's scopes alone");
      await waitForText(callStack(page), /^(?!.*what if).*evaluates to 6/, "the stop");
    },
    "Break on Value Change stops whenever a contribution arrives": async ({ page }) => {
      await variable(page, /^x/).click({ button: "right" });
      await chooseInMenu(page, "Break on Value Change");
      await waitForText(page.locator(".debug-breakpoints .monaco-list-rows"), /bar\(x\)/, "it is listed");
      await page.keyboard.press("F5");
      await waitForText(callStack(page), /x has 18, 1 of 2 paid/, "the first contribution into x");
      await page.keyboard.press("F5");
      await waitForText(callStack(page), /x is final: 18 \+ 126 = 144/, "the second");
      await shot(page, "tools-3-data-breakpoint");
      await end(page);
      await command(page, "Remove All Breakpoints");
    },
    "a breakpoint with a condition stops where the condition holds": async ({ page }) => {
      await goTo(page, FILE, 4, 9);
      await command(page, "Add Conditional Breakpoint...");
      const widget = page.locator(".breakpoint-widget");
      // it is drawn before it has the focus, and what is typed then goes into the file
      await widget.locator(".monaco-editor.focused").waitFor();
      await page.keyboard.type("bar(a) > 40");
      await page.keyboard.press("Enter");
      await widget.waitFor({ state: "hidden" });
      await page.locator(".codicon-debug-breakpoint-conditional").first().waitFor();
      await command(page, "Backsweep: Debug Sweep");
      await toolbar(page, "Continue").waitFor({ timeout: 120_000 });
      await command(page, "View: Show Run and Debug");
      await waitForText(callStack(page), /a = x \* y evaluates to 6/, "the first stop");
      await page.keyboard.press("F5");
      await waitForText(callStack(page), /a is final: 18 \+ 24 = 42/, "where it holds, not forwards");
      await shot(page, "tools-4-condition");
      await end(page);
      await command(page, "Remove All Breakpoints");
    },
    "the exception widget says what is wrong where NaN appears first": async ({ page }) => {
      await command(page, "View: Close All Editors");
      await command(page, "View: Show Explorer");
      await page.locator(".explorer-folders-view .monaco-list-row", { hasText: NAN }).dblclick();
      await lens(page).waitFor({ timeout: 120_000 });
      await command(page, "Backsweep: Debug Sweep");
      await toolbar(page, "Continue").waitFor({ timeout: 120_000 });
      await command(page, "View: Show Run and Debug");
      await waitForText(callStack(page), /d = x - y evaluates to -1/, "the first stop");
      await page.keyboard.press("F5");
      const widget = page.locator(".exception-widget");
      await waitForText(widget, /r = NaN is the first value that is not finite/, "the widget");
      await shot(page, "tools-5-exception");
      await end(page);
    },
  },
};
