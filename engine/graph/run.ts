/** One run of a graph definition: record, sweep, report. Everything a panel or a command line shows comes from here. */
import { Recorder, withRecorder } from "../ops/recorder.js";
import { rounder, type Rounder } from "../ops/dtype.js";
import { COUNTERPART_LIMIT } from "../report/limits.js";
import { flopsReport } from "../report/flops.js";
import { memoryReport } from "../report/memory.js";
import type { Gradient, GradientValue, Note, RunReport } from "../report/report.js";
import { parseAccumulation, type Accumulation } from "../sweep/accumulate.js";
import { flatten } from "../sweep/flat.js";
import { activeNodes, sweepOrder, type Order } from "../sweep/order.js";
import { beginSweep, type RunningSweep, type SpentArrays, type SweepResult } from "../sweep/reverse.js";
import { call } from "../tape/callsite.js";
import { filled, toNested } from "../tape/ndarray.js";
import { BYTES_A_NODE, Tape } from "../tape/tape.js";
import { BacksweepError } from "../trace/failure.js";
import type { InputInfo, OutputInfo, Trace, TraceHeader, TraceOptions } from "../trace/trace.js";
import { completeTrace, forwardTables, type Parts } from "./build-trace.js";
import { operationName } from "./code-name.js";
import type { GraphDefinition } from "./definition.js";
import { makeInputs } from "./inputs.js";
import { assignMask, mergeSeeds, readOutputs } from "./outputs.js";
import {
  defaultCotangents,
  nonFinite,
  nonFiniteOutputs,
  recordedNotes,
  unknownInputs,
  otherLengths,
  unusedInputs,
} from "./notes.js";
import { resolveOptions, type RunSettings } from "./options.js";
import { STORE_ALL } from "./schedules.js";
import { measureRegions } from "./measure.js";
import { namesOf, type NodeNames } from "./node-names.js";
import type { Contract } from "./contract.js";
import { Execution } from "./execution.js";
import { HELD_SHARE, withCollection } from "./room.js";
import type { ReplayMode } from "./regions.js";
import { gradientError } from "./reconstruction.js";
import { seedStream } from "./stream.js";
import { VERSION } from "./version.js";

export interface RunContext {
  /** exported name of the graph, and of all graphs beside it */
  readonly name: string;
  readonly graphs: readonly string[];
  /** folder that paths are shown relative to */
  readonly root: string;
  /** bytes the tape's and the sweep's columns may take; Infinity for no limit */
  readonly limitBytes: number;
  /** called when a run under a schedule has let arrays go: whoever measures memory has garbage collected as it comes */
  readonly collect?: () => void;
  /** called when an analysis has recorded the graph and goes on by itself; true: rules of the user's own run in it */
  readonly recorded?: (userCode: boolean) => void;
}

export interface RunOutcome {
  readonly trace: Trace;
  readonly counterpart: Trace | null;
  readonly report: RunReport;
}

/** Most nodes of a recording that stopped early that are shown. */
const PARTIAL_LIMIT = 50_000;
/** Bytes a binary node with its edges and events takes in sweep and trace, beside the tape: the sum of their columns. */
const TRACE_BYTES_A_NODE = 311;
/** The part of the memory limit that a tape of everything may take. */
const KEPT_SHARE = BYTES_A_NODE / (BYTES_A_NODE + TRACE_BYTES_A_NODE);

/** A run in progress, so that what was recorded can be shown when user code stops early. */
export class GraphRun {
  private readonly recorder: Recorder;
  private readonly execution: Execution;
  private readonly round: Rounder | null;
  private readonly cotangentRound: Rounder | null;
  private inputs: readonly InputInfo[] = [];

  constructor(
    private readonly definition: GraphDefinition,
    private readonly settings: RunSettings,
    private readonly context: RunContext,
    /** how replays differ from the first run on purpose */
    mode: ReplayMode = {},
  ) {
    this.round = settings.dtype === "f64" ? null : rounder(settings.dtype);
    this.cotangentRound = settings.cotangentDtype === "f64" ? null : rounder(settings.cotangentDtype);
    // the trace and the sweep come on top of the tape, so the tape may take only its share of the limit
    const kept = context.limitBytes * KEPT_SHARE;
    const limited = { limit: context.limitBytes, kept, held: context.limitBytes * HELD_SHARE };
    const room = withCollection(limited, context.collect);
    const arrays = settings.schedule === STORE_ALL ? room.kept : room.held;
    this.recorder = new Recorder(new Tape(kept, [], arrays), this.round);
    seedStream(this.recorder, settings.seed);
    this.execution = new Execution(this.recorder, settings.schedule, room, true, mode, settings.dtype);
  }

  /**
   * Runs the graph function and both sweeps. Throws BacksweepError, or whatever user code threw.
   *
   * @param onRecorded called when the graph function has returned; `userCode`: the sweep will call rules of the user's own
   */
  run(onRecorded?: (userCode: boolean) => void): RunOutcome {
    const { definition, settings, context } = this;
    this.execution.prepare(() => measureRegions({ definition, settings, context }));
    const result = withRecorder(this.recorder, () => {
      const made = makeInputs(this.recorder, definition, settings.set);
      this.inputs = made.infos;
      // until the function makes a call of its own, what it does stands at its definition
      call.site = definition.site;
      call.scope = null;
      const fn = definition.fn as (inputs: unknown) => unknown;
      nameAfter(fn, this.context.name);
      return fn(made.argument);
    });
    if (result instanceof Promise) {
      // the rejection, if any, is of no interest any more
      result.catch(() => undefined);
      throw new BacksweepError(
        "definition",
        "the graph function returned a promise: a reverse sweep needs its result now",
        definition.site,
      );
    }
    const outputs = readOutputs(this.recorder, result, settings.cotangent, definition.site);
    onRecorded?.(this.recorder.customRules.size > 0);
    return this.sweep(outputs);
  }

  private header(outputs: readonly OutputInfo[], accumulation: string, complete: boolean): TraceHeader {
    const { settings, context } = this;
    const options: TraceOptions = {
      graph: context.name,
      dtype: settings.dtype,
      cotangentDtype: settings.cotangentDtype,
      accumulation,
      order: typeof settings.order === "string" ? settings.order : "explicit",
      schedule: settings.schedule,
      seed: settings.seed,
    };
    return {
      format: "backsweep-trace",
      version: 1,
      engine: { name: "backsweep", version: VERSION },
      language: "typescript",
      root: context.root,
      options,
      missing: [],
      inputs: this.inputs,
      outputs,
      complete,
      recorded: this.recorded,
    };
  }

  private names(n: number, outputs: readonly OutputInfo[]): NodeNames {
    return namesOf(this.recorder, n, outputs);
  }

  private sweep(outputs: readonly OutputInfo[]): RunOutcome {
    const { recorder, settings, context, definition } = this;
    const flat = flatten(recorder.tape);
    const names = this.names(flat.n, outputs);
    const nameOf = (node: number): string =>
      names.text(node) ?? `${operationName(flat, node)} (node ${node})`;
    const seeds = mergeSeeds(outputs);
    const outputNodes = seeds.map((seed) => seed.node);
    const active = activeNodes(flat, outputNodes);
    const { execution } = this;
    execution.close(flat, nameOf);
    const order = sweepOrder(flat, active, outputNodes, settings.order as Order, nameOf, execution.segments);
    const chosen = parseAccumulation(settings.accumulate);
    const begin = (accumulation: Accumulation, spent?: SpentArrays): RunningSweep =>
      beginSweep(flat, {
        order,
        seeds,
        accumulation,
        round: this.cotangentRound,
        customRules: recorder.customRules,
        assigns:
          accumulation.kind === "last-writer-wins" ? assignMask(flat, names, accumulation.where) : null,
        ...(settings.given === undefined ? {} : { given: settings.given }),
        ...(spent === undefined ? {} : { spent }),
      });
    const lastWriter = chosen.kind === "last-writer-wins";
    const otherText = lastWriter ? "sum" : "last-writer-wins";
    const kept = execution.sweeps(2);
    const [main, other] = execution.sweep(order, active, outputNodes, [
      begin(chosen, kept[0]),
      begin(parseAccumulation(otherText), kept[1]),
    ]);
    const right = lastWriter ? other : main;
    const wrong = lastWriter ? main : other;

    const notes: Note[] = [
      ...recordedNotes(recorder),
      ...otherLengths(this.inputs, definition),
      ...unknownInputs(recorder, this.inputs, definition.site),
      ...unusedInputs(this.inputs, active, definition.site),
      ...defaultCotangents(outputs, settings.cotangent !== undefined, definition.site),
      ...nonFiniteOutputs(outputs, definition.site),
      ...nonFinite(execution.shownTape(flat), right, active, nameOf, execution.bad),
    ];
    const forward = forwardTables(recorder, flat, names, context.root, execution.shown, execution.locals);
    const build = (text: string, sweep: SweepResult, which: number): Trace => {
      const parts: Parts | null = execution.parts(which, forward.strings, flat, sweep, active, seeds);
      return completeTrace(forward, this.header(outputs, text, true), sweep, active, seeds, notes, parts);
    };
    const trace = build(settings.accumulate, main, 0);
    const counterpart = flat.n <= COUNTERPART_LIMIT ? build(otherText, other, 1) : null;
    const report: RunReport = {
      graph: context.name,
      graphs: context.graphs,
      gradient: this.gradient(main, active),
      correctGradient: this.gradient(right, active),
      lastWriterWins: { gradient: this.gradient(wrong, active) },
      memory: memoryReport(trace),
      ...this.checkpoints(main, active, flat.n),
      flops: flopsReport(flat, active),
      notes,
      finding: notes.some((note) => note.severity === "finding"),
    };
    return { trace, counterpart, report };
  }

  /** The report on the schedule; inverses are compared with a run that keeps everything, where there is room for one. */
  private checkpoints(main: SweepResult, active: Uint8Array, nodes: number): Pick<RunReport, "checkpoint"> {
    const { definition, settings, context, execution } = this;
    const said = execution.report();
    const { checkpoint } = said;
    if (checkpoint?.reconstruction === undefined) return said;
    const fits = checkpoint.allocatedBytes.storeAll <= context.limitBytes * KEPT_SHARE;
    if (!fits || nodes > COUNTERPART_LIMIT) return said;
    const all = new GraphRun(definition, { ...settings, schedule: STORE_ALL }, context).run().report;
    const gradient = gradientError(this.gradient(main, active), all.gradient, settings.dtype);
    return { checkpoint: { ...checkpoint, reconstruction: { ...checkpoint.reconstruction, gradient } } };
  }

  private gradient(sweep: SweepResult, active: Uint8Array): Gradient {
    const at = (node: number): number => (active[node] === 1 ? sweep.cotangent[node] : 0);
    const out: Record<string, GradientValue> = Object.create(null);
    for (const { name, first, count, shape, tensor } of this.inputs) {
      if (tensor === true) out[name] = toNested(sweep.arrays?.cotangent.get(first) ?? filled(shape, 0));
      else if (shape.length === 0) out[name] = at(first);
      else out[name] = Array.from({ length: count }, (_, i) => at(first + i));
    }
    return { ...out };
  }

  /** What compared the replays with the first run; null: nothing was replayed. */
  get contract(): Contract | null {
    return this.execution.contract;
  }

  /** Number of nodes recorded so far. */
  get recorded(): number {
    return this.recorder.tape.length;
  }

  /**
   * What was recorded so far, forward rows only, at most the first 50,000 nodes: it is shown beside the message of a run
   * that was stopped, and must not keep that message waiting. Null when nothing was recorded.
   */
  partial(): Trace | null {
    if (this.recorded === 0) return null;
    const flat = flatten(this.recorder.tape, PARTIAL_LIMIT);
    const forward = forwardTables(this.recorder, flat, this.names(flat.n, []), this.context.root);
    const notes = recordedNotes(this.recorder).filter((note) => note.node < flat.n);
    const header = this.header([], this.settings.accumulate, false);
    return completeTrace(forward, header, null, new Uint8Array(flat.n), [], notes);
  }
}

/** Gives an anonymous graph function the graph's name, so that stack frames read "at fanOut". */
export function nameAfter(fn: (inputs: unknown) => unknown, name: string): void {
  if (fn.name === "" && Object.isExtensible(fn))
    Object.defineProperty(fn, "name", { value: name, configurable: true });
}

/** Convenience: one complete run. */
export function runGraph(
  definition: GraphDefinition,
  options: Parameters<typeof resolveOptions>[1],
  context: RunContext,
): RunOutcome {
  return new GraphRun(definition, resolveOptions(definition, options), context).run();
}
