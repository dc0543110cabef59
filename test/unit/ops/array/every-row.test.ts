import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { arraysMarkdown } from "../../../../engine/ops/array/document.js";
import { arrayPrimitives, innerRows } from "../../../../engine/ops/array/table.js";
import { primitives } from "../../../../engine/ops/table.js";

/** Rows that stand inside others' rules: each is differentiated wherever the row it serves is. */
const inside: Readonly<Record<string, string>> = {
  pull: "lifted",
  second: "lifted",
  extremeShare: "reduceMax",
  firstLargest: "maxPool2d",
  frozen: "embedding",
  prodOthers: "prod",
  prodOthersAlong: "prod",
  recurrence: "cumprod",
  shift: "cumprod",
  gap: "logcumsumexp",
};

describe("the array table", () => {
  it("has every row among the samples of a derivative check", () => {
    const samples = readdirSync(import.meta.dirname)
      .filter((file) => /derivatives\.test\.ts$|determinants\.test\.ts$|matrices\.test\.ts$/.test(file))
      .map((file) => readFileSync(`${import.meta.dirname}/${file}`, "utf8"))
      .join("\n");
    const lifted = new Set(primitives.map(({ name }) => name));
    const missing = arrayPrimitives
      .map(({ name }) => name)
      .filter((name) => !lifted.has(name) && !(name in inside))
      .filter((name) => !samples.includes(`"${name}"`));
    expect(missing).toEqual([]);
  });

  it("is the page docs/arrays-table.md: node scripts/primitives-doc.mjs", () => {
    const lifted = new Set(primitives.map(({ name }) => name));
    const own = arrayPrimitives.filter(({ name }) => !lifted.has(name));
    expect([...innerRows].filter((name) => !own.some((row) => row.name === name))).toEqual([]);
    const page = readFileSync(new URL("../../../../docs/arrays-table.md", import.meta.url), "utf8");
    expect(page).toBe(arraysMarkdown(own, innerRows));
  });

  it("says of every row what it is, in one line each", () => {
    for (const { name, doc, formula, rule } of arrayPrimitives) {
      for (const text of [doc, formula, rule]) {
        expect(text, name).not.toBe("");
        expect(text, name).not.toMatch(/\n/);
      }
    }
  });
});
