/** Modules that are not compiled from a text: a namespace that exists already, and JSON. */
import vm from "node:vm";
import { jsonMistake } from "./json-place.js";
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
  const clean = text.replace(/^\uFEFF/, "");
  const mistake = jsonMistake(clean);
  if (mistake !== null) {
    const before = clean.slice(0, mistake).split("\n");
    const line = before.length;
    const column = before[line - 1].length + 1;
    const what = mistake >= clean.trimEnd().length ? "the text ends too early" : "this does not belong here";
    const place = { file: path, line, column, endLine: line, endColumn: column + 1 };
    throw new LoadError("syntax", `not valid JSON: ${what}`, place);
  }
  const value: unknown = JSON.parse(clean);
  const module: vm.SyntheticModule = new vm.SyntheticModule(
    ["default"],
    () => module.setExport("default", value),
    {
      identifier: path,
    },
  );
  return module;
}
