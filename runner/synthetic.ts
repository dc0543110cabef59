/** Modules that are not compiled from a text: a namespace that exists already, and JSON. */
import vm from "node:vm";
import { LoadError } from "./load-error.js";

/** Exports every own enumerable key of an object. */
export function namespaceModule(namespace: object, identifier: string): vm.SyntheticModule {
  const names = Object.keys(namespace);
  const module: vm.SyntheticModule = new vm.SyntheticModule(
    names,
    () => {
      for (const name of names) module.setExport(name, (namespace as Record<string, unknown>)[name]);
    },
    { identifier },
  );
  return module;
}

/** The value of a JSON text as the default export. Throws LoadError at the place of a mistake. */
export function jsonModule(path: string, text: string): vm.SyntheticModule {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const { message } = error as Error;
    const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length);
    const before = text.slice(0, offset).split("\n");
    const line = before.length;
    const column = before[line - 1].length + 1;
    const what = message.replace(/,? ?(?:\.\.\.)?".*" is not valid JSON| in JSON at position.*$/s, "");
    throw new LoadError("syntax", `not valid JSON: ${what.charAt(0).toLowerCase()}${what.slice(1)}`, {
      file: path,
      line,
      column,
      endLine: line,
      endColumn: column + 1,
    });
  }
  const module: vm.SyntheticModule = new vm.SyntheticModule(
    ["default"],
    () => module.setExport("default", value),
    {
      identifier: path,
    },
  );
  return module;
}
