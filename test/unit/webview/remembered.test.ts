/** Where the user was: the later memory counts, and what is written is read by the next window. */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { asViewState, Remembered } from "../../../extension/remembered.js";

const folder = mkdtempSync(join(tmpdir(), "backsweep-remembered-"));
const file = join(folder, "deeper", "positions.json");
// a write may still be under way when a test removes its folder
const nobody = (): void => undefined;
const state = { uri: "file:///a", graph: "g", mode: "sum", selected: -1, speed: 1 } as const;

afterEach(() => rmSync(join(folder, "deeper"), { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("Remembered", () => {
  it("writes every move, and the next one knows the last", async () => {
    const first = new Remembered(file, nobody);
    for (let step = 0; step <= 9; step++) first.set("k", { step, mode: "sum", selected: -1 });
    await vi.waitFor(async () => expect(await readFile(file, "utf8")).toContain('"step":9'));
    const second = new Remembered(file, nobody);
    await second.load();
    expect(second.get("k")).toMatchObject({ step: 9 });
    // what VS Code stored earlier does not count, what it stored later does
    second.merge("k", { ...state, step: 7, time: 1 });
    expect(second.get("k")).toMatchObject({ step: 9 });
    second.merge("k", { ...state, step: 11, time: Date.now() + 1000 });
    expect(second.get("k")).toMatchObject({ step: 11 });
  });

  it("takes a broken file as none", async () => {
    const first = new Remembered(file, nobody);
    first.set("k", { step: 1, mode: "sum", selected: -1 });
    await vi.waitFor(async () => expect(await readFile(file, "utf8")).toContain('"step":1'));
    for (const text of ["", "{", "[1, null, {}]", '{"a":1}']) {
      await writeFile(file, text);
      const second = new Remembered(file, nobody);
      await second.load();
      expect(second.get("k")).toBeUndefined();
    }
  });

  it("tells a view's state from anything else", () => {
    expect(asViewState({ ...state, step: 3 })).not.toBeNull();
    for (const value of [null, 1, {}, { ...state }, { ...state, step: "3" }, { ...state, step: 3, uri: 1 }])
      expect(asViewState(value)).toBeNull();
  });
});
