/**
 * Starts and stops a VS Code server with a fresh data folder on a free port of 127.0.0.1. For tests it takes no token
 * and (unless told) no Workspace Trust; what a user starts has both. `node scripts/vscode-server.mjs [newest]` only
 * installs.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, Plain, run } from "./setup.mjs";
import { ensureVscode } from "./vscode-install.mjs";

const here = new URL(".", import.meta.url);
const READY_MS = 120_000;

/**
 * @param {{ trust?: boolean, token?: boolean, settings?: object, vsix?: string | null, version?: "oldest" | "newest" }} options
 *   `trust`: Workspace Trust on; `token`: a fresh connection token; `vsix`: an extension to install first
 * @returns {Promise<{ port: number, origin: string, authority: string, data: string, token: string | null,
 *   address(query: object): string, log(): string, ended: Promise<void>, stop(): Promise<void> }>}
 */
export async function startServer({
  trust = false,
  token = false,
  settings = {},
  vsix = null,
  version = "oldest",
} = {}) {
  const { folder: vscode, node } = await ensureVscode(version);
  const data = mkdtempSync(join(tmpdir(), "backsweep-vscode-"));
  mkdirSync(join(data, "data", "User"), { recursive: true });
  writeFileSync(join(data, "data", "User", "settings.json"), JSON.stringify(settings, null, 2));
  const program = join(vscode, "out", "server-main.js");
  const secret = token ? randomBytes(16).toString("hex") : null;
  const args = [
    "--host",
    "127.0.0.1",
    "--port",
    "0",
    "--accept-server-license-terms",
    "--telemetry-level",
    "off",
  ];
  args.push("--server-data-dir", data);
  if (vsix) args.push("--extensions-dir", await installed(node, program, vsix));
  if (secret === null) args.push("--without-connection-token");
  else {
    // a file, not an argument: arguments can be read by other users of the machine
    const file = join(data, "token");
    writeFileSync(file, secret, { mode: 0o600 });
    args.push("--connection-token-file", file);
  }
  if (!trust) args.push("--disable-workspace-trust");
  const child = spawn(node, [new URL("vscode-supervise.mjs", here).pathname, program, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
    env: cleanEnvironment(),
  });
  let output = "";
  const ended = new Promise((resolve) => child.once("exit", () => resolve()));
  const onExit = () => child.stdin.destroy();
  process.once("exit", onExit);
  const stop = async () => {
    process.removeListener("exit", onExit);
    if (child.exitCode === null && child.signalCode === null) {
      child.stdin.end();
      await ended;
    }
    rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const port = await new Promise((resolve, reject) => {
      const look = (text) => {
        output = (output + text).slice(-200_000);
        const found = /Extension host agent listening on (\d+)/.exec(output);
        if (found) resolve(Number(found[1]));
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      child.once("error", reject);
      void ended.then(() =>
        reject(new Plain(`The VS Code server ended before it was ready:\n${output.trimEnd()}`)),
      );
      setTimeout(
        () => reject(new Plain(`The VS Code server was not ready after ${READY_MS / 1000} s:\n${output}`)),
        READY_MS,
      ).unref();
    });
    const authority = `127.0.0.1:${port}`;
    const origin = `http://${authority}`;
    const address = (query) => {
      const url = new URL(`${origin}/`);
      if (secret !== null) url.searchParams.set("tkn", secret);
      for (const [name, value] of Object.entries(query))
        url.searchParams.set(name, typeof value === "string" ? value : JSON.stringify(value));
      return url.href;
    };
    return { port, origin, authority, data, token: secret, address, log: () => output, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** folders with an extension installed, by server and package: one installation serves every server of this process */
const folders = new Map();

/** A folder of extensions with the package installed. */
async function installed(node, program, vsix) {
  const key = `${program} ${vsix} ${statSync(vsix).mtimeMs}`;
  if (!folders.has(key)) folders.set(key, install(node, program, vsix));
  return folders.get(key);
}

async function install(node, program, vsix) {
  const folder = mkdtempSync(join(tmpdir(), "backsweep-extensions-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const args = [
    program,
    "--server-data-dir",
    join(folder, "data"),
    "--extensions-dir",
    folder,
    "--accept-server-license-terms",
    "--install-extension",
    vsix,
    "--force",
  ];
  const { code, output } = await run(node, args, { capture: true, env: cleanEnvironment() });
  if (code !== 0)
    throw new Plain(`The extension could not be installed into the VS Code server:\n${output.trimEnd()}`);
  return folder;
}

/** The server must not think that it runs inside the VS Code of the terminal it was started from. */
function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_)/.test(name)),
  );
}

/** A copy of the examples in a new folder, so that no test writes into the repository. */
export function copyWorkspace(from) {
  const folder = mkdtempSync(join(tmpdir(), "backsweep-work-"));
  cpSync(from, folder, { recursive: true });
  return folder;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureVscode(process.argv[2]).then(({ folder }) => process.stdout.write(`${folder}\n`), fail);
}
