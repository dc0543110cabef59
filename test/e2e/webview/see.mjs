/* global harness, document, requestAnimationFrame */
/** Small readers and claims the checks share. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}

export function equal(got, wanted, what) {
  assert(got === wanted, `${what}: got ${JSON.stringify(got)}, expected ${JSON.stringify(wanted)}`);
}

export function has(text, part) {
  assert(text.includes(part), `"${text}" does not contain "${part}"`);
}

export const text = (page, selector) => page.locator(selector).first().textContent();
export const node = (page, name) => text(page, `[data-node="${name}"]`);

export async function show(page, name, rest = {}) {
  await page.evaluate(([n, r]) => harness.sweep(n, r), [name, rest]);
  await page.waitForFunction(() => document.getElementById("position")?.textContent !== "");
}

export const send = (page, message) => page.evaluate((m) => harness.send(m), message);
export const posted = (page, type) => page.evaluate((t) => harness.posted.filter((m) => m.type === t), type);

/** What is on the page; runs in it. */
export const read = () => ({
  nodes: document.getElementById("nodes").textContent,
  sentence: document.getElementById("sentence").textContent,
  position: document.getElementById("position").textContent,
  inspector: document.getElementById("inspector").textContent,
  cards: Array.from(
    document.querySelectorAll(".overlay .card"),
    (g) => `${g.getAttribute("class")} ${g.textContent}`,
  ).join("\n"),
  edges: Array.from(
    document.querySelectorAll(".overlay .edge-label"),
    (g) => `${g.getAttribute("class")} ${g.textContent}`,
  )
    .sort()
    .join("\n"),
  scrub: document.getElementById("scrub").value,
});

export const snapshot = (page) => page.evaluate(read);

/** Presses a button as a script does: for the many steps of a check in which the way of the mouse is not the subject. */
export const press = (page, id, times = 1) =>
  page.evaluate(
    ([button, count]) => {
      for (let i = 0; i < count; i++) document.getElementById(button).click();
    },
    [id, times],
  );

export async function stepTo(page, step) {
  await page.click("#start");
  await press(page, "step", step);
}

/** Every question is answered, what the answers ask is answered too, and the page is drawn. */
export const settled = (page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    for (let turn = 0; turn < 4; turn++) {
      await harness.arrived();
      await frame();
    }
    await frame();
  });

export async function audit(page, what) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const lines = found.violations.map(
    (v) => `${v.id}: ${v.nodes.map((n) => `${n.target} (${n.failureSummary})`).join(" | ")}`,
  );
  assert(lines.length === 0, `axe, ${what}:\n${lines.join("\n")}`);
}
