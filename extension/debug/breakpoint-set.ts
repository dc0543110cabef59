/** The breakpoints of a session as the client asked for them, bound to the sweep that is debugged; they outlive a restart. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { Breakpoint, type Terms } from "../../engine/debug/breakpoints/breakpoint.js";
import { filters, type Filter } from "../../engine/debug/breakpoints/filters.js";
import {
  placesOfCotangent,
  placesOfFunction,
  placesOfLine,
  placesOfPrimitive,
  placesOfSlot,
  type Places,
} from "../../engine/debug/breakpoints/places.js";
import type { Debuggee } from "../../engine/debug/debuggee.js";
import { ExpressionError } from "../../engine/debug/expression/tokens.js";
import { resolveLine } from "../../engine/debug/locations.js";
import { nodeTitle } from "../../engine/trace/read.js";
import type { State } from "./state.js";

interface Entry {
  readonly id: number;
  readonly bind: (state: State) => Bound;
  bound: Bound;
}

interface Bound {
  readonly breakpoint: Breakpoint | null;
  readonly reply: DebugProtocol.Breakpoint;
  /** what is wrong at a place: of an exception filter */
  readonly words?: (debuggee: Debuggee, position: number, focus: number) => string;
}

export class BreakpointSet {
  private readonly lines = new Map<string, Entry[]>();
  private functions: Entry[] = [];
  private data: Entry[] = [];
  private exceptions: Entry[] = [];
  private lastId = 0;
  /** told after breakpoints were set, or bound to another sweep */
  onDidChange: () => void = () => {};

  private *entries(): Generator<Entry> {
    for (const list of this.lines.values()) yield* list;
    yield* this.functions;
    yield* this.data;
    yield* this.exceptions;
  }

  /** Everything that can stop, line breakpoints first. */
  get active(): Breakpoint[] {
    return Array.from(this.entries(), (entry) => entry.bound.breakpoint).filter((found) => found !== null);
  }

  /** Those a person set, which are marked: filters of exceptions are none. */
  get set(): Breakpoint[] {
    return this.active.filter(({ reason }) => reason !== "exception");
  }

  /** Binds all of them to another sweep; gives what to tell the client. */
  rebind(state: State): DebugProtocol.Breakpoint[] {
    const replies = Array.from(this.entries(), (entry) => {
      entry.bound = entry.bind(state);
      return entry.bound.reply;
    });
    this.onDidChange();
    return replies;
  }

  /** The sentence of the exception filter that stopped, null: another kind did. */
  words(breakpoint: Breakpoint, debuggee: Debuggee, position: number, focus: number): string | null {
    const entry = this.exceptions.find((candidate) => candidate.id === breakpoint.id);
    return entry?.bound.words?.(debuggee, position, focus) ?? null;
  }

  private entry(state: State, bind: (state: State, id: number) => Bound): Entry {
    const id = ++this.lastId;
    const bound = (at: State): Bound => bind(at, id);
    return { id, bind: bound, bound: bound(state) };
  }

  setLines(
    state: State,
    path: string,
    wanted: readonly DebugProtocol.SourceBreakpoint[],
  ): DebugProtocol.Breakpoint[] {
    const entries = wanted.map((at) => this.entry(state, (now, id) => bindLine(now, id, path, at)));
    this.lines.set(path, entries);
    this.onDidChange();
    return entries.map(({ bound }) => bound.reply);
  }

  setFunctions(
    state: State,
    wanted: readonly DebugProtocol.FunctionBreakpoint[],
  ): DebugProtocol.Breakpoint[] {
    this.functions = wanted.map((at) => this.entry(state, (now, id) => bindFunction(now, id, at)));
    this.onDidChange();
    return this.functions.map(({ bound }) => bound.reply);
  }

  setData(state: State, wanted: readonly DebugProtocol.DataBreakpoint[]): DebugProtocol.Breakpoint[] {
    this.data = wanted.map((at) => this.entry(state, (now, id) => bindData(now, id, at)));
    this.onDidChange();
    return this.data.map(({ bound }) => bound.reply);
  }

  /** One filter at a time, since each looks at the whole sweep: between them the event loop turns. */
  async setExceptions(
    state: State,
    wanted: readonly DebugProtocol.ExceptionFilterOptions[],
  ): Promise<DebugProtocol.Breakpoint[]> {
    const made: Entry[] = [];
    for (const at of wanted) {
      made.push(this.entry(state, (now, id) => bindFilter(now, id, at)));
      await nextTurn();
    }
    this.exceptions = made;
    return made.map(({ bound }) => bound.reply);
  }
}

/** A breakpoint at these places, or why its condition cannot be used. */
function made(
  id: number,
  reason: string,
  places: Places,
  terms: Terms,
  reply: Partial<DebugProtocol.Breakpoint> = {},
): Bound {
  try {
    const breakpoint = new Breakpoint(id, reason, places, terms);
    return { breakpoint, reply: { id, verified: true, ...reply } };
  } catch (error) {
    if (error instanceof ExpressionError) return unbound(id, error.message);
    throw error;
  }
}

function unbound(id: number, message: string): Bound {
  return { breakpoint: null, reply: { id, verified: false, message } };
}

function bindLine(state: State, id: number, path: string, at: DebugProtocol.SourceBreakpoint): Bound {
  const file = state.fileOf(path);
  if (file < 0) return unbound(id, "The sweep that is debugged does not come from this file.");
  const { trace } = state.debuggee;
  const { line, message } = resolveLine(trace, file, at.line);
  if (line === null) return unbound(id, message ?? "");
  const exact = at.column !== undefined && line === at.line ? at.column : null;
  let places = placesOfLine(state.debuggee, file, line, exact);
  if (places.n === 0 && exact !== null) places = placesOfLine(state.debuggee, file, line, null);
  return made(id, "breakpoint", places, at, { line });
}

function bindFunction(state: State, id: number, at: DebugProtocol.FunctionBreakpoint): Bound {
  const name = at.name.trim();
  const primitive = placesOfPrimitive(state.debuggee, name);
  const places = primitive.n > 0 ? primitive : placesOfFunction(state.debuggee, name);
  if (places.n > 0) return made(id, "function breakpoint", places, at);
  const { nodes, strings } = state.debuggee.trace;
  const known = [...new Set(nodes.op)].map((op) => strings[op]).filter((op) => op !== "input");
  return unbound(
    id,
    `No primitive and no function called ${name} is in this sweep; its primitives are ${known.slice(0, 8).join(", ")}.`,
  );
}

/** A data id is an expression: `bar(a)` or `slot(2)`. */
function bindData(state: State, id: number, at: DebugProtocol.DataBreakpoint): Bound {
  const found = /^(bar|slot)\((.+)\)$/.exec(at.dataId);
  if (found === null) return unbound(id, `${at.dataId} is neither a cotangent nor a checkpoint slot.`);
  if (found[1] === "slot") {
    const places = placesOfSlot(state.debuggee, Number(found[2]));
    return places.n > 0
      ? made(id, "data breakpoint", places, at)
      : unbound(id, `This sweep has no slot ${found[2]} that is used.`);
  }
  const node = state.debuggee.names.resolve(found[2], state.debuggee.trace.nodes.n);
  if (node < 0) return unbound(id, `There is no node called ${found[2]} in this sweep.`);
  const places = placesOfCotangent(state.debuggee, node);
  if (places.n === 0)
    return unbound(id, `No derivative flows into ${nodeTitle(state.debuggee.trace, node)}.`);
  return made(id, "data breakpoint", places, at);
}

function bindFilter(state: State, id: number, at: DebugProtocol.ExceptionFilterOptions): Bound {
  const filter = filters.find((candidate) => candidate.id === at.filterId);
  if (filter === undefined) return unbound(id, `There is no filter ${at.filterId}.`);
  const text = at.condition?.trim() ?? "";
  const constant = text === "" || filter.constant === null ? (filter.constant ?? 0) : Number(text);
  if (!(constant >= 0))
    return unbound(id, `"${text}" is no constant: write a positive number such as ${filter.constant}.`);
  return {
    ...made(id, "exception", filter.places(state.debuggee, constant), {}),
    words: wordsOf(filter, constant),
  };
}

function wordsOf(filter: Filter, constant: number): Bound["words"] & {} {
  return (debuggee, position, focus) => filter.words(debuggee, position, focus, constant);
}
