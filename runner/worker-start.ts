/**
 * Entry of a worker's file: compiles the worker proper (`worker-main.js`) with the code that V8 kept when it was built. Without
 * that file, and under another version of V8, it is compiled from its text as ever; that takes some 50 ms longer.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { workerData, type MessagePort } from "node:worker_threads";

const file = fileURLToPath(new URL("./worker-main.js", import.meta.url));
const source = readFileSync(file, "latin1");

/** V8 itself knows a text by its length alone, so the build signs text and code alike. */
function kept(): Buffer | undefined {
  const signature = /\n(\/\/ [0-9a-f]{64})\n$/.exec(source.slice(-80));
  if (signature === null) return undefined;
  try {
    const cache = readFileSync(new URL("./worker-main.cache", import.meta.url));
    const { length } = signature[1];
    return cache.toString("latin1", 0, length) === signature[1] ? cache.subarray(length) : undefined;
  } catch {
    return undefined;
  }
}

const cachedData = kept();
const script = new vm.Script(`(function (require, importMetaResolve, importDynamically) {${source}\n})`, {
  filename: file,
  ...(cachedData === undefined ? {} : { cachedData }),
});
const main = script.runInThisContext() as (
  require: NodeJS.Require,
  resolve: (specifier: string, parent: string) => string,
  load: (url: string) => Promise<unknown>,
) => void;
main(
  createRequire(import.meta.url),
  (specifier, parent) => import.meta.resolve(specifier, parent),
  (url) => import(url),
);

// the build asks for the code of what a run has used
const { keep } = workerData as { readonly keep?: MessagePort };
keep?.once("message", () => keep.postMessage(script.createCachedData()));
