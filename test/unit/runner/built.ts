/** Bundles of the command line and the runner, made from the source as it stands: once a run, for all files that use them. */
import { existsSync, mkdtempSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { Runner, type RunnerOptions } from "../../../runner/client.js";
import { buildCache } from "../../../scripts/build-cache.mjs";
import { nodeBundles } from "../../../scripts/build.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface Built {
  /** folder with cli.js, runner.js, worker.js, and what V8 kept of the worker's code */
  readonly dist: string;
}

async function make(dist: string): Promise<void> {
  await Promise.all((nodeBundles(dist) as esbuild.BuildOptions[]).map((options) => esbuild.build(options)));
  await buildCache(root, dist);
}

/** The bundles as they are shipped. They are other files' too: nothing may be written beside them. */
export async function buildForTest(): Promise<Built> {
  const folder = process.env.BACKSWEEP_TEST_BUNDLES;
  if (folder === undefined) throw new Error("test/unit/bundles.ts has not been run");
  const dist = join(folder, "dist");
  const failed = join(folder, "failed");
  try {
    // whoever makes this folder builds, the others wait
    mkdirSync(join(folder, "begun"));
  } catch {
    while (!existsSync(dist)) {
      if (existsSync(failed))
        throw new Error("the bundles could not be built, see the file that tried first");
      await pause(20);
    }
    return { dist };
  }
  const building = join(folder, "building");
  try {
    await make(building);
    renameSync(building, dist);
  } catch (error) {
    writeFileSync(failed, "");
    throw error;
  }
  return { dist };
}

/** A folder of bundles that is the caller's own, without the code that V8 kept: the worker is compiled from its text. */
export async function buildFromText(): Promise<Built & { dispose(): void }> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const dist = mkdtempSync(join(root, ".cache", "test-dist-"));
  const bundles = (nodeBundles(dist) as esbuild.BuildOptions[]).filter(
    ({ entryPoints }) => !JSON.stringify(entryPoints).includes('"out":"cli"'),
  );
  await Promise.all(bundles.map((options) => esbuild.build(options)));
  return { dist, dispose: () => rmSync(dist, { recursive: true, force: true }) };
}

/** A runner of these bundles that says nothing. */
export function quietRunner({ dist }: Built, change: Partial<RunnerOptions> = {}): Runner {
  return new Runner({
    runnerPath: join(dist, "runner.js"),
    log: () => undefined,
    onConsole: () => undefined,
    ...change,
  });
}

/** A folder of files, by relative path. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): {
  path: string;
  dispose(): void;
} {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "backsweep-")));
  for (const [name, text] of Object.entries(files)) {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}
