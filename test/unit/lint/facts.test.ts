import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { lintTree } from "../../../engine/lint/lint-tree.js";
import { parseForLint } from "../../../engine/lint/parse.js";

const lint = resolve(import.meta.dirname, "../../../engine/lint");

it("keeps every analysis of a file under a name of its own", () => {
  const places = new Map<string, string[]>();
  for (const file of readdirSync(lint, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    // what is kept under a text that is put together has a number or a name in it
    for (const [, name] of readFileSync(join(lint, file), "utf8").matchAll(/\bonce\(\s*"([^"]+)"/g))
      places.set(name, [...(places.get(name) ?? []), file]);
  }
  expect(places.size).toBeGreaterThan(50);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

it("lets go of a tree when its file is done", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const linted = (): WeakRef<object> => {
    const text =
      "export const mul = (a, b) => { const out = { grad: 0 }; out.back = () => { a.grad = out.grad; }; return out; };";
    const { root } = parseForLint(text, "engine.js");
    lintTree(root!, text, []);
    return new WeakRef(root!);
  };
  const tree = linted();
  for (let turn = 0; turn < 20 && tree.deref() !== undefined; turn++) {
    await new Promise((done) => setTimeout(done, 1));
    collect();
  }
  expect(tree.deref()).toBeUndefined();
});
