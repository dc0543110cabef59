/**
 * Runs the in-host suite (test/vscode) in the extension host of the VS Code server, and says how it went. The page in
 * Chromium is only what VS Code needs to start an extension host; `--grep TEXT` runs the tests whose name has TEXT.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, Plain, root, say } from "./setup.mjs";
import { launch, openPage } from "./vscode-browser.mjs";
import { copyWorkspace, startServer } from "./vscode-server.mjs";

const SUITE_MS = 600_000;

/** Compiles test/vscode to one CommonJS file that VS Code can load as a test module. */
export async function compileSuite() {
  const { build } = await import("esbuild");
  const outfile = join(root, "out", "test", "vscode", "index.cjs");
  mkdirSync(join(root, "out", "test", "vscode"), { recursive: true });
  await build({
    entryPoints: [join(root, "test", "vscode", "index.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    sourcemap: "inline",
    logLevel: "warning",
  });
  return outfile;
}

/** What the suite says in the lines it prints: how many passed and failed, and the names of those. */
function summaryOf(lines) {
  const found = lines
    .map((line) => /^in-host: (\d+) passed, (\d+) failed$/.exec(line))
    .find((match) => match !== null);
  const names = lines
    .filter((line) => line.startsWith("  NOT OK "))
    .map((line) => line.slice("  NOT OK ".length));
  return found ? { passed: Number(found[1]), failed: Number(found[2]), names } : null;
}

/** @returns {Promise<{ passed: number, failed: number, names: string[] }>} with the names of what failed */
export async function runHostSuite({ grep = null } = {}) {
  const suite = await compileSuite();
  const folder = copyWorkspace(join(root, "examples"));
  if (grep !== null) process.env.BACKSWEEP_TEST_GREP = grep;
  const server = await startServer({ settings: { "workbench.startupEditor": "none" } });
  const browser = await launch();
  const { page, log, keep } = await openPage(browser);
  const lines = [];
  try {
    const code = await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Plain(`The in-host suite did not end within ${SUITE_MS / 1000} s.`)),
        SUITE_MS,
      );
      const end = (value) => {
        clearTimeout(timer);
        resolve(value);
      };
      void server.ended.then(() =>
        reject(new Plain(`The VS Code server ended during the suite:\n${server.log()}`)),
      );
      page.once("crash", () => reject(new Plain("The page of the workbench crashed.")));
      page.once("close", () => reject(new Plain("The page of the workbench was closed.")));
      const open = async () => {
        await page.exposeFunction("codeAutomationLog", (type, args) => {
          const text = args.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join(" ");
          for (const line of text.split("\n")) {
            if (!/^(?: {2}(ok|NOT OK|at|\|)|in-host:)/.test(line)) continue;
            lines.push(line);
            say(line);
          }
          log.push(`automation ${type}: ${text}`);
        });
        await page.exposeFunction("codeAutomationExit", end);
        const remote = (path) => `vscode-remote://${server.authority}${path}`;
        const payload = [
          ["extensionDevelopmentPath", remote(process.env.BACKSWEEP_EXTENSION ?? root)],
          ["extensionTestsPath", remote(suite)],
        ];
        await page.goto(server.address({ folder, payload }));
      };
      open().catch(reject);
    });
    const summary = summaryOf(lines);
    if (summary === null)
      throw new Plain(
        `The in-host suite ended with code ${code} and no summary; see test-results/in-host.log.`,
      );
    if (code !== 0 && summary.failed === 0) summary.failed = 1;
    if (summary.failed > 0) await keep("in-host");
    return summary;
  } catch (error) {
    await keep("in-host");
    throw error;
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const at = process.argv.indexOf("--grep");
  runHostSuite({ grep: at < 0 ? null : process.argv[at + 1] }).then(({ passed, failed }) => {
    say(`${passed} passed, ${failed} failed`);
    process.exit(failed > 0 ? 1 : 0);
  }, fail);
}
