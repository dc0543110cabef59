/** Runs a graph through an adapter and reads what came out. The bare sweep is in `foreign-sweep.ts`. */
import { toNested } from "../tape/ndarray.js";
import { BacksweepError } from "../trace/failure.js";
import type { AnyEngine } from "./definition.js";
import { truthOf, type AuditGraph } from "./graph.js";
import { heldBy, type Held } from "./held-values.js";
import { Listener, TooManyVisits } from "./listen.js";
import type { AuditOperation } from "./operations.js";
import { readElements, type Outcome, type Trouble } from "./outcome.js";

export interface RunOptions {
  readonly listener?: Listener;
  /** also sweep a second time over the same graph */
  readonly again?: boolean;
  /** the node that the second sweep begins at, where that is another one than the output */
  readonly from?: number;
  /** read values, and cotangents of nodes that are no leaves */
  readonly inner?: boolean;
}

/** A foreign engine as the audit sees it. */
export interface Foreign {
  readonly form: "engine" | "sweep";
  readonly operations: readonly AuditOperation[];
  /** a second sweep over the same graph must give the same */
  readonly resets: boolean;
  readonly tolerance: number | null;
  /** it tells the values of its nodes */
  readonly tellsValues: boolean;
  /** shape of a leaf that every operation takes */
  readonly shape: readonly number[];
  /** sweeps start from the sum of the output's elements, for an engine that refuses another */
  sumsFirst: boolean;
  run(graph: AuditGraph, options?: RunOptions): Outcome;
}

export class Ended extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble.message);
  }
}

function thrownText(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : `${error.name}: ${error.message}`;
  try {
    return String(error);
  } catch {
    return "something that cannot be shown";
  }
}

/** Calls a part of the adapter; whatever it throws ends the run with a trouble that names the part. */
export function calling<T>(part: string, body: () => T): T {
  let result: T;
  try {
    result = body();
  } catch (error) {
    // a deadline, a memory limit, a definition that is wrong: not the engine's doing
    if (error instanceof BacksweepError) throw error;
    if (error instanceof TooManyVisits) throw new Ended({ kind: "visits", message: error.message, error });
    const overflow = error instanceof RangeError && /call stack/i.test(error.message);
    throw new Ended({
      kind: overflow ? "overflow" : "threw",
      message: overflow ? `${part} overflows the stack` : `${part} threw ${thrownText(error)}`,
      error,
    });
  }
  if (result instanceof Promise || typeof (result as { then?: unknown } | null)?.then === "function") {
    if (result instanceof Promise) result.catch(() => undefined);
    throw new Ended({
      kind: "promise",
      message: `${part} returned a promise: an audit needs the result now`,
      error: null,
    });
  }
  return result;
}

/** A node of the engine's; nothing is none. */
function something(part: string, node: unknown): unknown {
  if (node !== undefined && node !== null) return node;
  throw new Ended({
    kind: "unreadable",
    message: `${part} returned ${node === null ? "null" : "nothing"}`,
    error: null,
  });
}

export type Reading = (Float64Array | null)[];

interface Partial_ {
  handles: unknown[];
  made: Reading;
  before: Reading;
  after: Reading;
  held: { made: Held[]; before: Held[]; after: Held[] };
  gradient: Reading;
  again: Reading | null;
  from: number | null;
  remarks: string[];
}

export function outcomeOf(listener: Listener, body: (into: Partial_) => void): Outcome {
  const into: Partial_ = {
    handles: [],
    made: [],
    before: [],
    after: [],
    held: { made: [], before: [], after: [] },
    gradient: [],
    again: null,
    from: null,
    remarks: [],
  };
  let trouble: Trouble | null = null;
  try {
    body(into);
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    ({ trouble } = error);
  }
  const { writes, draws, count, reads } = listener;
  return { trouble, ...into, writes, draws, writeCount: count, reads };
}

const arrayShapes: readonly (readonly number[])[] = [[2], [2, 2], [1, 2], [2, 1], []];

/** Shapes an engine's leaves take; `[[]]` for scalars. */
export function leafShapes({ mode, shapes }: AnyEngine): readonly (readonly number[])[] {
  return mode === "array" ? (shapes ?? arrayShapes) : [[]];
}

/** The shape in which graphs without broadcasting are made: one axis where there is one. */
export const plainShape = (shapes: readonly (readonly number[])[]): readonly number[] =>
  shapes.find((one) => one.length === 1) ?? shapes[0];

/** The adapter's form. */
export function foreignEngine(engine: AnyEngine, operations: readonly AuditOperation[]): Foreign {
  const given = Object.values(engine.operations);
  const apply = given.map((op) => (typeof op === "function" ? op : op.apply)) as ((
    ...nodes: unknown[]
  ) => unknown)[];
  const sum = operations.findIndex(({ kind }) => kind === "sum");
  const receivers = given.map((op) => (typeof op === "function" ? engine.operations : op));

  const run = (graph: AuditGraph, options: RunOptions = {}): Outcome => {
    const listener = options.listener ?? new Listener();
    const listening = options.listener !== undefined;
    const during = <T>(phase: "forward" | "backward" | "again", node: number, body: () => T): T =>
      listening ? listener.during(phase, node, body) : body();
    const shapes = shapesOf(graph, operations);
    return outcomeOf(listener, (into) => {
      const value = (v: number): Float64Array | null => {
        if (engine.value === undefined) return null;
        const read = readElements(
          calling("value(node)", () => engine.value!(into.handles[v])),
          shapes[v],
        );
        if (read.problem !== null)
          throw new Ended({ kind: "unreadable", message: `value(node) ${read.problem}`, error: null });
        return read.data;
      };
      const looking = listening && options.inner === true;
      const holds = (): Held[] => {
        const handles = new Set(into.handles);
        return looking ? into.handles.map((handle) => heldBy(handle, handles)) : [];
      };
      const madeOne = (): void => {
        if (looking)
          into.held.made.push(heldBy(into.handles[into.handles.length - 1], new Set(into.handles)));
      };
      const values = (): Reading => (options.inner === true ? into.handles.map((_, v) => value(v)) : []);
      if (engine.begin !== undefined) calling("begin()", () => during("forward", -1, () => engine.begin!()));
      const wantsValues =
        engine.value !== undefined && (options.inner === true || hasUnknown(graph, operations));
      graph.inputs.forEach(({ shape, data }, i) => {
        const given = shape.length === 0 ? data[0] : toNested({ shape, data: Float64Array.from(data) });
        const made = calling("leaf(value)", () => during("forward", i, () => engine.leaf(given)));
        into.handles.push(something("leaf(value)", made));
        into.made.push(wantsValues ? value(i) : null);
        madeOne();
      });
      graph.steps.forEach((step, i) => {
        const node = graph.inputs.length + i;
        const operands = step.operands.map((v) => into.handles[v]);
        const { name } = operations[step.op];
        const part = `${name}(${operands.map((_, k) => "abc"[k]).join(", ")})`;
        const made = calling(part, () =>
          during("forward", node, () => apply[step.op].apply(receivers[step.op], operands)),
        );
        into.handles.push(something(part, made));
        into.made.push(wantsValues ? value(node) : null);
        madeOne();
      });
      // an engine in pull form does its work here
      const gradients = (phase: "backward" | "again"): Reading =>
        into.handles.map((handle, v) => {
          const leaf = v < graph.inputs.length;
          if (!leaf && options.inner !== true && v !== options.from) return null;
          return during(phase, v, () => readGradient(engine, handle, shapes[v], leaf, into.remarks));
        });
      into.before = values();
      into.held.before = holds();
      const handle = into.handles[graph.output];
      const swept = foreign.sumsFirst
        ? calling("sum(a)", () =>
            during("forward", graph.output, () => apply[sum].call(receivers[sum], handle)),
          )
        : handle;
      calling("backward(output)", () => during("backward", graph.output, () => engine.backward(swept)));
      into.gradient = gradients("backward");
      into.after = values();
      into.held.after = holds();
      into.from = options.from ?? null;
      if (options.again !== true) return;
      if (engine.reset !== undefined)
        calling("reset(nodes)", () => during("again", -1, () => engine.reset!(into.handles.slice())));
      calling("backward(output), the second time,", () =>
        during("again", options.from ?? graph.output, () =>
          engine.backward(options.from === undefined ? swept : into.handles[options.from]),
        ),
      );
      into.again = gradients("again");
    });
  };
  const foreign: Foreign = {
    form: "engine",
    operations,
    resets: engine.reset !== undefined,
    tolerance: engine.tolerance ?? null,
    tellsValues: engine.value !== undefined,
    shape: plainShape(leafShapes(engine)),
    sumsFirst: false,
    run,
  };
  return foreign;
}

function hasUnknown(graph: AuditGraph, operations: readonly AuditOperation[]): boolean {
  return graph.steps.some(({ op }) => operations[op].value === null);
}

function shapesOf(graph: AuditGraph, operations: readonly AuditOperation[]): (readonly number[])[] {
  const scalars = graph.inputs.every(({ shape }) => shape.length === 0);
  if (scalars) return Array.from({ length: graph.inputs.length + graph.steps.length }, () => []);
  return truthOf(graph, operations).nodes.map(({ shape }) => shape);
}

function readGradient(
  engine: AnyEngine,
  handle: unknown,
  shape: readonly number[],
  leaf: boolean,
  remarks: string[],
): Float64Array | null {
  let found: unknown;
  try {
    found = calling("gradient(node)", () => engine.gradient(handle));
  } catch (error) {
    // what is no leaf need not have a gradient that can be read
    if (leaf || !(error instanceof Ended)) throw error;
    return null;
  }
  const size = shape.reduce((a, b) => a * b, 1);
  if (found === undefined || found === null) return leaf ? new Float64Array(size) : null;
  const read = readElements(found, shape);
  if (read.problem === null) return read.data;
  if (!leaf) return null;
  if (!/elements/.test(read.problem))
    throw new Ended({ kind: "unreadable", message: `gradient(node) ${read.problem}`, error: null });
  remarks.push(`gradient(node) ${read.problem}`);
  return new Float64Array(size).fill(Number.NaN);
}
