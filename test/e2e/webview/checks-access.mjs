/* global document, window, performance, MutationObserver, getComputedStyle */
/** The keyboard and the reader: rings that can be seen, words that can be followed, motion that can be turned off. */
import { assert, equal, show, send, audit } from "./see.mjs";

/** Words of each face, and the message that brings it; in this order none hides the next. */
const faces = {
  loading: ["Loading"],
  running: ["Running", { type: "running", running: true }],
  restricted: [
    "restricted",
    { type: "empty", reason: "restricted", detail: "This workspace is not trusted." },
  ],
  "no graph": ["No graph", { type: "empty", reason: "no-graph", detail: "Open a graph definition." }],
  closed: ["was closed", { type: "empty", reason: "closed", detail: "fan-out.graph.ts was closed." }],
  failure: [
    "still running",
    {
      type: "failure",
      failure: {
        kind: "deadline",
        message: "still running after 5 s",
        fileLabel: "f.graph.ts",
        line: 3,
        column: 1,
        frames: ["at f (f.graph.ts:3:1)"],
        graph: "one",
        graphs: ["one", "two"],
      },
      partial: false,
      over: null,
    },
  ],
};

/** The ring of what has the focus: its width, and its contrast to the page behind it. */
const ring = () => {
  const element = document.activeElement;
  const drawn = element.id === "nodes" ? document.getElementById("graph") : element;
  const style = getComputedStyle(drawn);
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (colour) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b] = Array.from(pen.getImageData(0, 0, 1, 1).data, (byte) => {
      const c = byte / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [luminance(style.outlineColor), luminance(getComputedStyle(document.body).backgroundColor)];
  return {
    id: element.id || element.textContent.slice(0, 20) || element.tagName,
    page: element === document.body,
    width: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
    contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05),
  };
};

/** With motion on, as it is for those who have not turned it off. */
const moving = (check) => Object.assign(check, { motion: true });

export const accessChecks = {
  "while playing, the live region speaks at most once a second": async (page) => {
    await show(page, "random300", { step: 0 });
    await page.evaluate(() => {
      window.spoken = [];
      new MutationObserver(() => window.spoken.push(performance.now())).observe(
        document.getElementById("live"),
        {
          childList: true,
          characterData: true,
          subtree: true,
        },
      );
    });
    await page.selectOption("#speed", "16");
    await page.click("#play");
    await page.waitForTimeout(2600);
    const times = await page.evaluate(() => window.spoken);
    await page.click("#play");
    assert(times.length >= 2 && times.length <= 4, `${times.length} announcements in 2.6 s`);
    const gaps = times.slice(1).map((time, i) => time - times[i]);
    assert(Math.min(...gaps) > 950, `announcements ${Math.round(Math.min(...gaps))} ms apart`);
    await page.waitForFunction(
      () => document.getElementById("live").textContent === document.getElementById("sentence").textContent,
    );
  },
  "VS Code's reduced motion: the number does not travel": moving(async (page) => {
    await show(page, "fanOut", { step: 8 });
    await page.evaluate(() => document.body.classList.add("vscode-reduce-motion"));
    await page.click("#step");
    const at = () => page.getAttribute(".edge-label.is-flying", "transform");
    const first = await at();
    await page.waitForTimeout(400);
    equal(await at(), first, "place");
    const running = await page.evaluate(() => document.getAnimations().length);
    equal(running, 0, "animations and transitions");
  }),
  "motion: the number travels where it may": moving(async (page) => {
    await show(page, "fanOut", { step: 8 });
    const places = await page.evaluate(async () => {
      document.getElementById("step").click();
      const seen = new Set();
      for (let i = 0; i < 8; i++) {
        seen.add(document.querySelector(".edge-label.is-flying").getAttribute("transform"));
        await new Promise((done) => window.requestAnimationFrame(done));
      }
      return seen.size;
    });
    assert(places > 1, "it stood still");
  }),
  "the list tells its active node and the state of the step": async (page) => {
    await show(page, "fanOut", { step: 9 });
    const told = await page.evaluate(() => {
      const list = document.getElementById("nodes");
      const active = document.getElementById(list.getAttribute("aria-activedescendant"));
      return [list.getAttribute("role"), active.dataset.node, active.getAttribute("aria-current")];
    });
    equal(told.join(), "listbox,a,step", "list");
  },
};

for (const theme of ["dark", "light", "hc-dark", "hc-light"]) {
  accessChecks[`focus can be seen on every stop, ${theme}`] = Object.assign(
    async (page) => {
      await show(page, "fanOut", { step: 9 });
      await send(page, { ...faces.failure[1], over: 1 });
      await page.waitForSelector("#run-again");
      const order = [];
      for (let i = 0; i < 40; i++) {
        await page.keyboard.press("Tab");
        const found = await page.evaluate(ring);
        if (found.page) break;
        order.push(found.id);
        assert(found.width >= 1, `${found.id} has no ring`);
        assert(found.contrast >= 3, `the ring of ${found.id} has a contrast of ${found.contrast.toFixed(2)}`);
      }
      const wanted = ["mode-sum", "run", "run-again", "nodes", "fit", "inspector", "start", "speed", "scrub"];
      const places = wanted.map((id) => order.indexOf(id));
      equal(
        places.join(),
        [...places].sort((a, b) => a - b).join(),
        `order of ${wanted.join(", ")} in ${order.join(", ")}`,
      );
      assert(!places.includes(-1), `not all reached: ${order.join(", ")}`);
    },
    { theme },
  );
  accessChecks[`axe on every face, ${theme}`] = Object.assign(
    async (page) => {
      for (const [name, [words, message]] of Object.entries(faces)) {
        if (message !== undefined) await send(page, message);
        await page.waitForFunction(
          (part) => document.getElementById("face").textContent.includes(part),
          words,
        );
        assert(await page.isVisible("#face"), `${name}: no face`);
        await audit(page, `${theme}, ${name}`);
      }
      await show(page, "fanOut", { step: 9 });
      await send(page, faces.closed[1]);
      await page.waitForFunction(() => document.getElementById("banner").textContent.includes("was closed"));
      await audit(page, `${theme}, closed over a sweep`);
    },
    { theme },
  );
}
