/** The tree view, the status bar and the context keys follow the sweep. */
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { SEED, shown } from "./features.js";
import { test, until } from "./harness.js";
import { api, insert, remove, withFile } from "./workspace.js";

test("the status bar tells the graph and its age", async () => {
  const { statusText } = await api();
  await withFile("status.graph.ts", SEED, async (uri) => {
    await shown(uri);
    await until("the gradient", () => statusText() === "$(check) g: gradient");
    await insert(uri, "x * y", "2 * ");
    await until("its age", () => statusText() === "$(history) g: older than the text");
    await remove(uri, "2 * ");
    await until("the gradient again", () => statusText() === "$(check) g: gradient");
  });
});

test("the tree has the outputs at its root and operands below, repeated nodes marked", async () => {
  const { tree } = await api();
  await withFile("tree.graph.ts", SEED, async (uri) => {
    await shown(uri);
    const lines = await unfold(tree, undefined, "");
    assert.deepEqual(lines, [
      "L = b * c | = 144, ∂ 1",
      "  b = a + x | = 8, ∂ 18",
      "    a = x * y | = 6, ∂ 42, 2 uses",
      "      x | = 2, ∂ 144, 2 uses, repeated",
      "      y | = 3, ∂ 132, 2 uses, repeated",
      "    x | = 2, ∂ 144, 2 uses",
      "  c = a * y | = 18, ∂ 8",
      "    a = x * y | = 6, ∂ 42, 2 uses, repeated",
      "      x | = 2, ∂ 144, 2 uses, repeated",
      "      y | = 3, ∂ 132, 2 uses, repeated",
      "    y | = 3, ∂ 132, 2 uses",
    ]);
  });
});

/** The whole tree, one line a place. */
async function unfold(
  tree: vscode.TreeDataProvider<unknown>,
  element: unknown,
  indent: string,
): Promise<string[]> {
  const out: string[] = [];
  for (const child of (await tree.getChildren(element)) ?? []) {
    const { label, description } = await tree.getTreeItem(child);
    out.push(
      `${indent}${String(label)} | ${String(description)}`,
      ...(await unfold(tree, child, `${indent}  `)),
    );
  }
  return out;
}
