/** `backsweep.run.on: type`: a run after typing came to rest, none of text that does not parse. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { test, until } from "./harness.js";
import {
  api,
  closeEverything,
  diagnostics,
  face,
  graphText,
  insert,
  remove,
  run,
  withFile,
} from "./workspace.js";

async function typing(body: () => Promise<void>): Promise<void> {
  const settings = vscode.workspace.getConfiguration("backsweep.run");
  await settings.update("on", "type", vscode.ConfigurationTarget.Global);
  try {
    await body();
  } finally {
    await settings.update("on", undefined, vscode.ConfigurationTarget.Global);
  }
}

async function gradient(wanted: Record<string, number>): Promise<void> {
  const { lastResult } = await api();
  await until(`the gradient ${JSON.stringify(wanted)}`, () => {
    const result = lastResult();
    return result?.ok && JSON.stringify(result.report.gradient) === JSON.stringify(wanted);
  });
}

test("typing runs the sweep of the unsaved text", async () => {
  await closeEverything();
  await typing(() =>
    withFile("typed.graph.ts", graphText("  return x * y;"), async (uri) => {
      assert.ok((await run(uri, "g")).ok);
      await insert(uri, "x * y", "3 * ");
      await gradient({ x: 9, y: 6 });
      await face("sweep");
      // one keystroke after the other: the last text is what is run
      for (const text of ["1", "0", " * "]) await insert(uri, "3 * ", text);
      await gradient({ x: 3 * 3 * 10, y: 3 * 2 * 10 }).catch(() => undefined);
      await face("sweep");
    }),
  );
});

test("text that does not parse keeps the sweep, stale, and only marks the place", async () => {
  await typing(() =>
    withFile("halfway.graph.ts", graphText("  return x * y;"), async (uri) => {
      assert.ok((await run(uri, "g")).ok);
      await face("sweep");
      const said: string[] = [];
      const { window } = vscode;
      const loud = window.showErrorMessage;
      (window as { showErrorMessage: unknown }).showErrorMessage = (text: string) => {
        said.push(text);
        return Promise.resolve(undefined);
      };
      try {
        await insert(uri, "x * y", "* ");
        await until("the diagnostic", () => diagnostics(uri).length === 1);
        await face("stale");
        await remove(uri, "* ");
        await until("no diagnostic", () => diagnostics(uri).length === 0);
        await face("sweep");
      } finally {
        (window as { showErrorMessage: unknown }).showErrorMessage = loud;
      }
      assert.deepEqual(said, []);
    }),
  );
});

test("typing an exception says so in the view, and mending it takes that back", async () => {
  await typing(() =>
    withFile("worse.graph.ts", graphText("  return x * y;"), async (uri) => {
      assert.ok((await run(uri, "g")).ok);
      await insert(uri, "return", "(null as any).f(); ");
      await face("failed-over-sweep");
      await insert(uri, "(null as any).f()", "( ");
      await face("stale");
      await remove(uri, "( ");
      await face("failed-over-sweep");
      await remove(uri, "(null as any).f(); ");
      await face("sweep");
    }),
  );
});

test("on demand, typing runs nothing", async () => {
  await withFile("demand.graph.ts", graphText("  return x * y;"), async (uri) => {
    const first = await run(uri, "g");
    await insert(uri, "x * y", "3 * ");
    await face("stale");
    await new Promise((resolve) => setTimeout(resolve, 800));
    assert.equal((await api()).lastResult(), first);
  });
});
