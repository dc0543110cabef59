/* global harness, document, sessionStorage, getComputedStyle, console, performance, globalThis */
/** What must hold of the view, each on a fresh page. `see` holds the small readers the checks share. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const themes = ["dark", "light", "hc-dark", "hc-light"];

function assert(condition, message) {
  if (!condition) throw new Error(message);
}

function equal(got, wanted, what) {
  assert(got === wanted, `${what}: got ${JSON.stringify(got)}, expected ${JSON.stringify(wanted)}`);
}

function has(text, part) {
  assert(text.includes(part), `"${text}" does not contain "${part}"`);
}

const text = (page, selector) => page.locator(selector).first().textContent();
const node = (page, name) => text(page, `[data-node="${name}"]`);

async function show(page, name, rest = {}) {
  await page.evaluate(([n, r]) => harness.sweep(n, r), [name, rest]);
  await page.waitForFunction(() => document.getElementById("position")?.textContent !== "");
}

const send = (page, message) => page.evaluate((m) => harness.send(m), message);
const posted = (page, type) => page.evaluate((t) => harness.posted.filter((m) => m.type === t), type);
const snapshot = (page) =>
  page.evaluate(() => ({
    nodes: document.getElementById("nodes").textContent,
    sentence: document.getElementById("sentence").textContent,
    position: document.getElementById("position").textContent,
    inspector: document.getElementById("inspector").textContent,
    cards: Array.from(document.querySelectorAll(".overlay .card"), (g) => `${g.getAttribute("class")} ${g.textContent}`).join("\n"),
    edges: Array.from(document.querySelectorAll(".overlay .edge-label"), (g) => `${g.getAttribute("class")} ${g.textContent}`).sort().join("\n"),
    scrub: document.getElementById("scrub").value,
  }));

async function stepTo(page, step) {
  await page.click("#start");
  for (let i = 0; i < step; i++) await page.click("#step");
}

async function audit(page, what) {
  await page.addScriptTag({ content: "" }).catch(() => undefined);
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const lines = found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target} (${n.failureSummary})`).join(" | ")}`);
  assert(lines.length === 0, `axe, ${what}:\n${lines.join("\n")}`);
}

export const checks = {
  "the seed: 18, 24, 42 and 144, 132 in accessible text": async (page) => {
    await show(page, "fanOut", { step: 9 });
    equal(await text(page, "#sentence"), "c hands 24 to a: 18 + 24 = 42. Both uses have paid; a is final.", "sentence");
    equal(await text(page, "#live"), await text(page, "#sentence"), "live region");
    equal(await text(page, "#position"), "step 9 of 12, reverse sweep", "position");
    equal(await node(page, "a"), "a = x * y, value 6, cotangent 42, 2 of 2 uses have paid: 18 + 24 = 42, final", "a");
    has(await node(page, "x"), "cotangent 18 so far, 1 of 2 uses has paid: 18, still to pay: a");
    has(await text(page, "#gradient-x"), "144");
    has(await text(page, "#gradient-x"), "90");
    has(await text(page, "#gradient-y"), "132");
    has(await text(page, "#inspector"), "18 + 24 = 42");
    has(await text(page, "#inspector"), "Paths from a to L: 2");
    await page.click("#end");
    has(await node(page, "x"), "cotangent 144, 2 of 2 uses have paid: 18 + 126 = 144, final");
  },
  "last writer wins: 18 is lost, 90 and 96": async (page) => {
    await show(page, "fanOut", { step: 9 });
    await page.click("#mode-lww");
    has(await text(page, "#sentence"), "overwrites 18: lost. a is final with 24; the sum sweep has 42.");
    has(await node(page, "a"), "24 (lost: 18)");
    equal(await page.locator("#inspector s").first().textContent(), "18", "struck out");
    await page.click("#end");
    has(await node(page, "x"), "cotangent 90");
    has(await node(page, "y"), "cotangent 96");
    await page.click("#mode-sum");
    has(await node(page, "x"), "cotangent 144");
    const moved = await posted(page, "moved");
    equal(moved.at(-1).mode, "sum", "mode told to the host");
  },
  "a run in last-writer-wins mode starts in that mode": async (page) => {
    await show(page, "fanOutWrong", { step: 12 });
    equal(await page.getAttribute("#mode-lww", "aria-pressed"), "true", "mode");
    has(await node(page, "x"), "cotangent 90");
  },
  "no counterpart: the other mode is disabled and says why": async (page) => {
    await show(page, "alone", { step: 12 });
    assert(await page.isDisabled("#mode-lww"), "not disabled");
    has(await page.getAttribute("#mode-lww", "title"), "one sweep only");
  },
  "stepping forward and back gives the same states": async (page) => {
    await show(page, "threeChildren", { step: 0 });
    const there = [];
    const steps = Number(await page.getAttribute("#scrub", "max"));
    for (let i = 0; i <= steps; i++) {
      there.push(JSON.stringify(await snapshot(page)));
      if (i < steps) await page.click("#step");
    }
    for (let i = steps; i >= 0; i--) {
      equal(JSON.stringify(await snapshot(page)), there[i], `state at step ${i}`);
      if (i > 0) await page.click("#back");
    }
  },
  "forward steps, the seed and step 0 in words": async (page) => {
    await show(page, "fanOut", { step: 0 });
    equal(await text(page, "#position"), "step 0 of 12, before the sweep", "position");
    has(await text(page, "#sentence"), "Given: x = 2, y = 3.");
    await page.click("#step");
    equal(await text(page, "#sentence"), "a = x * y = 6.", "sentence");
    await stepTo(page, 4);
    equal(await text(page, "#sentence"), "L = 144. The sweep starts: L\u0304 = 1.", "seed");
    equal(await text(page, "#position"), "step 4 of 12, forward sweep", "position");
  },
  "several slots of one child": async (page) => {
    await show(page, "threeChildren", { step: 0 });
    const said = [];
    for (let i = 0; i < 18; i++) {
      await page.click("#step");
      said.push(await text(page, "#sentence"));
    }
    assert(said.some((line) => line.startsWith("d hands 6 + 6 = 12 to a")), said.join("\n"));
    has(await node(page, "a"), "cotangent 54, 3 of 3 uses have paid: 12 + 18 + 24 = 54, final");
    has(await text(page, "#gradient-x"), "180");
    has(await text(page, "#gradient-y"), "156");
  },
  "the keyboard alone": async (page) => {
    await show(page, "fanOut", { step: 0 });
    await page.keyboard.press("End");
    has(await text(page, "#position"), "step 12 of 12");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    has(await text(page, "#position"), "step 1 of 12");
    await page.keyboard.press("Shift+ArrowRight");
    has(await text(page, "#position"), "step 9 of 12");
    await page.keyboard.press("Shift+ArrowLeft");
    has(await text(page, "#position"), "step 0 of 12");
    await page.keyboard.press("Space");
    equal(await page.getAttribute("#play", "aria-label"), "Pause", "playing");
    await page.waitForFunction(() => document.getElementById("position").textContent.startsWith("step 1 "));
    await page.keyboard.press("Space");
    equal(await page.getAttribute("#play", "aria-label"), "Play", "paused");
    await page.focus("#nodes");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    const active = () => page.evaluate(() => document.getElementById(document.getElementById("nodes").getAttribute("aria-activedescendant")).dataset.node);
    await page.evaluate(() => harness.send({ type: "select", node: 5 }));
    await page.waitForFunction(() => document.querySelector('[data-node="L"]').getAttribute("aria-selected") === "true");
    await page.keyboard.press("ArrowLeft");
    assert(["b", "c"].includes(await active()), `active: ${await active()}`);
    await page.keyboard.press("ArrowLeft");
    equal(await active(), "a", "active");
    await page.keyboard.press("Enter");
    equal((await posted(page, "reveal")).at(-1).node, 2, "revealed");
    await page.keyboard.press("?");
    assert(await page.locator("dialog[open]").isVisible(), "no help");
    await page.keyboard.press("Escape");
    equal(await page.locator("dialog[open]").count(), 0, "help open");
  },
  "tab reaches every control": async (page) => {
    await show(page, "fanOut", { step: 5 });
    const reached = new Set();
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.id));
    }
    for (const id of ["mode-sum", "mode-lww", "run", "help", "nodes", "fit", "inspector", "start", "back", "play", "step", "end", "speed", "scrub"]) {
      assert(reached.has(id), `#${id} is not reached by Tab`);
    }
  },
  "state survives a reload": async (page) => {
    await show(page, "fanOut", { step: 3 });
    await page.click("#mode-lww");
    await page.click("#step");
    await page.focus("#nodes");
    await page.keyboard.press("ArrowLeft");
    await page.click("#zoom-in");
    await page.waitForTimeout(300);
    const before = { ...(await snapshot(page)), transform: await page.getAttribute(".overlay > g", "transform") };
    await page.reload();
    const ready = await posted(page, "ready");
    equal(ready[0].state.step, 4, "state in ready");
    await show(page, "fanOut");
    const after = { ...(await snapshot(page)), transform: await page.getAttribute(".overlay > g", "transform") };
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
    await page.waitForTimeout(50);
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
    const failure = { kind: "exception", message: "boom <b>", fileLabel: "f.graph.ts", line: 7, column: 3, frames: ["at f (f.graph.ts:7:3)"] };
    await send(page, { type: "failure", failure, partial: false });
    await page.click("#failure-place");
    equal((await posted(page, "revealPlace"))[0].line, 7, "revealPlace");
    await audit(page, "failure");
    await show(page, "fanOut", { step: 9 });
    equal(await page.isVisible("#face"), false, "face");
    await send(page, { type: "failure", failure, partial: false });
    await page.waitForFunction(() => document.getElementById("banner").textContent.includes("last good sweep"));
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
    await page.waitForFunction(() => document.getElementById("banner").textContent.includes("Error in this view"));
    equal((await posted(page, "error")).length, 1, "error messages");
    has(await text(page, "#sentence"), "42");
    await page.click("#dismiss");
    equal(await page.isVisible("#banner"), false, "banner");
  },
  "click selects and reveals, hover explains": async (page) => {
    await show(page, "fanOut", { step: 9 });
    const at = await page.locator(".card.is-current .card-body").boundingBox();
    await page.mouse.move(at.x + 60, at.y + 20);
    await page.waitForSelector("#tooltip:not([hidden])");
    has(await text(page, "#tooltip"), "18 + 24 = 42");
    await page.mouse.click(at.x + 60, at.y + 20);
    equal((await posted(page, "reveal"))[0].node, 2, "revealed");
    await page.click("#end");
    has(await text(page, "#inspector h2"), "a = x * y");
    await page.click("#follow");
    has(await text(page, "#inspector h2"), "y input");
  },
  "canvas edges and overlay edges are the same curves": async (page) => {
    await show(page, "threeChildren", { step: 18 });
    await page.waitForTimeout(300);
    const worst = await page.evaluate(() => {
      const cy = document.querySelector(".canvas")._cyreg.cy;
      const numbers = (d) => d.match(/-?[\d.]+/g).map(Number);
      const paths = Array.from(document.querySelectorAll(".overlay path.flow"), (p) => numbers(p.getAttribute("d")));
      let most = 0;
      cy.edges().forEach((edge, i) => {
        const controls = edge.controlPoints().flatMap((c) => [c.x, c.y]);
        const wanted = paths[i].slice(2).filter((_, k) => k % 4 < 2);
        controls.forEach((v, k) => (most = Math.max(most, Math.abs(v - wanted[k]))));
      });
      return most;
    });
    assert(worst < 0.1, `they differ by ${worst} px`);
  },
  "5,000 nodes: 300 shown, said, and steps stay quick": async (page) => {
    await show(page, "random5000", { step: 8000 });
    has(await text(page, "#cut"), "showing 300 of");
    const ms = await page.evaluate(async () => {
      const begin = performance.now();
      for (let i = 0; i < 30; i++) document.getElementById("step").click();
      return (performance.now() - begin) / 30;
    });
    console.log(`  step with 300 nodes drawn: ${ms.toFixed(1)} ms`);
    assert(ms < 60, `${ms} ms a step`);
  },
  "names that try to be markup stay text": async (page) => {
    await show(page, "awkward", { step: 20 });
    equal(await page.evaluate(() => document.querySelectorAll("#app script, #app img").length), 0, "elements made from names");
    has(await text(page, "#nodes"), "<script>alert(1)</script>, input");
    has(await text(page, "#nodes"), "value -0");
    has(await text(page, "#nodes"), "1e-300");
    has(await text(page, "#nodes"), "NaN");
    has(await text(page, "#inspector"), "NaN first appears");
  },
  "a narrow and a short panel stay usable": async (page) => {
    for (const size of [{ width: 400, height: 760 }, { width: 1100, height: 340 }, { width: 400, height: 400 }]) {
      await page.setViewportSize(size);
      await show(page, "fanOut", { step: 9 });
      for (const id of ["play", "step", "scrub", "mode-lww", "sentence"]) {
        const box = await page.locator(`#${id}`).boundingBox();
        const inside = box.x >= -9 && box.y >= 0 && box.x + box.width <= size.width + 9 && box.y + box.height <= size.height;
        assert(inside, `#${id} at ${size.width} x ${size.height}: ${JSON.stringify(box)}`);
      }
      const graph = await page.locator("#graph").boundingBox();
      assert(graph.height >= 90, `graph is ${graph.height} px high at ${size.width} x ${size.height}`);
    }
  },
  "reduced motion: the number does not travel": async (page) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await show(page, "fanOut", { step: 8 });
    await page.click("#step");
    const at = () => page.getAttribute(".edge-label.is-flying", "transform");
    const first = await at();
    await page.waitForTimeout(400);
    equal(await at(), first, "place");
  },
  "playing runs to the end and stops": async (page) => {
    await show(page, "fanOut", { step: 0 });
    await page.selectOption("#speed", "16");
    await page.click("#play");
    await page.waitForFunction(() => document.getElementById("position").textContent.startsWith("step 12 "));
    await page.waitForFunction(() => document.getElementById("play").getAttribute("aria-label") === "Play");
  },
};

for (const theme of themes) {
  checks[`axe, ${theme}`] = Object.assign(
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
