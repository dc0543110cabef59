/**
 * `npm start`: installs and builds what is needed, then opens examples/fan-out.graph.ts in VS Code with the extension.
 * With a display and `code` on the PATH that is your own VS Code; otherwise (or with `--server`) a VS Code server on
 * this machine, whose address is printed. `--headless` prints the sweep in the terminal instead; `--no-build` uses dist/
 * as it is.
 */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { build, checkNode, ensureDependencies, fail, Plain, root, run, say } from "./setup.mjs";

const example = join(root, "examples", "fan-out.graph.ts");
const flags = new Set(process.argv.slice(2));

const usage = `Usage: npm start [-- OPTION ...]

Installs and builds what is needed, then opens examples/fan-out.graph.ts in VS Code with the extension: in your own
where there is a display and \`code\` on the PATH, otherwise in a browser, from a server on this machine.

  --server      in a browser, whatever there is
  --headless    no VS Code: the sweep is printed in the terminal
  --no-build    use dist/ as it is
  -h, --help    this text`;
const known = ["--server", "--headless", "--no-build", "-h", "--help"];

/** The first argument that is no option; of one that is misspelt the option that begins alike. */
function unknownOption() {
  const wrong = [...flags].find((flag) => !known.includes(flag));
  if (wrong === undefined) return null;
  const near = known.find((option) => wrong.length > 4 && option.startsWith(wrong.slice(0, 5)));
  return `npm start: unknown option ${wrong}${near === undefined ? "" : `: did you mean ${near}?`}\n\n${usage}`;
}

function findCode() {
  const name = process.platform === "win32" ? "code.cmd" : "code";
  const displayed = process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!displayed) return null;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // the next folder
    }
  }
  return null;
}

async function headless() {
  const { code } = await run(process.execPath, [join(root, "dist", "cli.js"), "run", example]);
  process.exitCode = code;
}

async function desktop(code) {
  say("Opening examples/fan-out.graph.ts in VS Code. Choose `Run sweep` above the graph.");
  const args = [`--extensionDevelopmentPath=${root}`, "--new-window", join(root, "examples"), example];
  const child = spawn(code, args, { stdio: "inherit", shell: process.platform === "win32" });
  const status = await new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
  if (status !== 0)
    throw new Plain(
      "VS Code did not start (see above); `npm start -- --server` opens it in a browser instead.",
    );
}

async function server() {
  const { packageExtension } = await import("./package.mjs");
  const { startServer } = await import("./vscode-server.mjs");
  const vsix = await packageExtension({ quiet: true });
  say("Starting VS Code (server and workbench 1.100) on this machine ...");
  const settings = {
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    // the address names a file to open, and would otherwise keep a reload from restoring what was open
    "window.restoreWindows": "preserve",
    "git.openRepositoryInParentFolders": "never",
  };
  const vscode = await startServer({ trust: true, token: true, vsix, settings });
  const payload = [["openFile", `vscode-remote://${vscode.authority}${example}`]];
  say("\nOpen this address in a browser; it works only on this machine and only with its token:\n");
  process.stdout.write(`  ${vscode.address({ folder: join(root, "examples"), payload })}\n`);
  say("\nTrust the folder when asked, then choose `Run sweep` above the graph. Ctrl-C ends it.");
  const asked = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => resolve(true));
  });
  const stopped = await Promise.race([asked, vscode.ended.then(() => false)]);
  await vscode.stop();
  if (!stopped) throw new Plain(`The VS Code server ended by itself:\n${vscode.log().trimEnd()}`);
  say("\nEnded.");
}

async function main() {
  if (flags.has("--help") || flags.has("-h")) return say(usage);
  const wrong = unknownOption();
  if (wrong !== null) throw new Plain(wrong);
  checkNode();
  if (!flags.has("--no-build")) {
    await ensureDependencies();
    await build();
  }
  if (flags.has("--headless")) return headless();
  const code = flags.has("--server") ? null : findCode();
  return code ? desktop(code) : server();
}

main().catch(fail);
