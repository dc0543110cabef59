/** Module hooks of `backsweep/register`. They run on Node's loader thread; the rewritten text is all they pass on. */
import { readFile } from "node:fs/promises";
import type { LoadHook, ResolveHook } from "node:module";
import { statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileModule } from "../engine/compile/compile.js";
import type { CompiledModule } from "../engine/compile/compiled.js";
import { CompileError } from "../engine/compile/errors.js";
import { sourceMapOf } from "../engine/compile/source-map.js";
import { candidatePaths } from "./candidates.js";

const library = new URL("./index.js", import.meta.url).href;
const runtime = new URL("./runtime.js", import.meta.url).href;
const own = new URL(".", import.meta.url).href;

const scripts = /\.[mc]?[jt]s$/;

/** A user's module, which is to be rewritten. */
function isRewritten(url: string): boolean {
  return (
    url.startsWith("file:") &&
    !url.startsWith(own) &&
    !url.includes("/node_modules/") &&
    /\.m?[jt]s$/.test(url.replace(/[?#].*$/, ""))
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

export const resolve: ResolveHook = async (specifier, context, next) => {
  if (specifier === "backsweep") return { url: library, shortCircuit: true };
  if (specifier === "backsweep/runtime") return { url: runtime, shortCircuit: true };
  const { parentURL } = context;
  const relative = /^\.{0,2}\//.test(specifier) || specifier.startsWith("file:");
  if (relative && (parentURL === undefined || isRewritten(parentURL))) {
    const wanted = new URL(specifier, parentURL ?? `${pathToFileURL(process.cwd()).href}/`);
    const found =
      wanted.protocol === "file:" ? [...candidatePaths(fileURLToPath(wanted))].find(isFile) : undefined;
    if (found !== undefined && scripts.test(found)) {
      const url = pathToFileURL(found);
      url.search = wanted.search;
      return {
        url: url.href,
        format: isRewritten(url.href) ? "module" : undefined,
        shortCircuit: isRewritten(url.href),
      } as never;
    }
  }
  return next(specifier, context);
};

/** The rewritten text, with the map by which Node shows an error's place and line as the user wrote them. */
function withMap(compiled: CompiledModule, text: string, url: string): string {
  const map = Buffer.from(sourceMapOf(compiled, text, url)).toString("base64");
  return `${compiled.code}\n//# sourceMappingURL=data:application/json;base64,${map}\n`;
}

export const load: LoadHook = async (url, context, next) => {
  if (!isRewritten(url)) return next(url, context);
  const file = fileURLToPath(url);
  const text = await readFile(file, "utf8");
  try {
    const compiled = compileModule(text, {
      file,
      language: /\.m?ts$/.test(file) ? "ts" : "js",
      runtime: "backsweep/runtime",
    });
    return { format: "module", source: withMap(compiled, text, url), shortCircuit: true };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    const place = new SyntaxError(`${error.file}:${error.line}:${error.column}: ${error.message}`);
    place.stack = `${place.name}: ${place.message}`;
    throw place;
  }
};
