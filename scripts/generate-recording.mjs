/**
 * Writes from the table of primitives what must be fast: engine/recording/generated.ts (operations over integer handles, the
 * reverse sweep and the replay, one switch each), engine/recording/wasm/sweeps.ts (both again for WebAssembly; then
 * scripts/kernels.mjs compiles it), engine/recording/second-order.ts (forward over reverse),
 * engine/ops/record.ts and lean-calls.ts (operations on traced numbers) and engine/graph/scalar-calls.ts (the explicit calls). A row's
 * expression stands in place of a call where it is simple. Run by the build; `--check` only says whether the files are up
 * to date.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import prettier from "prettier";
import { callsText } from "./recording/calls.mjs";
import { recordingText } from "./recording/classes.mjs";
import { leanCallsText } from "./recording/lean-calls.mjs";
import { nativeText } from "./recording/native.mjs";
import { root, table } from "./recording/rows.mjs";
import { secondOrderText } from "./recording/second-order.mjs";

/**
 * Writes the files anew where they differ.
 *
 * @param check only look
 * @returns the paths that were not what the table gives
 */
export async function generateRecording({ check = false } = {}) {
  const options = await prettier.resolveConfig(`${root}engine/recording/generated.ts`);
  const primitives = await table();
  const files = {
    "engine/recording/generated.ts": recordingText(primitives),
    "engine/recording/second-order.ts": secondOrderText(primitives),
    "engine/recording/wasm/sweeps.ts": nativeText(primitives),
    ...callsText(primitives),
    ...leanCallsText(primitives),
  };
  const stale = [];
  for (const [path, source] of Object.entries(files)) {
    const wanted = await prettier.format(source, { ...options, parser: "typescript" });
    if (existsSync(`${root}${path}`) && readFileSync(`${root}${path}`, "utf8") === wanted) continue;
    stale.push(path);
    if (!check) writeFileSync(`${root}${path}`, wanted);
  }
  return stale;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes("--check");
  const stale = await generateRecording({ check });
  if (check && stale.length > 0) {
    console.error(
      `not what the table of primitives gives: ${stale.join(", ")}; run node scripts/generate-recording.mjs`,
    );
    process.exitCode = 1;
  }
}
