/** Hover: who handed what to a node, over which paths it counts, on names and on operations. */
import assert from "node:assert/strict";
import { hover, SEED, shown } from "./features.js";
import { test } from "./harness.js";
import { graphText, insert, withFile } from "./workspace.js";

test("hover on a name shows its contributions and its paths", async () => {
  await withFile("hover.graph.ts", SEED, async (uri) => {
    assert.equal(await hover(uri, "const a", 6), "", "nothing before the first run");
    await shown(uri);
    const text = await hover(uri, "const a", 6);
    assert.match(text, /a = x \* y/);
    assert.match(text, /value `6`, cotangent `42`/);
    assert.match(text, /\| b \| 18 × 1 \| 18 \| 43 % \| 18 \|/);
    assert.match(text, /\| c \| 8 × 3 \| 24 \| 57 % \| 42 \|/);
    assert.match(text, /cancellation ratio .* = 1/);
    assert.match(text, /2 paths to the output/);
    assert.match(text, /a → c → L/);
  });
});

test("hover on a use, an input and an operation", async () => {
  await withFile("hover-more.graph.ts", SEED, async (uri) => {
    await shown(uri);
    assert.match(await hover(uri, "a + x"), /a = x \* y/);
    assert.match(await hover(uri, "x * y"), /x \(input\)/);
    assert.match(await hover(uri, "x * y", 2), /a = x \* y/, "the operation is what is called a");
    assert.match(await hover(uri, "b * c", 2), /L = b \* c/);
    assert.equal(await hover(uri, "import"), "");
  });
});

test("hover in a text that was edited says so, at the places that moved", async () => {
  await withFile("hover-stale.graph.ts", SEED, async (uri) => {
    await shown(uri);
    await insert(uri, "  const a", "  // new\n");
    const text = await hover(uri, "const c", 6);
    assert.match(text, /c = a \* y/);
    assert.match(text, /older than the text/);
  });
});

test("hover in a helper and in a loop says which of how many", async () => {
  const text = `${graphText("  let s = x;\n  for (let i = 0; i < 3; i++) s = twice(s) * y;\n  return s;")}
function twice(v: number): number {
  const doubled = v + v;
  return doubled;
}
`;
  await withFile("hover-helper.graph.ts", text, async (uri) => {
    await shown(uri);
    assert.match(await hover(uri, "const doubled", 7), /3 of 3 computed here/);
    assert.match(await hover(uri, "twice(s) * y", 9), /3 of 3 computed here/);
  });
});
