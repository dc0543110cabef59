/** Bundles of the command line and the runner for the tests of one file, made from the source as it stands. */
import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { Runner, type RunnerOptions } from "../../../runner/client.js";
import { nodeBundles } from "../../../scripts/build.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface Built {
  /** folder with cli.js, runner.js, worker.js */
  readonly dist: string;
  dispose(): void;
}

/** `cli` false: the runner alone. */
export async function buildForTest({ cli = true } = {}): Promise<Built> {
  mkdirSync(join(root, ".cache"), { recursive: true });
  // inside the repository, whose package.json says that .js is an ES module
  const dist = mkdtempSync(join(root, ".cache", "test-dist-"));
  const bundles = (nodeBundles(dist) as esbuild.BuildOptions[]).filter(
    ({ entryPoints }) => cli || !JSON.stringify(entryPoints).includes('"out":"cli"'),
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
