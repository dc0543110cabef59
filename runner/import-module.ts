/** What the worker's entry hands to the worker proper (`worker-start.ts`): code that V8 kept has lost how to import. */
declare const importDynamically: ((url: string) => Promise<object>) | undefined;

/** `import(url)`, of a module that is not rewritten: a package, `node:` modules, files outside the workspace. */
export function importModule(url: string): Promise<object> {
  return typeof importDynamically === "function" ? importDynamically(url) : (import(url) as Promise<object>);
}
