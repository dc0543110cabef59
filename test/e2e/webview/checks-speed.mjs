/* global document, console, harness, KeyboardEvent, requestAnimationFrame */
/** A step touches what it changes, and ends up with what a drawing from nothing would have. */
import { assert, equal, has, press, read, show, text } from "./see.mjs";
import { alone } from "./pictures.mjs";
import { stream } from "./stream.mjs";

const STEPS = 100;

/** What is on the page and what readers are told besides the text; runs in the page, where `read` stands as well. */
const readAll = () => ({
  ...globalThis.read(),
  flags: Array.from(document.querySelectorAll("#nodes li"), (li) =>
    [li.id, li.getAttribute("aria-selected"), li.getAttribute("aria-current")].join(" "),
  ).join("\n"),
});

/** Puts both readers into the page. */
const prepare = (page) => page.evaluate(`globalThis.read = ${read}; globalThis.readAll = ${readAll}`);

/** Jumps about: near and far, over the turn from forward to reverse, with and without a selected node. */
async function jumps(page, name, mode, count) {
  await show(page, name, { step: 0, mode });
  await prepare(page);
  const steps = Number(await page.getAttribute("#scrub", "max"));
  const random = stream(11);
  const within = (step) => Math.max(0, Math.min(steps, step));
  const moves = [];
  for (let i = 0, step = 0; i < count; i++) {
    const near = random() < 0.6;
    step = within(near ? step + Math.round(random() * 12) - 6 : Math.round(random() * steps));
    moves.push({ step, selected: random() < 0.4 ? Math.round(random() * 8) - 1 : null });
  }
  // in one go: between two looks at the page nothing has to be painted
  const differ = await page.evaluate(async (list) => {
    const key = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "m" }));
    for (const { step, selected } of list) {
      harness.send({ type: "step", step });
      if (selected !== null) harness.send({ type: "select", node: selected });
      await harness.arrived();
      const stepped = globalThis.readAll();
      if (stepped.scrub !== String(step)) return [step, "scrub", stepped.scrub, String(step)];
      // the other mode and back: everything is drawn anew
      key();
      key();
      const anew = globalThis.readAll();
      for (const part of Object.keys(anew))
        if (stepped[part] !== anew[part]) return [step, part, stepped[part], anew[part]];
    }
    return null;
  }, moves);
  if (differ !== null) {
    const [step, part, stepped, anew] = differ;
    equal(stepped, anew, `${name}, ${mode}, step ${step}: ${part}`);
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
    await press(page, "step", 39);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await prepare(page);
    const stepped = await page.evaluate(() => globalThis.readAll());
    await page.reload();
    await show(page, "random300", { step: 289 });
    await prepare(page);
    const opened = await page.evaluate(() => globalThis.readAll());
    for (const part of Object.keys(opened)) equal(stepped[part], opened[part], part);
  },
  "5,000 nodes: 300 shown, said, and steps stay quick": alone(async (page) => {
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
  }),
};
