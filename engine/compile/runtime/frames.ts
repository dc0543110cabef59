/** What rewritten modules call to say where they are: module tables, function entry and exit, loop turns, call sites. */
import { namedRecorder } from "../../ops/recorder.js";
import { call } from "../../tape/callsite.js";
import { findSite, registerModule, type ModuleSites } from "../../tape/sites.js";
import { observed } from "../../tape/writes.js";
import { ScopeType } from "../../trace/trace.js";
import { installConversion } from "./conversion.js";
import { installRealm } from "./realm/install.js";
import { enterLive, LoopScope, Scope, type FrameInfo, type LoopEntry } from "./scope.js";
import { reach } from "./watch.js";

/** The table a rewritten module carries in its first line; sites in it are local. */
export interface ModuleTable extends ModuleSites {
  readonly frames: readonly {
    readonly name: string;
    readonly site: number;
    readonly names: readonly string[];
  }[];
  readonly loops: readonly { readonly name: string; readonly site: number; readonly frame: number }[];
}

export interface LoadedModule {
  readonly base: number;
  /** scopes that functions have while nothing is recorded, by frame */
  readonly idle: readonly Scope[];
  /** the same of loops */
  readonly turns: readonly Scope[];
  readonly frames: readonly { readonly info: FrameInfo; readonly idle: Scope }[];
}

/** Registers a module's table. Whoever compiled the module may have registered its sites before; they are found again. */
export function module(table: ModuleTable): LoadedModule {
  installConversion();
  installRealm(globalThis);
  const base = registered(table) ?? registerModule(table);
  const loops: LoopEntry[] = [];
  for (const { name, site, frame } of table.loops) {
    const info = { name, site: base + site, names: table.frames[frame].names, base, loops };
    loops.push({ info, idle: new LoopScope(null, null, info, ScopeType.loop, -1, info.site) });
  }
  const frames = table.frames.map(({ name, site, names }) => {
    const info = { name, site: base + site, names, base, loops };
    return { info, idle: new Scope(null, null, info, ScopeType.function, -1, info.site) };
  });
  return { base, frames, idle: frames.map(({ idle }) => idle), turns: loops.map(({ idle }) => idle) };
}

/** Base of the newest registration of the same file and text, or null. */
function registered(table: ModuleTable): number | null {
  let base: number | null = null;
  for (let at = 0, found = findSite(at); found !== null; found = findSite(at)) {
    const { module: sites } = found;
    if (sites.file === table.file && sites.text === table.text) base = at;
    at += sites.line.length;
  }
  return base;
}

/** The scope of module-level code. */
export function root(loaded: LoadedModule): Scope {
  const { info, idle } = loaded.frames[0];
  reach(info.site);
  return idle;
}

/** A function begins. */
export function enter(loaded: LoadedModule, index: number): Scope {
  const { info, idle } = loaded.frames[index];
  reach(info.site);
  observed.sink?.enter(info.site);
  const recorder = namedRecorder();
  return recorder === null ? idle : enterLive(recorder, info);
}

/** A function ends: the caller's call is in progress again. */
export function leave(scope: Scope): void {
  if (scope.recorder === null) return;
  call.scope = scope.parent;
  call.site = scope.site;
}

/** A loop begins in `scope`. */
export function loop(scope: Scope, index: number): Scope {
  const { info, idle } = scope.info.loops[index];
  // short loops look for a stop only once in many turns
  reach(info.site);
  const recorder = namedRecorder();
  if (recorder === null) return idle;
  return new LoopScope(recorder, scope, info, ScopeType.loop, -1, info.site);
}

/** An iteration begins. */
export function iter(cursor: Scope): Scope {
  reach(cursor.site);
  if (cursor.recorder === null) return cursor;
  const scope = (cursor as LoopScope).upcoming();
  cursor.next = null;
  cursor.turn++;
  return scope;
}

/** Hands an argument through and makes the call it belongs to the one in progress. */
export function c<T>(value: T, site: number, scope: Scope): T {
  call.site = scope.base + site;
  if (namedRecorder() !== null) call.scope = scope;
  return value;
}

const nothing = Object.freeze({
  [Symbol.iterator]: () => ({ next: () => ({ done: true as const, value: undefined }) }),
});

/**
 * Makes a call without arguments, on the result of another, the one in progress: evaluated in its argument list, and
 * spread into no argument there, whatever the program has done to arrays.
 */
export function h(site: number, scope: Scope): Iterable<never> {
  at(site, scope);
  return nothing;
}

/** Makes a call without arguments the one in progress. */
export function at(site: number, scope: Scope): void {
  call.site = scope.base + site;
  if (namedRecorder() !== null) call.scope = scope;
}
