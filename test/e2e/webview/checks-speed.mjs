/* global document, console, requestAnimationFrame */
/** A step touches what it changes, and ends up with what a drawing from nothing would have. */
import { assert, equal, has, text, show, send, snapshot } from "./see.mjs";
import { stream } from "./stream.mjs";

const STEPS = 100;

/** The snapshot and what readers are told besides the text. */
async function all(page) {
  const flags = await page.evaluate(() =>
    Array.from(document.querySelectorAll("#nodes li"), (li) =>
      [li.id, li.getAttribute("aria-selected"), li.getAttribute("aria-current")].join(" "),
    ).join("\n"),
  );
  return { ...(await snapshot(page)), flags };
}

async function goTo(page, step, steps) {
  const wanted = Math.max(0, Math.min(steps, step));
  await send(page, { type: "step", step: wanted });
  await page.waitForFunction((s) => document.getElementById("scrub").value === String(s), wanted);
  return wanted;
}

/** Jumps about: near and far, over the turn from forward to reverse, with and without a selected node. */
async function jumps(page, name, mode, count) {
  await show(page, name, { step: 0, mode });
  const steps = Number(await page.getAttribute("#scrub", "max"));
  const random = stream(11);
  let step = 0;
  for (let i = 0; i < count; i++) {
    const near = random() < 0.6;
    step = await goTo(
      page,
      near ? step + Math.round(random() * 12) - 6 : Math.round(random() * steps),
      steps,
    );
    if (random() < 0.4) await send(page, { type: "select", node: Math.round(random() * 8) - 1 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    const stepped = await all(page);
    // the other mode and back: everything is drawn anew
    await page.keyboard.press("m");
    await page.keyboard.press("m");
    const anew = await all(page);
    for (const part of Object.keys(anew))
      equal(stepped[part], anew[part], `${name}, ${mode}, step ${step}: ${part}`);
  }
}

export const speedChecks = {
  "jumping about gives what a full redraw gives": async (page) => {
    await jumps(page, "fanOut", "sum", 10);
    await jumps(page, "threeChildren", "last-writer-wins", 14);
    await jumps(page, "random300", "sum", 14);
  },
  "stepping there gives what opening there gives": async (page) => {
    await show(page, "random300", { step: 250 });
    for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    const stepped = await all(page);
    await page.reload();
    await show(page, "random300", { step: 289 });
    const opened = await all(page);
    for (const part of Object.keys(opened)) equal(stepped[part], opened[part], part);
  },
  "5,000 nodes: 300 shown, said, and steps stay quick": async (page) => {
    await show(page, "random5000", { step: 8000 });
    has(await text(page, "#cut"), "showing 300 of");
    const client = await page.context().newCDPSession(page);
    await client.send("Performance.enable");
    const read = async () =>
      Object.fromEntries((await client.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
    const before = await read();
    await page.evaluate(async (count) => {
      for (let i = 0; i < count; i++) {
        document.getElementById("step").click();
        await new Promise((done) => requestAnimationFrame(done));
      }
    }, STEPS);
    const after = await read();
    const ms = (name) => ((1000 * (after[name] - before[name])) / STEPS).toFixed(2);
    console.log(
      `  a step with 300 of 5,000 nodes drawn, mean of ${STEPS}: script ${ms("ScriptDuration")} ms, ` +
        `style ${ms("RecalcStyleDuration")} ms, layout ${ms("LayoutDuration")} ms, whole task ${ms("TaskDuration")} ms`,
    );
    assert(Number(ms("ScriptDuration")) < 60, "a step is far too slow");
  },
};
