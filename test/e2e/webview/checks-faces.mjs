/* global document */
/** What the panel says while there is no current sweep: running comes first, a stopped recording is shown as such. */
import { assert, equal, has, text, node, show, send, posted, snapshot, audit } from "./see.mjs";

const failure = {
  kind: "exception",
  message: "Error: no luck",
  fileLabel: "fan-out.graph.ts",
  line: 7,
  column: 3,
  frames: ["at f (fan-out.graph.ts:7:3)"],
  graph: "fanOut",
  graphs: ["fanOut", "other"],
};
const says = (page, id, part) =>
  page.waitForFunction(
    ([i, p]) => {
      const element = document.getElementById(i);
      return !element.hidden && element.textContent.includes(p);
    },
    [id, part],
  );

export const faceChecks = {
  "running comes before an old failure, on the face and in the banner": async (page) => {
    await send(page, { type: "failure", failure, partial: false, over: null });
    await says(page, "face", "no luck");
    await send(page, { type: "running", running: true });
    await says(page, "face", "Running the sweep");
    equal(await page.locator("#face .failure-message").count(), 0, "old failures on the face");
    await send(page, { type: "running", running: false });
    await says(page, "face", "no luck");
    await show(page, "fanOut", { step: 9 });
    await send(page, { type: "failure", failure, partial: false, over: 1 });
    await says(page, "banner", "no luck");
    await send(page, { type: "running", running: true, graph: "other" });
    await says(page, "banner", "Running the sweep of other");
    equal(await page.getAttribute("#banner", "class"), "banner", "the banner is no failure now");
    await send(page, { type: "running", running: false });
    await says(page, "banner", "no luck");
    await send(page, { type: "failure", failure: null, partial: false, over: 1 });
    await page.waitForFunction(() => document.getElementById("banner").hidden);
  },
  "a quick run over a good sweep moves nothing": async (page) => {
    await show(page, "fanOut", { step: 9 });
    const before = await page.getAttribute(".overlay > g", "transform");
    await send(page, { type: "stale", stale: true });
    await send(page, { type: "running", running: true });
    await page.waitForTimeout(100);
    await show(page, "fanOut", { step: 9 });
    await send(page, { type: "stale", stale: false });
    await page.waitForTimeout(600);
    equal(await page.isVisible("#banner"), false, "banner");
    equal(await page.getAttribute(".overlay > g", "transform"), before, "place of the drawing");
    await send(page, { type: "running", running: true });
    await says(page, "banner", "Running the sweep");
  },
  "the failure of another graph takes the old sweep away and offers the others": async (page) => {
    await show(page, "engine", { step: 9 });
    await send(page, { type: "failure", failure, partial: false, over: null });
    await says(page, "face", "The run of fanOut failed");
    // also for a reader, who finds what is only hidden from the eye
    equal(await text(page, "#sentence"), "", "the sentence of the other sweep");
    equal(await text(page, "#live"), "", "what is said of the other sweep");
    equal(await page.isVisible("#position"), false, "the player of the other sweep");
    await page.click('[data-graph="other"]');
    equal((await posted(page, "run")).at(-1).graph, "other", "graph asked for");
  },
  "what a stopped run recorded is shown, stepped through, and not called swept": async (page) => {
    await show(page, "stopped3");
    await send(page, { type: "failure", failure, partial: true, over: 103 });
    await says(
      page,
      "banner",
      "The run stopped after 3 operations (5 nodes with the inputs); all are kept, not swept.",
    );
    has(await text(page, "#banner"), "no luck");
    equal(await text(page, "#position"), "step 3 of 3, forward sweep", "position");
    has(await text(page, "#sentence"), "The run stopped here.");
    has(await text(page, "#nodes"), "not swept: the run stopped before its sweep");
    equal(await page.locator(".overlay .card").count(), 5, "cards");
    has(await text(page, ".overlay .card.is-unswept"), "not swept");
    has(await node(page, "x"), "value 2");
    equal(await page.locator(".gradient").count(), 0, "gradients");
    assert(await page.isDisabled("#mode-lww"), "there is no other mode");
    await page.click("#failure-place");
    equal((await posted(page, "revealPlace"))[0].line, 7, "revealPlace");
    for (const key of ["Home", "ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft", "End", "m", "Space"])
      await page.keyboard.press(key);
    const card = await page.locator(".card.is-unswept .card-body").first().boundingBox();
    await page.mouse.move(card.x + 60, card.y + 20);
    await page.waitForSelector("#tooltip:not([hidden])");
    await page.mouse.click(card.x + 60, card.y + 20);
    await audit(page, "partial");
    await show(page, "fanOut", { step: 9 });
    equal(await page.isVisible("#banner"), false, "banner");
    has(await text(page, "#inspector"), "Gradient");
  },
  "a long stopped recording is cut, and says so": async (page) => {
    await show(page, "stopped5000");
    await send(page, { type: "failure", failure, partial: true, over: 5100 });
    await says(
      page,
      "banner",
      "after 5,000 operations (5,002 nodes with the inputs); the first 2,000 nodes are kept, not swept",
    );
    has(await text(page, "#cut"), "showing 300 of 2,000 nodes");
    has(await text(page, "#sentence"), "The run went on; its record ends here.");
  },
  "a drawing that breaks off leaves no old number beside a new graph": async (page) => {
    await show(page, "fanOut", { step: 9 });
    const before = await snapshot(page);
    page.expectsErrors = true;
    await page.evaluate(() => globalThis.harness.sweep("spoiled"));
    await says(page, "banner", "Error in this view");
    for (const id of ["graph", "inspector", "player"])
      equal(await page.isVisible(`#${id}`), false, `visible: ${id}`);
    equal(await text(page, "#inspector"), "", "inspector");
    equal(await text(page, "#sentence"), "", "sentence");
    equal(await text(page, "#nodes"), "", "list");
    await page.click("#dismiss");
    await says(page, "banner", "Error in this view");
    equal(await page.isVisible("#inspector"), false, "visible after it was drawn again and broke again");
    await show(page, "fanOut", { step: 9, selected: -1 });
    equal(await page.isVisible("#banner"), false, "banner");
    equal(JSON.stringify(await snapshot(page)), JSON.stringify(before), "the good sweep once more");
  },
  "the banner stays while the sweep is stepped, and keeps the focus": async (page) => {
    await show(page, "fanOut", { step: 0 });
    await send(page, { type: "failure", failure, partial: false, over: 1 });
    await says(page, "banner", "no luck");
    await page.focus("#run-again");
    await page.keyboard.press("ArrowRight");
    equal(await page.evaluate(() => document.activeElement.id), "run-again", "focus");
    await page.keyboard.press("Enter");
    await send(page, { type: "running", running: true });
    await says(page, "banner", "Running");
    equal(await page.evaluate(() => document.activeElement.id), "banner", "focus while it runs");
  },
  "a step is stored and told at once": async (page) => {
    await show(page, "fanOut", { step: 7 });
    const [stored, told] = await page.evaluate(() => {
      document.getElementById("step").click();
      const moved = globalThis.harness.posted.filter((m) => m.type === "moved");
      return [JSON.parse(globalThis.sessionStorage.getItem("state")).step, moved.at(-1)?.step];
    });
    equal(stored, 8, "stored step");
    equal(told, 8, "step told to the host");
    await page.click("#step");
    await page.reload();
    equal((await posted(page, "ready"))[0].state.step, 9, "state in ready");
  },
};
