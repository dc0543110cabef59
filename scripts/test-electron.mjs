/**
 * `npm run test:vscode`: the in-host suite in a desktop VS Code that @vscode/test-electron downloads. Needs an internet
 * connection and, on Linux, a display (xvfb-run is enough). `--version 1.100.0` chooses another VS Code than the newest.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, checkNode, ensureDependencies, fail, Plain, root, say } from "./setup.mjs";

async function main() {
  checkNode();
  await ensureDependencies();
  await build();
  const { runTests, downloadAndUnzipVSCode } = await import("@vscode/test-electron");
  const { compileSuite } = await import("./vscode-host.mjs");
  const { copyWorkspace } = await import("./vscode-server.mjs");
  const at = process.argv.indexOf("--version");
  const version = at < 0 ? "stable" : process.argv[at + 1];
  let vscodeExecutablePath;
  try {
    vscodeExecutablePath = await downloadAndUnzipVSCode(version);
  } catch (error) {
    say(error.message);
    throw new Plain(
      "VS Code could not be downloaded; without internet the same tests run with `npm test -- --vscode`.",
    );
  }
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    throw new Plain("Desktop VS Code needs a display: run `xvfb-run -a npm run test:vscode`.");
  }
  const folder = copyWorkspace(join(root, "examples"));
  const profile = mkdtempSync(join(tmpdir(), "backsweep-profile-"));
  try {
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: root,
      extensionTestsPath: await compileSuite(),
      launchArgs: [folder, "--disable-workspace-trust", "--disable-extensions", "--user-data-dir", profile],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(profile, { recursive: true, force: true });
  }
}

main().catch(fail);
