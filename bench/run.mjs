// Bundles and runs the benchmarks: node bench/run.mjs [--smoke]
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
mkdirSync(`${root}/out/bench`, { recursive: true });
await build({
  entryPoints: [`${root}/bench/scalar.ts`],
  bundle: true,
  platform: "node",
  format: "esm",
  outfile: `${root}/out/bench/scalar.mjs`,
  logLevel: "error",
});
const result = spawnSync(process.execPath, [`${root}/out/bench/scalar.mjs`, ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exitCode = result.status ?? 1;
