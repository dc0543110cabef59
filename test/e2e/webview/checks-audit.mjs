/** The smallest failing graph of an audited engine: right and wrong of one graph, and what was lost. */
import { open } from "./pictures.mjs";
import { equal, has, node, show, snapshot, text } from "./see.mjs";

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
  "our own counterpart keeps its name after an engine's": async (page) => {
    await show(page, "foreign");
    await show(page, "fanOut");
    equal(await text(page, "#mode-sum"), "Sum", "our sweep");
    equal(await text(page, "#mode-lww"), "Last writer wins", "the other");
  },
};
