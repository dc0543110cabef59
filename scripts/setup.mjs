/**
 * What every script needs before it can begin: the right Node, and the dependencies. Uses only what Node itself has,
 * because on a fresh clone nothing else is there yet.
 */
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** An error that is the user's to mend: printed as one sentence, without a stack. */
export class Plain extends Error {}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Ends the process with a plain sentence for a `Plain`, with the stack for anything else. */
export function fail(error) {
  say(error instanceof Plain ? error.message : (error?.stack ?? String(error)));
  process.exit(1);
}

export function checkNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20) {
    throw new Plain(
      `Backsweep needs Node 20 or newer; this is Node ${process.versions.node}. Install a newer Node and try again.`,
    );
  }
}

/**
 * Runs a command and resolves to its exit code and, with `capture`, its output. While a captured or quiet command
 * runs, the seconds are shown on a terminal so that a long step is seen to be alive.
 */
export function run(
  command,
  args,
  { cwd = root, env = process.env, title = null, capture = false, input = "ignore" } = {},
) {
  return new Promise((resolve, reject) => {
    const quiet = title !== null;
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: [input, quiet || capture ? "pipe" : "inherit", quiet || capture ? "pipe" : "inherit"],
    });
    const began = Date.now();
    let output = "";
    child.stdout?.on("data", (data) => (output += data));
    child.stderr?.on("data", (data) => (output += data));
    const clock = quiet ? progress(title, began) : null;
    child.once("error", (error) => {
      clock?.stop("failed");
      reject(
        error.code === "ENOENT" ? new Plain(`${command} was not found; install it and try again.`) : error,
      );
    });
    child.once("close", (code, signal) => {
      clock?.stop(code === 0 ? "done" : "failed");
      resolve({ code: code ?? (signal ? 1 : 0), output });
    });
  });
}

function progress(title, began) {
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`;
  const terminal = process.stderr.isTTY;
  process.stderr.write(terminal ? `${title} ...` : `${title} ...\n`);
  const timer = setInterval(
    () => process.stderr.write(terminal ? `\r${title} ... ${seconds()}` : `${title} ... ${seconds()}\n`),
    terminal ? 1000 : 15_000,
  );
  timer.unref();
  return {
    stop(word) {
      clearInterval(timer);
      process.stderr.write(
        terminal ? `\r${title} ... ${word} (${seconds()})\n` : `${title}: ${word} (${seconds()})\n`,
      );
    },
  };
}

/** npm as this Node's installation has it; on Windows it is a command file. */
export function npm(args, options) {
  return process.platform === "win32"
    ? run(process.env.ComSpec ?? "cmd.exe", ["/d", "/s", "/c", "npm", ...args], options)
    : run("npm", args, options);
}

/** Installs the dependencies when they are missing or older than the lock file. */
export async function ensureDependencies() {
  const marker = join(root, "node_modules", ".package-lock.json");
  const lock = join(root, "package-lock.json");
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return;
  const { code, output } = await npm(["ci", "--no-audit", "--no-fund"], { title: "Installing dependencies" });
  if (code === 0) return;
  say(output.trimEnd());
  throw new Plain(
    "The dependencies could not be installed (see above); with an internet connection, run `npm ci` and try again.",
  );
}

/** Builds the bundles into dist/. */
export async function build() {
  const { code, output } = await run(process.execPath, [join(root, "scripts", "build.mjs")], {
    title: "Building",
  });
  if (code === 0) return;
  say(output.trimEnd());
  throw new Plain("The build failed (see above).");
}
