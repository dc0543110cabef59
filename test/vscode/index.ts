/** The in-host suite: loaded by VS Code as a test module, here and by @vscode/test-electron. */
import { runAll } from "./harness.js";
import "./activation.test.js";
import "./lens.test.js";
import "./run.test.js";
import "./failures.test.js";
import "./panel.test.js";
import "./stopped.test.js";
import "./typing.test.js";
import "./graphs.test.js";
import "./hints.test.js";
import "./hover.test.js";
import "./tree.test.js";
import "./tests.test.js";
import "./types.test.js";
import "./debug.test.js";
import "./wrong.test.js";
import "./lint.test.js";
import "./audit.test.js";
import "./lag.test.js";

/** VS Code's contract for a test module: resolve when all is well, reject otherwise. */
export async function run(): Promise<void> {
  const { failed } = await runAll(process.env.BACKSWEEP_TEST_GREP ?? "");
  if (failed > 0) throw new Error(`${failed} in-host tests failed`);
}
