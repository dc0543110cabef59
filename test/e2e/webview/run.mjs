/* global console, process, harness, performance */
/**
 * Drives the view in Chromium under its real content security policy: `node test/e2e/webview/run.mjs [part of a name...]`. One
 * browser; checks that measure time run alone, the others two at a time. Motion is off but where it is what is checked.
 */
import { chromium } from "playwright-core";
import { checks } from "./checks.mjs";
import { arrayChecks } from "./checks-arrays.mjs";
import { auditChecks } from "./checks-audit.mjs";
import { accessChecks } from "./checks-access.mjs";
import { faceChecks } from "./checks-faces.mjs";
import { headerChecks } from "./checks-header.mjs";
import { hostChecks } from "./checks-host.mjs";
import { numericsChecks } from "./checks-numerics.mjs";
import { savedChecks } from "./checks-saved.mjs";
import { scheduleChecks } from "./checks-schedules.mjs";
import { sizeChecks } from "./checks-size.mjs";
import { speedChecks } from "./checks-speed.mjs";
import { tabChecks } from "./checks-tabs.mjs";
import { chromiumOptions } from "./chromium.mjs";
import { serve } from "./serve.mjs";

const AT_ONCE = 2;
const SIZE = { width: 1360, height: 860 };

/** Parts of names; without any, all are run. */
const filters = process.argv.slice(2);
const server = await serve();
console.log(
  `view: ${(server.bytes.js / 1024).toFixed(0)} KB script, ${(server.bytes.plots / 1024).toFixed(0)} KB script of the plots, ${(server.bytes.css / 1024).toFixed(0)} KB styles`,
);
const browser = await chromium.launch(chromiumOptions);
const all = {
  ...speedChecks,
  ...checks,
  ...arrayChecks,
  ...sizeChecks,
  ...faceChecks,
  ...accessChecks,
  ...auditChecks,
  ...headerChecks,
  ...hostChecks,
  ...tabChecks,
  ...scheduleChecks,
  ...numericsChecks,
  ...savedChecks,
};
let pages = 0;
let passed = 0;
const failed = [];

/** A page that is used for one check after the other: a new one costs three times as much as all that is loaded into it. */
class Worker {
  problems = [];
  page = null;

  static async start() {
    const worker = new Worker();
    // a context of its own: a process of its own
    worker.context = await browser.newContext({ viewport: SIZE });
    return worker;
  }

  async fresh(check) {
    if (this.page === null) {
      this.page = await this.context.newPage();
      this.page.on("pageerror", (error) => this.problems.push(`error in the page: ${error.message}`));
      this.page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning")
          this.problems.push(`console: ${message.text()}`);
      });
    }
    const { page } = this;
    page.removeAllListeners("request");
    page.expectsErrors = false;
    page.setDefaultTimeout(60_000);
    await page.setViewportSize(SIZE);
    await page.emulateMedia({ reducedMotion: check.motion === true ? "no-preference" : "reduce" });
    await page.mouse.move(0, 0);
    // a number of its own: the harness forgets what the page of another number stored
    await page.goto(`${server.origin}/?theme=${check.theme ?? "dark"}&fresh=${++pages}`);
    this.problems.length = 0;
    return page;
  }

  async one(name, check) {
    const began = performance.now();
    const seconds = () => `(${((performance.now() - began) / 1000).toFixed(1)} s)`;
    const { problems } = this;
    try {
      const page = await this.fresh(check);
      await check(page);
      if (page.expectsErrors === true) problems.length = 0;
      const violations = await page.evaluate(() => harness.violations);
      problems.push(...violations.map((violation) => `CSP: ${violation}`));
      if (problems.length > 0) throw new Error(problems.join("\n"));
      passed++;
      console.log(`ok   ${name} ${seconds()}`);
    } catch (error) {
      failed.push(name);
      console.log(`FAIL ${name} ${seconds()}\n     ${String(error.message).split("\n").join("\n     ")}`);
      if (problems.length > 0) console.log(`     ${problems.join("\n     ")}`);
      await this.page?.close().catch(() => undefined);
      this.page = null;
    }
  }
}

/** Takes checks off the list until there are none. */
async function work(list) {
  const worker = await Worker.start();
  for (let next = list.shift(); next !== undefined; next = list.shift()) await worker.one(...next);
  await worker.context.close();
}

const wanted = Object.entries(all).filter(
  ([name]) => filters.length === 0 || filters.some((part) => name.includes(part)),
);
await work(wanted.filter(([, check]) => check.alone === true));
const together = wanted.filter(([, check]) => check.alone !== true);
await Promise.all(Array.from({ length: AT_ONCE }, () => work(together)));
await browser.close();
server.stop();
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
