/* global document, window, performance, getComputedStyle, harness, URL */
/** The pictures behind the tabs: drawn under the panel's own policy, moved by keyboard and mouse, saved, and never blank. */
import { assert, audit, equal, has, posted, send, show, text } from "./see.mjs";

const tab = (page, name) => page.click(`#tab-${name}`);
const drawn = {
  memory: "#panel-memory .bands",
  schedules: "#panel-schedules .targets",
  numerics: "#panel-numerics svg.plot",
};

async function open(page, name, sweep, rest = {}) {
  await show(page, sweep, rest);
  await tab(page, name);
  await page.waitForSelector(drawn[name]);
}

const runs = async (page) => (await posted(page, "run")).map(({ schedule }) => schedule);

export const tabChecks = {
  "tabs: arrows, Home and End move along them, and one is in front": async (page) => {
    await show(page, "chain6");
    await page.focus("#tab-graph");
    for (const [key, wanted] of [
      ["ArrowRight", "memory"],
      ["ArrowRight", "schedules"],
      ["End", "numerics"],
      ["ArrowRight", "graph"],
      ["ArrowLeft", "numerics"],
      ["Home", "graph"],
    ]) {
      await page.keyboard.press(key);
      const front = await page.evaluate(() => ({
        focus: document.activeElement.id,
        selected: Array.from(
          document.querySelectorAll('[role="tab"][aria-selected="true"]'),
          ({ id }) => id,
        ).join(),
        shown: Array.from(
          document.querySelectorAll('[role="tabpanel"]:not([hidden])'),
          ({ id }) => id,
        ).join(),
      }));
      equal(front.focus, `tab-${wanted}`, "focus");
      equal(front.selected, `tab-${wanted}`, "selected");
      equal(front.shown, `panel-${wanted}`, "shown");
    }
    equal(
      (await page.evaluate(() => document.getElementById("scrub").value)) !== "0",
      true,
      "the step stayed",
    );
  },
  "tabs: the second script is fetched when a picture is wanted first, and once": async (page) => {
    const fetched = [];
    page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
    await show(page, "chain6");
    await page.waitForTimeout(200);
    assert(!fetched.includes("/plots.js"), "fetched before it was wanted");
    await tab(page, "memory");
    await page.waitForSelector(drawn.memory);
    await tab(page, "schedules");
    await page.waitForSelector(drawn.schedules);
    equal(fetched.filter((path) => path === "/plots.js").length, 1, "fetches");
  },
  "tabs: the picture in front survives a reload": async (page) => {
    await open(page, "memory", "chain6", { step: 9 });
    await page.reload();
    await show(page, "chain6");
    await page.waitForSelector(drawn.memory);
    equal(await page.getAttribute("#tab-memory", "aria-selected"), "true", "memory in front");
  },
  "tabs: a command of the host brings a picture to the front": async (page) => {
    await show(page, "chain6");
    await send(page, { type: "tab", tab: "schedules" });
    await page.waitForSelector(drawn.schedules);
  },
  "tabs: no sweep, running and stale have their faces with every picture in front": async (page) => {
    await send(page, { type: "tab", tab: "schedules" });
    await send(page, { type: "empty", reason: "no-graph", detail: "Open a graph definition." });
    await page.waitForFunction(() => document.getElementById("face").textContent.includes("No graph"));
    await show(page, "chain6");
    await page.waitForSelector(drawn.schedules);
    await send(page, { type: "stale", stale: true });
    await page.waitForFunction(() => document.getElementById("banner").textContent.includes("has changed"));
    assert(await page.isVisible(drawn.schedules), "the picture stays");
  },
  "tabs: a stopped run has memory to show and says what it has not": async (page) => {
    await open(page, "memory", "stopped3");
    await tab(page, "numerics");
    await page.waitForFunction(() =>
      document.getElementById("panel-numerics").textContent.includes("stopped before its sweep"),
    );
    await tab(page, "schedules");
    await page.waitForSelector(drawn.schedules);
  },
  "memory: peaks are those of the report, and the figures say what they are": async (page) => {
    await open(page, "memory", "chain24", { step: 150 });
    const words = await text(page, "#panel-memory");
    has(words, "peak 99 at step");
    has(words, "as count");
    has(words, "allocated bytes");
    has(words, "measured");
    await page.click("#memory-bytes");
    has(await text(page, "#panel-memory .picture-side"), "as allocated bytes");
    has(await text(page, "#panel-memory .bands"), " B");
  },
  "memory: a click moves the index, and the line follows the player": async (page) => {
    await open(page, "memory", "chain24", { step: 0 });
    const box = await page.locator(drawn.memory).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await page.mouse.down();
    const first = Number(await page.inputValue("#scrub"));
    assert(first > 150 && first < 320, `step ${first} is not in the middle`);
    await page.mouse.move(box.x + box.width * 0.75, box.y + 100);
    await page.mouse.up();
    assert(Number(await page.inputValue("#scrub")) > first, "dragging moved on");
    const place = () => page.getAttribute("#panel-memory .now-line", "transform");
    const before = await place();
    await page.click("#start");
    assert((await place()) !== before, "the line stood still");
  },
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
  "schedules: measured rows become a plot and columns": async (page) => {
    await open(page, "schedules", "chain6");
    await page.click("#measure");
    await page.waitForSelector('[aria-label="Measured schedules"]');
    has(await text(page, ".schedule-table"), "bytes");
  },
  "numerics: both pictures and the words": async (page) => {
    await open(page, "numerics", "fan");
    await page.waitForFunction(() => document.querySelectorAll("#panel-numerics svg.plot").length === 2);
    const words = await text(page, "#panel-numerics");
    has(words, "central differences in f32");
    has(words, "4 contributions");
    has(words, "Every value and every cotangent of this sweep is finite.");
    await page.selectOption("#steps-format", "f64");
    has(await text(page, "#panel-numerics"), "central differences in f64");
    assert((await page.locator("#panel-numerics math").count()) > 0, "the formula is typeset");
  },
  "numerics: nothing is asked before the tab is in front": async (page) => {
    await show(page, "fan");
    await page.waitForTimeout(200);
    equal((await posted(page, "request")).length, 0, "questions");
  },
  "numerics: where NaN begins, and the way there": async (page) => {
    await show(page, "awkward");
    await tab(page, "numerics");
    await page.waitForFunction(() =>
      document.getElementById("panel-numerics").textContent.includes("first at r"),
    );
    await page.click("#panel-numerics .origin button");
    equal((await posted(page, "reveal")).at(-1).node, 3, "the node is shown in the source");
  },
  "numerics: the replay contract of the schedule that ran": async (page) => {
    await show(page, "chain24");
    await tab(page, "numerics");
    await page.waitForFunction(() =>
      document.getElementById("panel-numerics").textContent.includes("No replayed value differs"),
    );
    has(await text(page, ".contract"), "random stream: held");
  },
  "figures are saved as picture and as numbers, self-contained": async (page) => {
    await open(page, "memory", "chain6", { step: 9 });
    for (const format of ["svg", "png", "csv", "json"])
      await page.click(`#panel-memory [aria-label="Save as ${format}"]`);
    await page.waitForFunction(() => harness.posted.filter((m) => m.call?.kind === "export").length === 4);
    const calls = (await posted(page, "request"))
      .map(({ call }) => call)
      .filter(({ kind }) => kind === "export");
    const data = Object.fromEntries(calls.map((call) => [call.format, call.data]));
    assert(
      data.svg.startsWith("<svg") && !data.svg.includes("var(--") && !data.svg.includes("class="),
      "svg",
    );
    assert(data.png.startsWith("data:image/png;base64,"), "png");
    has(data.csv.split("\n")[0], '"instructions, count"');
    equal(JSON.parse(data.json)[0]["first step"], 0, "json");
  },
  "graph: what a schedule does with each value is told by mark and word": async (page) => {
    await show(page, "chain6", { step: 0 });
    const cards = [];
    for (let i = 0; i < 80; i += 1) {
      await page.keyboard.press("ArrowRight");
      cards.push(
        ...(await page.evaluate(() =>
          Array.from(document.querySelectorAll(".card-keep"), (t) => t.textContent),
        )),
      );
    }
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
  "player: storage events are said and marked": async (page) => {
    await show(page, "chain6", { step: 1 });
    const said = new Set();
    for (let i = 0; i < 110; i++) {
      said.add((await text(page, "#sentence")).split(" ")[0]);
      await page.click("#step");
    }
    for (const word of ["State", "Advance:", "Record:", "Reverse:"])
      assert(said.has(word), `${word} was not said`);
    assert((await page.locator(".snapshot-mark").count()) > 1, "snapshots on the scrub bar");
    assert((await page.locator(".replay-mark").count()) > 1, "replays on the scrub bar");
  },
  "a step with the diagram in front is fast": async (page) => {
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
  },
};

for (const theme of ["dark", "light", "hc-dark", "hc-light"]) {
  tabChecks[`axe on every picture, ${theme}`] = Object.assign(
    async (page) => {
      for (const [name, sweep] of [
        ["memory", "chain24"],
        ["schedules", "chain24"],
        ["numerics", "fan"],
      ]) {
        await open(page, name, sweep, { step: 12 });
        await page.waitForTimeout(400);
        await audit(page, `${theme}, ${name}`);
      }
      const dim = await page.evaluate(() => getComputedStyle(document.querySelector(".figure-title")).color);
      assert(dim !== "", "titles have a colour");
    },
    { theme },
  );
}
