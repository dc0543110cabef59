/**
 * Lets V8 keep the code of the worker: signs dist/worker-main.js, runs a graph in it once, and writes what was compiled to
 * dist/worker-main.cache. Good for the version of Node that builds; others compile the text.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";

/** A graph that takes every step of a run. */
function request(root) {
  const file = join(root, "examples", "fan-out.graph.ts");
  const options = { accumulate: "sum" };
  const limits = { timeoutMs: 60_000, memoryBytes: 2 ** 29 };
  return { file, root, options, ...limits, allowImports: false, layout: false };
}

/** `dist`: where the worker stands */
export async function buildCache(root, dist = join(root, "dist")) {
  const file = join(dist, "worker-main.js");
  const text = readFileSync(file, "utf8");
  const signature = `// ${createHash("sha256").update(text).digest("hex")}`;
  writeFileSync(file, `${text.trimEnd()}\n${signature}\n`);
  const { port1, port2 } = new MessageChannel();
  const monitor = new Int32Array(new SharedArrayBuffer(64));
  const worker = new Worker(join(dist, "worker.js"), {
    workerData: { monitor, memoryBytes: 2 ** 29, keep: port2 },
    transferList: [port2],
    env: {},
    execArgv: ["--experimental-vm-modules", "--experimental-import-meta-resolve", "--no-warnings"],
    stderr: true,
    stdout: true,
  });
  const data = await new Promise((resolve, reject) => {
    worker.on("error", reject);
    worker.on("exit", () => reject(new Error("the worker ended before its code was kept")));
    worker.on("message", (message) => {
      if (message.type !== "result") return;
      if (message.result.ok) port1.postMessage("keep");
      else reject(new Error(`the graph of the cache failed: ${message.result.failure.message}`));
    });
    port1.once("message", resolve);
    worker.postMessage({ type: "run", request: request(root) });
  });
  port1.close();
  void worker.terminate();
  writeFileSync(join(dist, "worker-main.cache"), Buffer.concat([Buffer.from(signature, "latin1"), data]));
}
