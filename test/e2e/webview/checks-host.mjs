/* global document, sessionStorage, getComputedStyle */
/** What must hold towards the host and the theme: state, messages, faces, errors, axe in the four kinds of theme. */
import { assert, equal, has, text, show, send, posted, settled, snapshot, audit } from "./see.mjs";

const themes = ["dark", "light", "hc-dark", "hc-light"];

export const hostChecks = {
  "state survives a reload": async (page) => {
    await show(page, "fanOut", { step: 3 });
    await page.click("#mode-lww");
    await page.click("#step");
    await page.focus("#nodes");
    await page.keyboard.press("ArrowLeft");
    await page.click("#zoom-in");
    await page.waitForFunction(() => JSON.parse(sessionStorage.getItem("state")).zoom !== undefined);
    const before = {
      ...(await snapshot(page)),
      transform: await page.getAttribute(".overlay > g", "transform"),
    };
    await page.reload();
    const ready = await posted(page, "ready");
    equal(ready[0].state.step, 4, "state in ready");
    await show(page, "fanOut");
    const after = {
      ...(await snapshot(page)),
      transform: await page.getAttribute(".overlay > g", "transform"),
    };
    equal(JSON.stringify(after), JSON.stringify(before), "restored");
  },
  "broken saved state is nothing": async (page) => {
    await page.evaluate(() => sessionStorage.setItem("state", '{"step":"x"}'));
    await page.reload();
    equal((await posted(page, "ready"))[0].state, null, "state");
    await show(page, "fanOut");
    has(await text(page, "#position"), "step 4 of 12");
  },
  "messages may come twice and in any order": async (page) => {
    await send(page, { type: "step", step: 7 });
    await send(page, { type: "select", node: 3 });
    await send(page, { type: "stale", stale: true });
    await show(page, "fanOut", { step: 9, selected: 2 });
    const first = await snapshot(page);
    await show(page, "fanOut", { step: 9, selected: 2 });
    await show(page, "fanOut", { step: 9, selected: 2 });
    equal(JSON.stringify(await snapshot(page)), JSON.stringify(first), "after the same message again");
    await send(page, { type: "step", step: 99999 });
    await page.waitForFunction(() => document.getElementById("position").textContent.startsWith("step 12 "));
    await send(page, { type: "step", step: -4 });
    await page.waitForFunction(() => document.getElementById("position").textContent.startsWith("step 0 "));
    await send(page, { type: "select", node: 12345 });
    await settled(page);
    equal((await posted(page, "error")).length, 0, "errors");
  },
  "faces: loading, restricted, no graph, failure, stale": async (page) => {
    has(await text(page, "#face"), "Loading");
    await send(page, { type: "running", running: true });
    await page.waitForFunction(() => document.getElementById("face").textContent.includes("Running"));
    await send(page, { type: "empty", reason: "restricted", detail: "" });
    await page.click("#manage-trust");
    equal((await posted(page, "manageTrust")).length, 1, "manageTrust");
    await audit(page, "restricted");
    await send(page, { type: "empty", reason: "no-graph", detail: "fan-out.graph.ts exports no graph" });
    await page.waitForFunction(() => document.getElementById("face").textContent.includes("No graph"));
    await audit(page, "no graph");
    const failure = {
      kind: "exception",
      message: "boom <b>",
      fileLabel: "f.graph.ts",
      line: 7,
      column: 3,
      frames: ["at f (f.graph.ts:7:3)"],
      graph: "fanOut",
      graphs: ["fanOut", "other"],
    };
    await send(page, { type: "failure", failure, partial: false, over: null });
    await page.click("#failure-place");
    equal((await posted(page, "revealPlace"))[0].line, 7, "revealPlace");
    await audit(page, "failure");
    await show(page, "fanOut", { step: 9 });
    equal(await page.isVisible("#face"), false, "face");
    await send(page, { type: "failure", failure, partial: false, over: 1 });
    await page.waitForFunction(() =>
      document.getElementById("banner").textContent.includes("last good sweep"),
    );
    has(await text(page, "#sentence"), "42");
    await audit(page, "failure banner");
    await show(page, "fanOut", { step: 9 });
    await send(page, { type: "stale", stale: true });
    await page.click("#run-again");
    equal((await posted(page, "run")).length, 1, "run");
    await audit(page, "stale");
  },
  "an error in the view is said and sent": async (page) => {
    await show(page, "fanOut", { step: 9 });
    page.expectsErrors = true;
    await send(page, { type: "sweep", sweep: { id: 99 } });
    await page.waitForFunction(() =>
      document.getElementById("banner").textContent.includes("Error in this view"),
    );
    equal((await posted(page, "error")).length, 1, "error messages");
    has(await text(page, "#sentence"), "42");
    await page.click("#dismiss");
    equal(await page.isVisible("#banner"), false, "banner");
  },
};

for (const theme of themes) {
  hostChecks[`axe, ${theme}`] = Object.assign(
    async (page) => {
      await show(page, "fanOut", { step: 9 });
      await audit(page, `${theme}, sum`);
      await page.click("#mode-lww");
      await page.click("#end");
      await audit(page, `${theme}, last writer wins`);
      await page.keyboard.press("?");
      await audit(page, `${theme}, help`);
      const pale = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert(pale !== "rgba(0, 0, 0, 0)", "no background");
    },
    { theme },
  );
}
