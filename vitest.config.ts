import { defineConfig } from "vitest/config";
import { fileURLToPath } from "node:url";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Rooms whose tests leave nothing behind: loaded once a worker, which saves half of the time that imports take. Tests that load
 * graph files are none of them: a realm in which `Math` is ours stays for the tests that come after.
 */
const together = [
  "analysis",
  "check",
  "checkpoint",
  "debug",
  "expr",
  "graph",
  "kernels",
  "layout",
  "lint",
  "ops",
  "recording",
  "replay",
  "sweep",
  "timeline",
  "trace",
];

/** Of these rooms, what looks at memory that all share, writes modules that are removed behind a file, puts another module in the place of one of Node, or calls every function there is. */
const alone = [
  "test/unit/check/check.test.ts",
  "test/unit/graph/leased.test.ts",
  "test/unit/graph/mapped.test.ts",
  "test/unit/graph/warnings.test.ts",
  "test/unit/lint/locked.test.ts",
  "test/unit/ops/lean-calls.test.ts",
  "test/unit/sweep/mixed.test.ts",
];

const setup = {
  setupFiles: [here("./test/unit/setup.ts")],
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

export default defineConfig({
  resolve: {
    alias: [
      { find: /^backsweep$/, replacement: here("./engine/index.ts") },
      { find: /^backsweep\/register$/, replacement: here("./runner/register.ts") },
    ],
  },
  test: {
    globalSetup: [here("./test/unit/bundles.ts")],
    // the files of one core less than there are would leave a two-core machine with one
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          ...setup,
          name: "together",
          include: [`test/unit/{${together.join(",")}}/**/*.test.ts`],
          exclude: alone,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...setup,
          name: "apart",
          include: ["test/unit/*.test.ts", `test/unit/!(${together.join("|")})/**/*.test.ts`, ...alone],
        },
      },
    ],
  },
});
