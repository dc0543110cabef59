/**
 * Loads a module and what it imports into this realm: read, compiled, checked against the workspace's walls and linked,
 * each once. A problem is reported at the import that leads to it.
 */
import { basename, extname } from "node:path";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { importModule } from "./import-module.js";
import { guarded } from "./foreign.js";
import type { CompiledModule, ModuleImport } from "../engine/compile/compiled.js";
import { compileModule } from "../engine/compile/compile.js";
import { jsonModule, namespaceModule } from "./synthetic.js";
import { LoadError, linkError } from "./load-error.js";
import { checkExtension, checkFile, readSource, SourceError } from "./source.js";
import { realPath, resolveImport, type Target, type Walls } from "./resolve.js";

/** A module of the user's as it was loaded. */
export interface LoadedModule {
  /** absolute path, as the importer named it */
  readonly path: string;
  readonly compiled: CompiledModule | null;
  readonly text: string;
  readonly module: vm.Module;
  /** by specifier */
  readonly imports: Map<string, vm.Module>;
}

export interface LoaderOptions {
  readonly walls: Walls;
  readonly texts: Readonly<Record<string, string>>;
  /** load modules to watch their writes, not to record what they compute */
  readonly observe?: boolean;
  /** the two modules that are not files */
  readonly engine: object;
  readonly runtime: object;
  /** called for every compiled module before its code runs */
  readonly onCompiled: (compiled: CompiledModule, text: string) => void;
  /** called before code of a package runs, which is while modules are still being loaded */
  readonly onForeign: () => void;
}

export class ModuleLoader {
  /** by real path */
  private readonly files = new Map<string, LoadedModule>();
  /** modules that are not the user's files, by kind and specifier */
  private readonly others = new Map<string, vm.Module>();

  constructor(private readonly options: LoaderOptions) {}

  /** Absolute paths of all modules that were read. */
  paths(): string[] {
    return Array.from(this.files.values(), ({ path }) => path);
  }

  /** The loaded module whose code an error's frame names. */
  find(path: string): LoadedModule | undefined {
    for (const loaded of this.files.values()) if (loaded.path === path) return loaded;
    return undefined;
  }

  /** Loads the module at an absolute path, linked and not yet evaluated. Throws LoadError or CompileError. */
  async load(path: string): Promise<vm.Module> {
    try {
      if (!this.options.walls.texts.has(path)) checkFile(path);
      checkExtension(path);
      const entry = this.open(path, realPath(path));
      await this.gather([entry]);
      await this.link(entry);
      return entry.module;
    } catch (error) {
      if (error instanceof SourceError)
        throw new LoadError("import", error.message, {
          file: path,
          line: 0,
          column: 0,
          endLine: 0,
          endColumn: 0,
        });
      throw error;
    }
  }

  /** Opens everything the modules import, breadth first, until nothing is new. */
  private async gather(queue: LoadedModule[]): Promise<void> {
    for (let loaded = queue.shift(); loaded !== undefined; loaded = queue.shift()) {
      for (const wanted of loaded.compiled?.imports ?? []) {
        if (loaded.imports.has(wanted.specifier)) continue;
        const known = this.files.size;
        const module = await this.provide(wanted, loaded.path);
        loaded.imports.set(wanted.specifier, module);
        if (this.files.size > known) queue.push([...this.files.values()].at(-1)!);
      }
    }
  }

  private async provide(wanted: ModuleImport, importer: string): Promise<vm.Module> {
    const target = resolveImport(wanted.specifier, importer, this.options.walls);
    const fail = (message: string): never => {
      const { line, column, endLine, endColumn } = wanted;
      throw new LoadError("import", message, { file: importer, line, column, endLine, endColumn });
    };
    switch (target.kind) {
      case "refused":
      case "missing":
        return fail(target.reason);
      case "engine":
        return this.other("backsweep", () => namespaceModule(this.options.engine, "backsweep"));
      case "runtime":
        return this.other("backsweep/runtime", () =>
          namespaceModule(this.options.runtime, "backsweep/runtime"),
        );
      case "file":
        try {
          return (this.files.get(target.real) ?? this.open(target.path, target.real)).module;
        } catch (error) {
          if (error instanceof SourceError) return fail(error.message);
          throw error;
        }
      case "foreign":
        return this.foreign(target, importer, fail);
    }
  }

  /** Code that is not rewritten: Node loads it, in this realm, and its exports are passed on. */
  private async foreign(
    target: Extract<Target, { kind: "foreign" }>,
    importer: string,
    fail: (message: string) => never,
  ): Promise<vm.Module> {
    let url: string;
    try {
      url = import.meta.resolve(target.specifier, pathToFileURL(importer).href);
    } catch (error) {
      return fail(`cannot find "${target.specifier}": ${(error as Error).message.split("\n")[0]}`);
    }
    const known = this.others.get(url);
    if (known !== undefined) return known;
    let namespace: object;
    this.options.onForeign();
    try {
      namespace = await importModule(url);
    } catch (error) {
      return fail(
        `"${target.specifier}" could not be loaded: ${String((error as Error)?.message ?? error).split("\n")[0]}`,
      );
    }
    return this.other(url, () => namespaceModule(guarded(namespace), url));
  }

  private other(key: string, make: () => vm.Module): vm.Module {
    let module = this.others.get(key);
    if (module === undefined) this.others.set(key, (module = make()));
    return module;
  }

  private open(path: string, real: string): LoadedModule {
    const text = readSource(path, this.options.texts);
    let loaded: LoadedModule;
    if (extname(path) === ".json") {
      loaded = { path, text, compiled: null, module: jsonModule(path, text), imports: new Map() };
    } else {
      const language = /\.m?ts$/.test(path) ? "ts" : "js";
      const compiled = compileModule(text, {
        file: path,
        language,
        observe: this.options.observe === true,
      });
      this.options.onCompiled(compiled, text);
      const imports = new Map<string, vm.Module>();
      const module = new vm.SourceTextModule(compiled.code, {
        identifier: path,
        initializeImportMeta: (meta) => {
          meta.url = pathToFileURL(path).href;
        },
        importModuleDynamically: (specifier) => this.importDynamically(specifier, path) as never,
      });
      loaded = { path, text, compiled, module, imports };
    }
    this.files.set(real, loaded);
    return loaded;
  }

  private async link(entry: LoadedModule): Promise<void> {
    const byModule = new Map<vm.Module, LoadedModule>();
    for (const loaded of this.files.values()) byModule.set(loaded.module, loaded);
    try {
      await entry.module.link((specifier, referrer) => {
        const found = byModule.get(referrer)?.imports.get(specifier);
        if (found !== undefined) return found;
        if (specifier === "backsweep/runtime") {
          return this.other(specifier, () => namespaceModule(this.options.runtime, specifier));
        }
        throw new LoadError("import", `cannot import "${specifier}" here`, {
          file: referrer.identifier,
          line: 1,
          column: 1,
          endLine: 1,
          endColumn: 1,
        });
      });
    } catch (error) {
      throw linkError(error, [...this.files.values()]);
    }
  }

  private async importDynamically(specifier: string, importer: string): Promise<vm.Module> {
    const loaded = this.find(importer);
    const module = loaded?.imports.get(specifier);
    const target = [...this.files.values()].find((file) => file.module === module);
    if (module === undefined) {
      throw new Error(
        `import("${specifier}") in ${basename(importer)}: only a text known before the run can be imported`,
      );
    }
    if (target !== undefined && module.status === "unlinked") await this.link(target);
    if (module.status === "linked" || module.status === "unlinked") await module.evaluate();
    return module;
  }
}
