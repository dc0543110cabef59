/** Runs that stop before their sweep: what they recorded is shown, unless a good sweep is. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { test, until } from "./harness.js";
import { api, closeEverything, face, graphText, insert, remove, run, withFile } from "./workspace.js";

const THROWS = graphText('  const a = x * y;\n  if (a > 0) throw new Error("no luck");\n  return a;');
const ENDLESS = graphText(
  "  let a = x;\n  for (let i = 1; ; i++) {\n    if (i % 1000 === 0) a = a * y;\n  }",
);

async function readyView(): Promise<void> {
  const { panelState } = await api();
  await until("the view is ready", () => panelState()?.ready);
}

test("a throw leaves its recording in the view, at its last step", async () => {
  await closeEverything();
  await withFile("throws.graph.ts", THROWS, async (uri) => {
    const result = await run(uri, "g");
    assert.ok(!result.ok && result.partial);
    assert.equal(result.partial.header.complete, false);
    await readyView();
    await face("partial");
    // run again: a new recording takes its place
    await run(uri, "g");
    await face("partial");
    // text that does not parse has nothing recorded
    await insert(uri, "x * y", "* ");
    await run(uri, "g");
    await face("failure");
    await remove(uri, "* ");
    await run(uri, "g");
    await face("partial");
  });
});

test("an endless loop is shown as far as it was recorded", async () => {
  const settings = vscode.workspace.getConfiguration("backsweep.run");
  await settings.update("timeout", 1, vscode.ConfigurationTarget.Global);
  try {
    await withFile("stopped-endless.graph.ts", ENDLESS, async (uri) => {
      const result = await run(uri, "g");
      assert.ok(!result.ok && result.partial, "something was recorded");
      assert.ok(
        result.partial.header.recorded > 100,
        `recorded ${result.partial.header.recorded}: ${result.failure.kind}, ${result.failure.message}`,
      );
      await face("partial");
    });
  } finally {
    await settings.update("timeout", undefined, vscode.ConfigurationTarget.Global);
  }
});

test("a good sweep stays when the next run of its graph stops", async () => {
  await withFile("stays.graph.ts", graphText("  const a = x * y;\n  return a;"), async (uri) => {
    assert.ok((await run(uri, "g")).ok);
    await face("sweep");
    await insert(uri, "return a", 'if (a > 0) throw new Error("no luck");\n  ');
    const result = await run(uri, "g");
    assert.ok(!result.ok && result.partial);
    await face("failed-over-sweep");
  });
});
