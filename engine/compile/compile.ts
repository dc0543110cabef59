/**
 * TypeScript module text -> the text of a traced ES module: types blanked in place, operations handed to the runtime,
 * every line where it was. One line of prologue stands at the front of line 1; it carries the module's tables, so that
 * the text alone is all a loader has to pass on.
 */
import type { File } from "@babel/types";
import { analyseBindings } from "./bindings.js";
import type { CompiledModule, StaticSites } from "./compiled.js";
import { Edits } from "./edits.js";
import { Emitter } from "./emit/emitter.js";
import { handlers } from "./emit/handlers.js";
import { observedHandlers } from "./emit/observed.js";
import { Lines } from "./lines.js";
import { parseModule, type Language } from "./parse.js";

export interface CompileOptions {
  /** absolute path, as messages show it */
  readonly file: string;
  readonly language: Language;
  /** specifier of the runtime module, `backsweep/runtime` by default */
  readonly runtime?: string;
  /**
   * The module is loaded to be watched, not recorded: its operations stay as written, and its writes and random draws are
   * told to whoever listens (`tape/writes.ts`).
   */
  readonly observe?: boolean;
}

/**
 * Compiles one module.
 *
 * @throws CompileError for syntax errors, refused constructs and refused imports
 */
export function compileModule(text: string, options: CompileOptions): CompiledModule {
  const { file, language } = options;
  const tree: File = parseModule(text, file, language);
  const { program } = tree;
  const edits = new Edits(text);
  const lines = new Lines(text);
  let prefix = "$b";
  while (text.includes(prefix)) prefix = `$${prefix}`;
  const observe = options.observe === true;
  const bindings = analyseBindings(program, observe);
  const e = new Emitter(text, file, edits, lines, bindings, prefix, observe ? observedHandlers : handlers);
  e.frame = e.newFrame("", program);
  e.scopeVar = e.frame.variable;
  if (program.interpreter) edits.replace(program.interpreter.start!, program.interpreter.start! + 2, "//");
  for (const statement of program.body) e.visit(statement);

  const sites = staticSites(e);
  const names = e.frames.map((frame) => [...frame.slots.keys()].map((key) => key.replace(/^\./, "")));
  const table = {
    file,
    text,
    ...sites,
    frames: e.frames.map((frame) => ({ name: frame.name, site: frame.site, names: names[frame.index] })),
    loops: e.loops,
  };
  const temps = e.frame.temps.map((temp) => `, ${temp}`).join("");
  const p = prefix;
  const runtime = JSON.stringify(options.runtime ?? "backsweep/runtime");
  const functions = e.frames.slice(1).filter((frame) => frame.used);
  const idle = functions.map(({ index }) => `${p}s${index}`);
  const kept = functions.map(({ index }) => ` ${p}s${index} = ${p}m.idle[${index}];`).join("");
  const prologue =
    `import * as ${p} from ${runtime}; import { r as ${p}r, w as ${p}w } from ${runtime}; var ${[`${p}m`, ...idle].join(", ")}; ` +
    `function ${p}g() { ${p}m ??= ${p}.module(${JSON.stringify(table)});${kept} return ${p}m; } ` +
    `var ${e.frame.variable} = ${p}.root(${p}m || ${p}g())${temps}; `;
  const { code, columns } = edits.write(prologue);
  return {
    file,
    code,
    sites,
    names,
    columnMap: (line, column) => columns.toSource(line, column),
    imports: e.imports,
    mayHoldGraphs: e.imports.some(
      ({ specifier, names: imported }) => specifier === "backsweep" && holdsGraph(imported),
    ),
  };
}

function holdsGraph(names: readonly string[]): boolean {
  return names.some((name) => name === "graph" || name === "*" || name === "default");
}

function staticSites(e: Emitter): StaticSites {
  const places = e.sites.map(({ start, end }) => e.lines.place(start, end));
  return {
    line: places.map(({ line }) => line),
    col: places.map(({ column }) => column),
    endLine: places.map(({ endLine }) => endLine),
    endCol: places.map(({ endColumn }) => endColumn),
    start: e.sites.map(({ start }) => start),
    end: e.sites.map(({ end }) => end),
    // frame 0 is the module
    func: e.sites.map(({ frame }) => frame - 1),
    funcs: e.frames.slice(1).map(({ name }) => name),
  };
}
