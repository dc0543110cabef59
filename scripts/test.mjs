/**
 * `npm test`: installs and builds what is needed, then runs every part: unit tests, the webview's harness, the suite
 * inside a real VS Code, and the real workbench end to end. `--unit`, `--webview`, `--vscode`, `--e2e` run those parts
 * only; `--no-build` uses dist/ as it is. The last line is `N passed, N failed`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { build, checkNode, ensureDependencies, fail, root, run, say } from "./setup.mjs";

const out = join(root, "out");
const webview = join(root, "test", "e2e", "webview", "run.mjs");

async function unit() {
  const report = join(out, "vitest.json");
  rmSync(report, { force: true });
  const args = [
    join(root, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  const { code } = await run(process.execPath, args);
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const {
    numPassedTests: passed,
    numFailedTests,
    numFailedTestSuites,
    testResults,
  } = JSON.parse(readFileSync(report, "utf8"));
  // a file that cannot be loaded fails without failing a test
  const failed = numFailedTests > 0 ? numFailedTests : numFailedTestSuites;
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, names: failures(testResults) };
}

/** What failed, a line each: repeated at the end, where it is seen without scrolling back through ten thousand tests. */
function failures(files) {
  return files
    .filter((file) => file.status === "failed")
    .flatMap((file) => {
      const path = relative(root, file.name);
      const failed = file.assertionResults.filter((test) => test.status === "failed");
      if (failed.length === 0) return [`${path}: ${firstLine(file.message)}`];
      return failed.map((test) => `${path}: ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
    });
}

function firstLine(text) {
  return (text ?? "").split("\n", 1)[0];
}

/** A part that is a program of its own: its last `N passed, N failed` counts, and its exit code. */
async function program(file) {
  const { code, output } = await run(process.execPath, [file], { capture: true });
  process.stderr.write(output);
  const counts = [...output.matchAll(/(\d+) passed, (\d+) failed/g)].at(-1);
  const sum = counts ? { passed: Number(counts[1]), failed: Number(counts[2]) } : { passed: 0, failed: 0 };
  if (code !== 0 && sum.failed === 0) sum.failed = 1;
  const names = [...output.matchAll(/^FAIL (.*)$/gm)].map(([, name]) => name);
  return { ...sum, names };
}

const parts = {
  unit: { title: "unit tests", run: unit },
  webview: { title: "webview", run: async () => (existsSync(webview) ? program(webview) : null) },
  vscode: { title: "in VS Code", run: async () => (await import("./vscode-host.mjs")).runHostSuite() },
  e2e: {
    title: "workbench",
    run: async () => (await import("../test/e2e/workbench/run.mjs")).runWorkbench(),
  },
};

async function main() {
  checkNode();
  const flags = process.argv.slice(2);
  const unknown = flags.find(
    (flag) => flag !== "--no-build" && !Object.hasOwn(parts, flag.replace(/^--/, "")),
  );
  if (unknown)
    say(
      `${unknown} is not known; there are ${Object.keys(parts)
        .map((part) => `--${part}`)
        .join(", ")}, --no-build.`,
    );
  if (unknown) process.exit(2);
  const chosen = Object.keys(parts).filter((part) => flags.includes(`--${part}`));
  await ensureDependencies();
  mkdirSync(out, { recursive: true });
  if (!flags.includes("--no-build")) await build();
  const summary = [];
  for (const part of chosen.length > 0 ? chosen : Object.keys(parts)) {
    say(`\n== ${parts[part].title}`);
    const began = Date.now();
    let result;
    try {
      result = await parts[part].run();
    } catch (error) {
      say(error.stack ?? String(error));
      result = { passed: 0, failed: 1 };
    }
    if (result)
      summary.push({ title: parts[part].title, ...result, seconds: Math.round((Date.now() - began) / 1000) });
  }
  say("\n== summary");
  for (const { title, passed, failed, seconds } of summary)
    say(`${title.padEnd(12)} ${passed} passed, ${failed} failed (${seconds} s)`);
  for (const { title, names } of summary) for (const name of names ?? []) say(`FAILED in ${title}: ${name}`);
  for (const { title, unsteady } of summary)
    for (const name of unsteady ?? []) say(`UNSTEADY in ${title}, passed the second time: ${name}`);
  const total = (key) => summary.reduce((sum, part) => sum + part[key], 0);
  process.exitCode = total("failed") > 0 || total("passed") === 0 ? 1 : 0;
  process.stdout.write(`${total("passed")} passed, ${total("failed")} failed\n`);
}

main().catch(fail);
