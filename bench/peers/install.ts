/** Brings the peers onto the machine, at first use. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { places } from "../places.js";
import { packages, type Peer } from "./packages.js";

function isInstalled(folder: string, peer: Peer): boolean {
  return Object.entries(packages[peer]).every(([name, version]) => {
    const manifest = join(folder, "node_modules", name, "package.json");
    if (!existsSync(manifest)) return false;
    return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version === version;
  });
}

/**
 * What tfjs's packages are used for, as one file: gradients are registered by a module that only a bundler can load, as it is
 * an ES module in a package of CommonJS.
 */
const tfjsEntry = `export * from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-core/dist/register_all_gradients";
import "@tensorflow/tfjs-backend-cpu";
export { setThreadsCount, setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
`;

async function bundleTfjs(folder: string): Promise<void> {
  if (existsSync(join(folder, "tfjs.cjs"))) return;
  writeFileSync(join(folder, "entry.mjs"), tfjsEntry);
  await build({
    entryPoints: [join(folder, "entry.mjs")],
    bundle: true,
    platform: "node",
    format: "cjs",
    mainFields: ["module", "main"],
    outfile: join(folder, "tfjs.cjs"),
    logLevel: "silent",
  });
}

/** Runs npm; null when it went well, else what it said. */
function npmInstall(folder: string, peer: Peer): string | null {
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, dependencies: packages[peer] };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  const windows = process.platform === "win32";
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
  const result = spawnSync(windows ? "npm.cmd" : "npm", args, {
    cwd: folder,
    encoding: "utf8",
    shell: windows,
    timeout: 300_000,
  });
  if (isInstalled(folder, peer)) return null;
  const line = /npm error (?!code).*/.exec(result.stderr ?? "")?.[0] ?? "npm install failed";
  return `not installed: ${line}`;
}

/** Null when the peer is there afterwards, else in words why it is not. */
export async function installPeer(peer: Peer, offline: boolean): Promise<string | null> {
  const folder = join(places().peers, peer);
  if (!isInstalled(folder, peer)) {
    const failure = offline ? "not installed" : npmInstall(folder, peer);
    if (failure !== null) return failure;
  }
  try {
    if (peer === "tfjs") await bundleTfjs(folder);
  } catch (error) {
    return `not installed: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`;
  }
  return null;
}
