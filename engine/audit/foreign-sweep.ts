/** Runs a graph's tape through a bare sweep and reads what came out. */
import type { AuditDefinition } from "./definition.js";
import { calling, Ended, outcomeOf, type Foreign, type Reading, type RunOptions } from "./engine.js";
import { truthOf, type AuditGraph, type Truth } from "./graph.js";
import { Listener } from "./listen.js";
import type { AuditOperation } from "./operations.js";
import type { Outcome } from "./outcome.js";

/** The tape of a graph of scalars, fresh for each call; `read` is told whenever an entry's parents are looked at. */
function tapeOf(
  values: readonly (Float64Array | null)[],
  graph: AuditGraph,
  locals: readonly (readonly number[])[],
  pairs: boolean,
  read: (() => void) | null,
): unknown[] {
  return values.map((value, v) => {
    const operands = graph.steps[v - graph.inputs.length]?.operands ?? [];
    const parents = operands.map((p, k) => [p, locals[v][k]]);
    const entry: unknown = pairs ? [value![0], parents] : { value: value![0], parents };
    if (read === null) return entry;
    Object.defineProperty(entry, pairs ? 1 : "parents", {
      get: () => {
        read();
        return parents;
      },
      enumerable: true,
      configurable: true,
    });
    return entry;
  });
}

/** The bare sweep's form. */
export function foreignSweep(
  definition: Extract<AuditDefinition, { form: "sweep" }>,
  operations: readonly AuditOperation[],
): Foreign {
  const pairs = definition.options.form === "pairs";
  const run = (graph: AuditGraph, options: RunOptions = {}): Outcome => {
    const listener = options.listener ?? new Listener();
    // the parents are read once more when it is over: that is not the sweep's doing
    const listening = options.listener !== undefined;
    const truth = truthOf(graph, operations);
    return outcomeOf(listener, (into) => {
      const locals = localsOf(graph, operations, truth);
      into.before = truth.nodes.map(({ value }) => value);
      into.made = into.before;
      const fresh = (): unknown[] =>
        tapeOf(into.before, graph, locals, pairs, listening ? () => listener.read() : null);
      const tape = fresh();
      const entries = tape.slice();
      into.handles = entries;
      const sweep = (phase: "backward" | "again", on: unknown[]): Reading => {
        const part = phase === "again" ? "the sweep, called a second time," : "the sweep";
        const { length } = on;
        const call = (): unknown => definition.sweep(on, graph.seed);
        const found = calling(part, () => (listening ? listener.during(phase, -1, call) : call()));
        return readCotangents(found, length, into.remarks);
      };
      into.gradient = sweep("backward", tape);
      into.after = tapeValues(entries, pairs, locals, into.before);
      into.from = options.from ?? null;
      if (options.again !== true) return;
      // a sweep may use up its list (pop, reverse): then it is given another
      const whole = tape.length === entries.length && entries.every((entry, v) => tape[v] === entry);
      const second = whole ? tape : fresh();
      // a tape ends with its output
      into.again = sweep("again", options.from === undefined ? second : second.slice(0, options.from + 1));
    });
  };
  return {
    form: "sweep",
    operations,
    resets: true,
    tolerance: definition.options.tolerance ?? null,
    tellsValues: true,
    shape: [],
    sumsFirst: false,
    run,
  };
}

/** Local derivatives of every entry, dead ones too. */
function localsOf(graph: AuditGraph, operations: readonly AuditOperation[], truth: Truth): number[][] {
  return truth.nodes.map(({ value }, v) => {
    const step = graph.steps[v - graph.inputs.length];
    if (step === undefined) return [];
    const at = step.operands.map((p) => truth.nodes[p].value[0]);
    return operations[step.op].locals(at, value[0]).slice();
  });
}

/** Values of a tape after the sweep: NaN at an entry whose value, parents or local derivatives were changed. */
function tapeValues(tape: unknown[], pairs: boolean, locals: number[][], before: Reading): Reading {
  return tape.map((entry, v) => {
    const { value, parents } = pairs
      ? { value: (entry as unknown[])[0], parents: (entry as unknown[])[1] }
      : (entry as { value: unknown; parents: unknown });
    const list = Array.isArray(parents) ? (parents as unknown[]) : null;
    const same =
      list !== null &&
      list.length === locals[v].length &&
      list.every((parent, k) => Array.isArray(parent) && Object.is(parent[1], locals[v][k])) &&
      Object.is(value, before[v]![0]);
    return same ? before[v] : Float64Array.of(Number.NaN);
  });
}

function readCotangents(found: unknown, length: number, remarks: string[]): Reading {
  const fail = (what: string): never => {
    throw new Ended({ kind: "unreadable", message: what, error: null });
  };
  if (typeof found !== "object" || found === null)
    return fail(
      `the sweep returned ${found === undefined ? "nothing" : `a ${typeof found}`}, not a list of cotangents`,
    );
  const at = (v: number): unknown =>
    found instanceof Map ? (found as Map<number, unknown>).get(v) : (found as Record<number, unknown>)[v];
  const read = Array.from({ length }, (_, v) => {
    const x = at(v);
    // an entry that nothing reached
    if (x === undefined || x === null) return null;
    if (typeof x !== "number") return fail(`the cotangent of entry ${v} is a ${typeof x}, not a number`);
    return x;
  });
  const remark = remarkOn(found, read);
  if (remark !== null) remarks.push(remark);
  return read.map((x) => Float64Array.of(x ?? 0));
}

/** What is strange about an answer; it counts only where the gradient is wrong. */
function remarkOn(found: object, read: readonly (number | null)[]): string | null {
  const isList = Array.isArray(found) || ArrayBuffer.isView(found);
  const count = isList ? (found as ArrayLike<unknown>).length : read.length;
  const given = `for a tape of ${read.length} entries: there must be one cotangent an entry, by its index`;
  if (count !== read.length) return `the sweep returned a list of ${count} ${given}`;
  if (read.some((x) => x !== null)) return null;
  const what = isList ? "a list" : found instanceof Map ? "a Map" : "an object";
  return `the sweep returned ${what} without a single number by index, ${given}`;
}
