/* global document, harness */
/** What must hold of graph, player and inspector, each on a fresh page. */
import { walk } from "./pictures.mjs";
import { assert, equal, has, text, node, press, read, show, posted, stepTo } from "./see.mjs";

export const checks = {
  "the seed: 18, 24, 42 and 144, 132 in accessible text": async (page) => {
    await show(page, "fanOut", { step: 9 });
    equal(
      await text(page, "#sentence"),
      "c hands 24 to a: 18 + 24 = 42. Both uses have paid; a is final.",
      "sentence",
    );
    equal(await text(page, "#live"), await text(page, "#sentence"), "live region");
    equal(await text(page, "#position"), "step 9 of 12, reverse sweep", "position");
    equal(
      await node(page, "a"),
      "a = x * y, value 6, cotangent 42, 2 of 2 uses have paid: 18 + 24 = 42, final",
      "a",
    );
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
  "the real engine's trace": async (page) => {
    await show(page, "engine", { step: 9 });
    has(await text(page, "#sentence"), "18 + 24 = 42. Both uses have paid;");
    has(await text(page, "#gradient-x"), "144");
    await page.click("#mode-lww");
    has(await text(page, "#sentence"), "the sum sweep has 42");
    await page.click("#end");
    has(await node(page, "x"), "cotangent 90");
    await page.selectOption("#graph-choice", "other");
    equal((await posted(page, "run"))[0].graph, "other", "graph asked for");
    await show(page, "engineWrong", { step: 12 });
    await page.waitForFunction(() =>
      document.querySelector('[data-node="y"]').textContent.includes("cotangent 96"),
    );
  },
  "no counterpart: the other mode is disabled and says why": async (page) => {
    await show(page, "alone", { step: 12 });
    assert(await page.isDisabled("#mode-lww"), "not disabled");
    has(await page.getAttribute("#mode-lww", "title"), "one sweep only");
  },
  "stepping forward and back gives the same states": async (page) => {
    await show(page, "threeChildren", { step: 0 });
    const steps = Number(await page.getAttribute("#scrub", "max"));
    const [there, back] = await page.evaluate(`(() => {
      const read = ${read};
      const walk = (id, times) => Array.from({ length: times }, () => {
        document.getElementById(id).click();
        return JSON.stringify(read());
      });
      const first = JSON.stringify(read());
      const there = [first, ...walk("step", ${steps})];
      return [there, walk("back", ${steps})];
    })()`);
    back.forEach((state, i) => equal(state, there[steps - 1 - i], `state at step ${steps - 1 - i}`));
    equal(new Set(there).size, steps + 1, "different states");
  },
  "forward steps, the seed and step 0 in words": async (page) => {
    await show(page, "fanOut", { step: 0 });
    equal(await text(page, "#position"), "step 0 of 12, before the sweep", "position");
    has(await text(page, "#sentence"), "Given: x = 2, y = 3.");
    await page.click("#step");
    equal(await text(page, "#sentence"), "a = x * y = 6.", "sentence");
    await stepTo(page, 4);
    equal(await text(page, "#sentence"), "L = 144. The sweep starts: L\u0304 = 1.", "seed");
    equal(await text(page, "#position"), "step 4 of 12, end of the forward sweep", "position");
  },
  "several slots of one child": async (page) => {
    await show(page, "threeChildren", { step: 0 });
    const said = (await walk(page, "step", 18)).map(({ sentence }) => sentence);
    assert(
      said.some((line) => line.startsWith("d hands 6 + 6 = 12 to a")),
      said.join("\n"),
    );
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
    const active = () =>
      page.evaluate(
        () =>
          document.getElementById(document.getElementById("nodes").getAttribute("aria-activedescendant"))
            .dataset.node,
      );
    await page.evaluate(() => harness.send({ type: "select", node: 5 }));
    await page.waitForFunction(
      () => document.querySelector('[data-node="L"]').getAttribute("aria-selected") === "true",
    );
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
    for (const id of [
      "mode-sum",
      "mode-lww",
      "run",
      "help",
      "nodes",
      "fit",
      "inspector",
      "start",
      "back",
      "play",
      "step",
      "end",
      "speed",
      "scrub",
    ]) {
      assert(reached.has(id), `#${id} is not reached by Tab`);
    }
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
    await page.waitForFunction(() =>
      document
        .querySelector(".canvas")
        ._cyreg.cy.edges()
        .every((edge) => edge.controlPoints() !== undefined),
    );
    const worst = await page.evaluate(() => {
      const cy = document.querySelector(".canvas")._cyreg.cy;
      const numbers = (d) => d.match(/-?[\d.]+/g).map(Number);
      const paths = Array.from(document.querySelectorAll(".overlay path.flow"), (p) =>
        numbers(p.getAttribute("d")),
      );
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
  "names that try to be markup stay text": async (page) => {
    await show(page, "awkward", { step: 20 });
    equal(
      await page.evaluate(() => document.querySelectorAll("#app script, #app img").length),
      0,
      "elements made from names",
    );
    has(await text(page, "#nodes"), "<script>alert(1)</script>, input");
    has(await text(page, "#nodes"), "value -0");
    has(await text(page, "#nodes"), "1e-300");
    has(await text(page, "#nodes"), "NaN");
    has(await text(page, "#inspector"), "NaN first appears");
  },
  "a narrow and a short panel stay usable": async (page) => {
    for (const size of [
      { width: 400, height: 760 },
      { width: 1100, height: 340 },
      { width: 400, height: 400 },
    ]) {
      await page.setViewportSize(size);
      await show(page, "fanOut", { step: 9 });
      for (const id of ["play", "step", "scrub", "mode-lww", "sentence"]) {
        const box = await page.locator(`#${id}`).boundingBox();
        const inside =
          box.x >= -9 &&
          box.y >= 0 &&
          box.x + box.width <= size.width + 9 &&
          box.y + box.height <= size.height;
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
  "the product of the step overprints no number of a parallel edge": async (page) => {
    await show(page, "threeChildren", { step: 0 });
    let seen = 0;
    for (let i = 0; i < 18; i++) {
      await press(page, "step");
      const [product, hit] = await page.evaluate(() => {
        const own = document.querySelector(".edge-label.is-flying .pill-product");
        if (own === null || own.textContent === "") return ["", null];
        const a = own.getBoundingClientRect();
        const others = document.querySelectorAll(".edge-label:not(.is-flying) .pill-text, .edge-count");
        const over = Array.from(others).find((other) => {
          const b = other.getBoundingClientRect();
          return b.width > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        });
        return [own.textContent, over?.textContent ?? null];
      });
      if (product !== "") seen++;
      equal(hit, null, `under "${product}" in step ${i + 1}`);
    }
    assert(seen > 5, `${seen} products`);
  },
  "the count of parallel edges stands under none of their numbers": async (page) => {
    for (const [name, step] of [
      ["steepPair", 5],
      ["steepPair", 6],
      ["threeChildren", 13],
    ]) {
      await show(page, name, { step });
      const hit = await page.evaluate(() => {
        const [count] = Array.from(document.querySelectorAll(".edge-count"), (e) =>
          e.getBoundingClientRect(),
        );
        return Array.from(document.querySelectorAll(".edge-label .pill-text"), (e) =>
          e.getBoundingClientRect(),
        ).some(
          (b) =>
            b.width > 0 &&
            count.left < b.right &&
            b.left < count.right &&
            count.top < b.bottom &&
            b.top < count.bottom,
        );
      });
      equal(hit, false, `a number over "2 edges" in ${name}, step ${step}`);
    }
  },
  "playing runs to the end and stops": async (page) => {
    await show(page, "fanOut", { step: 0 });
    await page.selectOption("#speed", "16");
    await page.click("#play");
    await page.waitForFunction(() => document.getElementById("position").textContent.startsWith("step 12 "));
    await page.waitForFunction(() => document.getElementById("play").getAttribute("aria-label") === "Play");
  },
};
