/**
 * Keeps accidents inside the realm: no `process` to end, no network, no other thread to talk to. This is no sandbox
 * (`node:vm` is none either); Workspace Trust is the boundary.
 */
import { syncBuiltinESMExports } from "node:module";
import type { StopState } from "./stop.js";

/** What ends or signals a process. */
const endings = ["exit", "reallyExit", "abort", "kill", "_kill", "dlopen"] as const;

/** Globals of Node that a graph has no use for; with all imports allowed they stay, as packages may expect them. */
const hidden = [
  "Buffer",
  "fetch",
  "Request",
  "Response",
  "Headers",
  "FormData",
  "WebSocket",
  "EventSource",
  "BroadcastChannel",
  "navigator",
] as const;

function callText(name: string, args: readonly unknown[]): string {
  const shown = args.map((arg) => (typeof arg === "string" ? JSON.stringify(arg) : String(arg)).slice(0, 20));
  return `process.${name}(${shown.join(", ")})`;
}

export function guardRealm(realm: typeof globalThis, stop: StopState, allowImports: boolean): void {
  const real = realm.process;
  const refused: Record<string, (...args: unknown[]) => never> = Object.create(null);
  for (const name of endings) {
    refused[name] = (...args: unknown[]): never =>
      stop.stop("exit", `${callText(name, args)} was called: a graph cannot end the process`);
  }
  // packages reach the true object through node:process, whatever the global is
  for (const name of endings) {
    try {
      Object.defineProperty(real, name, { value: refused[name], configurable: true, writable: true });
    } catch {
      // not configurable on this version of Node: the watch still reports the end of the worker
    }
  }
  syncBuiltinESMExports();
  if (allowImports) return;
  const shown = new Proxy(Object.create(null) as object, {
    get: (_, key) => {
      if (typeof key === "symbol") return undefined;
      if (key in refused) return refused[key];
      return stop.stop("refused", `process.${key} is used: a graph has no access to the process`);
    },
    set: (_, key) =>
      stop.stop("refused", `process.${String(key)} is set: a graph has no access to the process`),
    has: () => false,
  });
  Object.defineProperty(realm, "process", {
    value: shown,
    configurable: false,
    writable: false,
    enumerable: false,
  });
  for (const name of hidden) Reflect.deleteProperty(realm, name);
}
