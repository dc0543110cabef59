/**
 * Where the bundles stand that tests run: one folder for all files of a run, filled by the first that needs it
 * (runner/built.ts), and again after a change while vitest watches.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

/** The environment variable that names the folder to all workers. */
const BUNDLES = "BACKSWEEP_TEST_BUNDLES";

/** Inside the repository, whose package.json says that .js is an ES module. */
const cache = fileURLToPath(new URL("../../.cache", import.meta.url));

/** Called for each project of vitest.config.ts; the first makes the folder for all. */
export default function setup(project: TestProject): (() => void) | undefined {
  if (process.env[BUNDLES] !== undefined) return undefined;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "test-dist-"));
  process.env[BUNDLES] = folder;
  project.onTestsRerun(() => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  });
  return () => rmSync(folder, { recursive: true, force: true });
}
