/* global console, process, harness */
/** Drives the view in Chromium under its real content security policy: `node test/e2e/webview/run.mjs [filter]`. */
import { chromium } from "playwright-core";
import { checks } from "./checks.mjs";
import { arrayChecks } from "./checks-arrays.mjs";
import { auditChecks } from "./checks-audit.mjs";
import { accessChecks } from "./checks-access.mjs";
import { faceChecks } from "./checks-faces.mjs";
import { hostChecks } from "./checks-host.mjs";
import { sizeChecks } from "./checks-size.mjs";
import { speedChecks } from "./checks-speed.mjs";
import { tabChecks } from "./checks-tabs.mjs";
import { chromiumOptions } from "./chromium.mjs";
import { serve } from "./serve.mjs";

const filter = process.argv[2] ?? "";
const server = await serve();
console.log(
  `view: ${(server.bytes.js / 1024).toFixed(0)} KB script, ${(server.bytes.plots / 1024).toFixed(0)} KB script of the plots, ${(server.bytes.css / 1024).toFixed(0)} KB styles`,
);
const browser = await chromium.launch(chromiumOptions);
const all = {
  ...checks,
  ...arrayChecks,
  ...sizeChecks,
  ...speedChecks,
  ...faceChecks,
  ...accessChecks,
  ...auditChecks,
  ...hostChecks,
  ...tabChecks,
};
let passed = 0;
const failed = [];
for (const [name, check] of Object.entries(all)) {
  if (!name.includes(filter)) continue;
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 } });
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(`error in the page: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning")
      problems.push(`console: ${message.text()}`);
  });
  try {
    await page.goto(`${server.origin}/?theme=${check.theme ?? "dark"}`);
    page.setDefaultTimeout(15_000);
    await check(page);
    if (page.expectsErrors === true) problems.length = 0;
    const violations = await page.evaluate(() => harness.violations);
    problems.push(...violations.map((violation) => `CSP: ${violation}`));
    if (problems.length > 0) throw new Error(problems.join("\n"));
    passed++;
    console.log(`ok   ${name}`);
  } catch (error) {
    failed.push(name);
    console.log(`FAIL ${name}\n     ${String(error.message).split("\n").join("\n     ")}`);
    if (problems.length > 0) console.log(`     ${problems.join("\n     ")}`);
  }
  await context.close();
}
await browser.close();
server.stop();
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
