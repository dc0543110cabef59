import { defineConfig } from "vitest/config";
import { fileURLToPath } from "node:url";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^backsweep$/, replacement: here("./engine/index.ts") },
      { find: /^backsweep\/register$/, replacement: here("./runner/register.ts") },
    ],
  },
  test: {
    include: ["test/unit/**/*.test.ts"],
    setupFiles: [here("./test/unit/setup.ts")],
    // the files of one core less than there are would leave a two-core machine with one
    maxWorkers: "100%",
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
