/* global document, harness */
/** Ways to the pictures behind the tabs, shared by their checks. */
import { posted, show } from "./see.mjs";

export const tab = (page, name) => page.click(`#tab-${name}`);

/** What is there once a picture is drawn. */
export const drawn = {
  memory: "#panel-memory .bands",
  schedules: "#panel-schedules .targets",
  numerics: "#panel-numerics svg.plot",
};

export async function open(page, name, sweep, rest = {}) {
  await show(page, sweep, rest);
  await tab(page, name);
  await page.waitForSelector(drawn[name]);
}

/** The schedules that runs were asked with. */
export const runs = async (page) => (await posted(page, "run")).map(({ schedule }) => schedule);

/** What the host was asked to save, by format, once there are so many. */
export async function saved(page, count) {
  await page.waitForFunction(
    (wanted) => harness.posted.filter((m) => m.call?.kind === "export").length === wanted,
    count,
  );
  const calls = (await posted(page, "request"))
    .map(({ call }) => call)
    .filter(({ kind }) => kind === "export");
  return Object.fromEntries(calls.map((call) => [call.format, call.data]));
}

/** Waits until a part of the page says this. */
export const says = (page, selector, part) =>
  page.waitForFunction(
    ([place, words]) => document.querySelector(place)?.textContent.includes(words),
    [selector, part],
  );

/** Presses a button so often, and what is said and marked on cards after each time. */
export const walk = (page, id, times) =>
  page.evaluate(
    ([button, count]) => {
      const seen = [];
      for (let i = 0; i < count; i++) {
        document.getElementById(button).click();
        const kept = Array.from(document.querySelectorAll(".card-keep"), (mark) => mark.textContent);
        seen.push({ sentence: document.getElementById("sentence").textContent, kept });
      }
      return seen;
    },
    [id, times],
  );

/** Measures time: nothing else runs beside it. */
export const alone = (check) => Object.assign(check, { alone: true });
