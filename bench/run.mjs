// Bundles the benchmark into out/bench and runs it: node bench/run.mjs [--smoke] [--write], see bench/options.ts
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[/\\]$/, "");
// one folder a run, so that a second run does not pull away what the first one loads from
const out = `${root}/out/bench/run-${process.pid}`;
const built = await build({
  absWorkingDir: root,
  entryPoints: {
    main: "bench/main.ts",
    child: "bench/process/child.ts",
    measure: "bench/process/measure.ts",
    runtime: "engine/compile/runtime/index.ts",
  },
  bundle: true,
  // engines are loaded one at a time; the loader's runtime is one module for the engine and for rewritten code
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  platform: "node",
  format: "esm",
  target: "node20",
  outdir: out,
  outExtension: { ".js": ".mjs" },
  define: { "process.env.NODE_ENV": '"production"', "process.env.BABEL_8_BREAKING": "false" },
  alias: { backsweep: `${root}/engine/index.ts` },
  // used by the benchmark to make one file of a peer, and to format its document
  external: ["esbuild", "prettier"],
  logLevel: "error",
}).catch(() => null);
// esbuild has printed its own errors by now
if (built === null) process.exit(1);
const result = spawnSync(process.execPath, [`${out}/main.mjs`, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, BACKSWEEP_BENCH_ROOT: root, BACKSWEEP_BENCH_BUILD: out },
});
rmSync(out, { recursive: true, force: true });
process.exitCode = result.status ?? 1;
