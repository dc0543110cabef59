/* global document, window, performance, harness */
/** The schedules picture, and what a schedule does in the graph and on the scrub bar. */
import { assert, equal, has, posted, press, send, settled, show, text } from "./see.mjs";
import { alone, open, runs, says, walk } from "./pictures.mjs";

export const scheduleChecks = {
  "schedules: the diagram is the executed one and follows the step": async (page) => {
    await open(page, "schedules", "chain24", { step: 150 });
    has(await text(page, "#panel-schedules .diagram"), "revolve:4, as executed");
    has(await text(page, ".board-words"), "Held: states 0, 8, 15, 20.");
    await page.click("#end");
    has(await text(page, ".board-words"), "Held: nothing.");
    const box = await page.locator("#panel-schedules .diagram svg.plot").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + 60);
    assert(Number(await page.inputValue("#scrub")) < 200, "a click near the top goes near the start");
  },
  "schedules: a point picked by mouse runs the sweep with it": async (page) => {
    await open(page, "schedules", "chain24");
    await page.locator('.targets [data-key="mixed:16"]').first().click({ force: true });
    await page.waitForFunction(() =>
      document.querySelector(".diagram").textContent.includes("mixed:16, planned"),
    );
    equal((await runs(page)).join(), "mixed:16", "runs");
  },
  "schedules: a point picked by keyboard, and a row": async (page) => {
    await open(page, "schedules", "chain24");
    await page.focus('.targets [tabindex="0"]');
    const start = await page.evaluate(() => document.activeElement.dataset.key);
    equal(start, "revolve:4", "the executed one is the stop of the tabulator");
    await page.keyboard.press("ArrowRight");
    const next = await page.evaluate(() => document.activeElement.dataset.key);
    assert(next !== start, "the arrow did not move");
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      (name) => document.querySelector(".diagram").textContent.includes(`${name}, planned`),
      next,
    );
    await page.click('.row-pick[data-key="store-all"]');
    equal((await runs(page)).join(), `${next},store-all`, "runs");
    const ran = await page.evaluate(() => document.getElementById("scrub").value);
    assert(ran !== "0", "the keys did not move the step");
  },
  "schedules: counts of uniform:8 on 64 steps, model and executed apart": async (page) => {
    await open(page, "schedules", "fanOut");
    await page.fill("#schedule-name", "uniform:8");
    await page.click("#schedule-plan");
    await page.waitForFunction(() =>
      document.querySelector(".side-by-side")?.textContent.includes("uniform:8"),
    );
    const column = await page.evaluate(() => {
      const table = document.querySelector(".side-by-side");
      const heads = Array.from(table.querySelectorAll("thead th"), (cell) => cell.textContent);
      const at = heads.findIndex((head) => head.startsWith("uniform:8"));
      return Object.fromEntries(
        Array.from(table.querySelectorAll("tbody tr"), (row) => [
          row.querySelector("th").textContent,
          row.querySelectorAll("td")[at].textContent,
        ]),
      );
    });
    equal(column["states at once"], "15", "peakStates");
    equal(column["forwards in all"], "183", "totalForwards");
    equal(column["replays, R"], "56", "replays");
    equal(column["peak states, Mcount model"], "16", "model states");
    equal(column["replays, Rcount model"], "56", "model replays");
    equal((await runs(page)).length, 0, "a graph without a chain is not run");
    has(await text(page, ".schedule-notice"), "no chain");
    await page.waitForFunction(() =>
      document.getElementById("panel-schedules").textContent.includes("k = 8 keeps 16 states"),
    );
  },
  "schedules: a name that is none is said, and steps can be typed": async (page) => {
    await open(page, "schedules", "chain24");
    await page.fill("#schedule-name", "revolv:3");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() =>
      document.querySelector(".diagram").textContent.includes("unknown schedule"),
    );
    await page.fill("#schedule-name", "revolve:3");
    await page.fill("#schedule-steps", "1000000");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() =>
      document.querySelector(".diagram").textContent.includes("1,000,000 steps"),
    );
    assert(await page.isDisabled("#schedule-run"), "it cannot run on another chain");
  },
  "schedules: pebbles of Bennett are drawn and taken away": async (page) => {
    await open(page, "schedules", "chain16bennett", { step: 100 });
    const dots = await page.locator('.diagram svg.plot [data-mark="dot"] circle').count();
    assert(dots > 60, `${dots} pebbles`);
    has(await text(page, ".board-words"), "Held: states 0, 8");
  },
  "schedules: measured rows are those of backsweep compare, each figure under its kind": async (page) => {
    await open(page, "schedules", "chain24");
    await page.click("#measure");
    await page.waitForSelector('[aria-label="Measured schedules"]');
    const cells = (selector) =>
      page.evaluate((at) => Array.from(document.querySelectorAll(at), (cell) => cell.textContent), selector);
    const kinds = await cells(".compared thead tr:first-child th");
    equal(kinds.join(), "count,allocated bytes,measured", "kinds of figures");
    const names = await cells(".compared thead tr:last-child th");
    equal(names.join(), "schedule,states,tapes,forwards,extra,primals,process,seconds,gradient", "figures");
    const [first, ...others] = await cells(".compared tbody tr");
    has(first, "store-all");
    has(first, "the reference");
    assert(others.length === 3 && others.every((row) => row.includes("equal, bit for bit")), others.join());
    equal((await posted(page, "request")).at(-1).call.schedules, null, "the list is that of the command");
    // a schedule chosen later is measured beside them
    await page.fill("#schedule-name", "mixed:16");
    await page.keyboard.press("Enter");
    await says(page, "#measure-chosen", "Measure mixed:16 too");
    await page.click("#measure-chosen");
    await says(page, ".compared", "mixed:16");
    equal((await cells(".compared tbody tr")).length, 5, "rows");
    // what was met while recording stands below, once, with the way to its place
    equal((await cells("#panel-schedules .picture-notes .note")).length, 1, "notes");
    has(await text(page, "#panel-schedules .picture-notes"), "warning: relu(u) at 0 has no derivative");
    await page.click("#panel-schedules .picture-notes button");
    const place = (await posted(page, "revealPlace")).at(-1);
    equal(`${place.file}:${place.line}:${place.column}`, "/w/time.graph.ts:5:9", "the place");
    await page.click('.compared [data-key="sqrt"]');
    await says(page, ".diagram", "sqrt, planned");
    equal((await runs(page)).join(), "sqrt", "a row picked is run");
  },
  "schedules: the command to compare measures, in front of what is planned": async (page) => {
    const order = () =>
      page.evaluate(() => {
        const diagram = document.querySelector("#panel-schedules .diagram");
        const table = document.querySelector("#panel-schedules .table-wide");
        return diagram.compareDocumentPosition(table) & 4 ? "diagram" : "measured";
      });
    const asked = async () =>
      (await posted(page, "request")).filter(({ call }) => call.kind === "compare").length;
    await open(page, "schedules", "chain24");
    equal(await order(), "diagram", "what was executed stands first");
    await send(page, { type: "tab", tab: "schedules", measure: true });
    await page.waitForSelector(".compared");
    equal(await order(), "measured", "what was measured stands first");
    await send(page, { type: "tab", tab: "schedules" });
    await settled(page);
    equal(await asked(), 1, "measured once");
    // the command may come before the sweep that it is about
    await page.reload();
    await send(page, { type: "tab", tab: "schedules", measure: true });
    await show(page, "chain24");
    await page.waitForSelector(".compared");
    equal(await asked(), 1, "measured once");
    // nothing was executed by a schedule here: what is planned is an example, and stands below
    await show(page, "fanOut");
    await settled(page);
    equal(await order(), "measured", "a graph without a chain");
    assert(await page.isEnabled("#measure"), "it can be measured all the same");
    // run again, the graph has another sweep, and of the old one nothing is asked any more
    await page.evaluate(() => harness.sweep("fanOut", {}, 777));
    await send(page, { type: "tab", tab: "schedules", measure: true });
    await page.waitForSelector(".compared");
    const calls = (await posted(page, "request")).map(({ call }) => call);
    equal(calls.filter(({ kind }) => kind === "compare").at(-1).sweep, 777, "the sweep that is measured");
  },
  "graph: what a schedule does with each value is told by mark and word": async (page) => {
    await show(page, "chain6", { step: 0 });
    const cards = (await walk(page, "step", 80)).flatMap(({ kept }) => kept);
    for (const mark of ["\u25c6 snapshot", "\u25cb dropped", "\u00b7 never needed"])
      assert(
        cards.some((card) => card.startsWith(mark)),
        `no ${mark} in ${Array.from(new Set(cards)).join("; ")}`,
      );
    await page.click("#end");
    const late = await page.evaluate(() =>
      Array.from(document.querySelectorAll(".card-keep"), (t) => t.textContent),
    );
    assert(
      late.some((card) => card.startsWith("\u2013 freed, replayed \u00d7")),
      "freed and how often replayed",
    );
    has(await text(page, "#nodes"), "freed, replayed");
  },
  "graph: pebbles and what an inverse gave back are told by mark and word": async (page) => {
    // from a step of the reverse sweep, as far as the marks are seen
    const marks = async (sweep, from, words) => {
      await show(page, sweep, { step: from });
      const seen = await walk(page, "step", 50);
      const step = seen.findLastIndex(({ kept }) => kept.some((text) => text.startsWith(words)));
      await press(page, "back", seen.length - step - 1);
      return step >= 0;
    };
    assert(await marks("chain6bennett", 60, "\u25c9 pebble"), "no pebble");
    assert(await marks("coupled", 110, "\u21a9 reconstructed, 15 ULPs"), "nothing reconstructed");
    has(await text(page, "#nodes"), "reconstructed, 15 ULPs");
  },
  "player: storage events are said and marked": async (page) => {
    await show(page, "chain6", { step: 1 });
    const said = new Set((await walk(page, "step", 110)).map(({ sentence }) => sentence.split(" ")[0]));
    for (const word of ["State", "Advance:", "Record:", "Reverse:"])
      assert(said.has(word), `${word} was not said`);
    assert((await page.locator(".snapshot-mark").count()) > 1, "snapshots on the scrub bar");
    assert((await page.locator(".replay-mark").count()) > 1, "replays on the scrub bar");
  },
  "a step with the diagram in front is fast": alone(async (page) => {
    await open(page, "schedules", "chain24", { step: 0 });
    const ms = await page.evaluate(async () => {
      const began = performance.now();
      for (let i = 0; i < 40; i++) {
        document.getElementById("step").click();
        await new Promise((done) => window.requestAnimationFrame(done));
      }
      return (performance.now() - began) / 40;
    });
    assert(ms < 100, `${ms.toFixed(1)} ms a step`);
  }),
};
