/** The smallest failing graph of an audited engine: right and wrong of one graph, and what was lost. */
import { open } from "./pictures.mjs";
import { equal, has, node, posted, send, show, snapshot, text } from "./see.mjs";

export const auditChecks = {
  "an audited engine's sweep stands beside ours under its name": async (page) => {
    await show(page, "foreign", { step: 12, mode: "last-writer-wins", selected: 2 });
    equal(await text(page, "#mode-sum"), "Right", "our sweep");
    equal(await text(page, "#mode-lww"), "ownEngine", "the engine's");
    equal(await page.getAttribute("#mode-lww", "aria-pressed"), "true", "mode");
    has(await node(page, "a"), "24");
    const { inspector, edges } = await snapshot(page);
    has(inspector, "ownEngine");
    has(edges, "lost");
    await page.click("#mode-sum");
    has(await node(page, "a"), "42");
  },
  "pictures of an audited engine's graph say whose they are": async (page) => {
    for (const tab of ["memory", "schedules", "numerics"]) {
      await open(page, tab, "foreign");
      has(await text(page, `#panel-${tab} .panel-remark`), "ownEngine was asked for gradients only");
      await open(page, tab, "fanOut");
      equal(await page.locator(`#panel-${tab} .panel-remark`).isVisible(), false, `the remark over ${tab}`);
    }
  },
  "the banner over an audited engine's sweep stands over the graph only": async (page) => {
    await show(page, "foreign", { mode: "last-writer-wins" });
    has(await text(page, "#verdict"), "ownEngine\u2019s numbers");
    for (const tab of ["memory", "schedules", "numerics", "graph"]) {
      await page.click(`#tab-${tab}`);
      equal((await text(page, "#verdict")) !== "", tab === "graph", `a banner over ${tab}`);
    }
  },
  "the fault of an audited engine is said, with its line": async (page) => {
    await show(page, "foreign", { mode: "last-writer-wins" });
    has(await text(page, "#fault"), "overwrite: a contribution is assigned where a sum is due. Lost: 18");
    await page.click("#fault-place");
    const [place] = (await posted(page, "revealPlace")).slice(-1);
    equal(`${place.file}:${place.line}`, "/w/own.ts:17", "place");
    await show(page, "fanOut");
    equal(await page.locator("#fault").count(), 0, "a fault in our own sweep");
  },
  "an audited engine that throws in its sweep is told to have thrown, and nothing of its cotangents": async (
    page,
  ) => {
    await show(page, "foreignThrew", { step: 12, mode: "last-writer-wins", selected: 0 });
    has(await text(page, "#fault"), "TypeError: tape[i].parents is not iterable");
    const { sentence, inspector, nodes } = await snapshot(page);
    has(sentence, "sweep came to nothing: the sweep threw TypeError");
    for (const said of [sentence, inspector, nodes])
      for (const wrong of ["NaN", "is final", "has paid: none"])
        equal(said.includes(wrong), false, `"${wrong}" in "${said}"`);
    has(nodes, "cotangent not known: the engine threw");
    has(inspector, "ownEngine: none");
  },
  "values that an audited engine has otherwise are its own": async (page) => {
    await show(page, "foreignChanged", { step: 12, mode: "last-writer-wins", selected: 2 });
    has(await node(page, "a"), "-6");
    has((await snapshot(page)).nodes, "value -144");
    has((await snapshot(page)).inspector, "value -6, not 6");
    await page.click("#mode-sum");
    has((await snapshot(page)).nodes, "value 144");
    equal((await snapshot(page)).inspector.includes(", not "), false, "another value than ours in ours");
  },
  "an audited engine that was mended has no sweep on screen": async (page) => {
    await show(page, "foreign", { mode: "last-writer-wins" });
    await send(page, { type: "failure", failure: null, partial: false, over: null });
    await send(page, {
      type: "empty",
      reason: "passes",
      detail: "ownEngine passes: every gradient is right.",
    });
    has(await text(page, "#face"), "ownEngine passes: every gradient is right.");
    await page.click("#run-again");
    equal((await posted(page, "run")).length > 0, true, "it can be audited again");
  },
  "our own counterpart keeps its name after an engine's": async (page) => {
    await show(page, "foreign");
    await show(page, "fanOut");
    equal(await text(page, "#mode-sum"), "Sum", "our sweep");
    equal(await text(page, "#mode-lww"), "Last writer wins", "the other");
  },
};
