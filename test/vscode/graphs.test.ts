/** Two graphs of one file in one panel, where one of them may fail. */
import assert from "node:assert/strict";
import { test, until } from "./harness.js";
import { api, closeEverything, face, run, withFile } from "./workspace.js";

const TEXT = `import { graph } from "backsweep";
export const one = graph({ x: 2 }, ({ x }) => x * x);
export const two = graph({ x: 2 }, ({ x }) => x * x * x);
export const bad = graph({ x: 2 }, ({ x }) => {
  const y = x * x;
  if (y > 0) throw new Error("no luck");
  return y;
});
`;

test("the panel goes from one graph of a file to the other and back", async () => {
  await closeEverything();
  await withFile("several.graph.ts", TEXT, async (uri) => {
    const { panelState } = await api();
    for (const [graph, slope] of [
      ["one", 4],
      ["two", 12],
      ["one", 4],
    ] as const) {
      const result = await run(uri, graph);
      assert.ok(result.ok);
      assert.deepEqual(result.report.gradient, { x: slope });
      assert.deepEqual(result.report.graphs, ["one", "two", "bad"]);
      await until("the view is ready", () => panelState()?.ready);
      await face("sweep");
    }
  });
});

test("another graph that fails is not shown as the one before it, which is there again when asked for", async () => {
  await withFile("one-fails.graph.ts", TEXT, async (uri) => {
    assert.ok((await run(uri, "one")).ok);
    await face("sweep");
    assert.ok(!(await run(uri, "bad")).ok);
    await face("partial");
    assert.ok((await run(uri, "two")).ok);
    await face("sweep");
    const missing = await run(uri, "gone");
    assert.ok(!missing.ok);
    await face("failure");
    assert.ok((await run(uri, "one")).ok);
    await face("sweep");
  });
});
