/**
 * A plugin of the TypeScript server that VS Code's TypeScript extension runs: where `import ... from "backsweep"` finds no
 * package, it is answered with the types this extension carries. An installed package goes first, always: what TypeScript
 * resolves by itself is left as it is. It knows nothing of graphs and touches nothing but that one answer.
 */
import { join } from "node:path";
import type ts from "typescript/lib/tsserverlibrary";

/** Declarations by module name, relative to the extension's folder. */
const modules: Readonly<Record<string, string>> = {
  backsweep: "dist/types/engine/index.d.ts",
  "backsweep/register": "dist/types/runner/register.d.ts",
};

type Host = ts.LanguageServiceHost;

/** What the server calls once; `create` is called for every project. */
export default function init({ typescript }: { readonly typescript: typeof ts }): ts.server.PluginModule {
  // bundled to <extension>/node_modules/backsweep-types/index.js
  const folder = join(__dirname, "..", "..");
  const known = new Map<string, ts.ResolvedModuleFull>();
  for (const [name, file] of Object.entries(modules)) {
    const resolvedFileName = join(folder, file).replaceAll("\\", "/");
    if (!typescript.sys.fileExists(resolvedFileName)) continue;
    known.set(name, {
      resolvedFileName,
      extension: typescript.Extension.Dts,
      // declarations of a library: not checked, not renamed into, not listed as the project's own
      isExternalLibraryImport: true,
    });
  }
  return {
    create({ languageService, languageServiceHost }) {
      answer(languageServiceHost, known);
      return languageService;
    },
  };
}

function answer(host: Host, known: ReadonlyMap<string, ts.ResolvedModuleFull>): void {
  const literals = host.resolveModuleNameLiterals?.bind(host);
  if (literals !== undefined) {
    host.resolveModuleNameLiterals = (names, ...rest) =>
      literals(names, ...rest).map((result, i) => {
        const ours = result.resolvedModule === undefined ? known.get(names[i].text) : undefined;
        return ours === undefined ? result : { ...result, resolvedModule: ours };
      });
    return;
  }
  // servers before TypeScript 5
  const old = host as Host & {
    resolveModuleNames?(names: string[], ...rest: unknown[]): (ts.ResolvedModule | undefined)[];
  };
  const resolve = old.resolveModuleNames?.bind(old);
  if (resolve !== undefined)
    old.resolveModuleNames = (names, ...rest) =>
      resolve(names, ...rest).map((module, i) => module ?? known.get(names[i]));
}
