/**
 * How a recording and its sweep are carried out: everything kept, or primals dropped and replayed under a schedule. Made
 * with the recorder, closed when the graph function has returned, then asked for the sweeps and for what views are shown.
 */
import type { Schedule } from "../checkpoint/actions.js";
import { Did, StorageLog } from "../checkpoint/execute/log.js";
import { Primals } from "../checkpoint/execute/primals.js";
import type { Recorder } from "../ops/recorder.js";
import type { RunReport } from "../report/report.js";
import { primalBytes } from "../sweep/cost.js";
import { Evaluator } from "../sweep/evaluate.js";
import { fillMeans } from "../sweep/mixed.js";
import { writeLocals } from "../sweep/local.js";
import type { FlatTape } from "../sweep/flat.js";
import type { RunningSweep, Seed, SweepResult } from "../sweep/reverse.js";
import { BacksweepError } from "../trace/failure.js";
import { SegmentKind, type Dtype } from "../trace/trace.js";
import { decide, type Decision } from "./auto.js";
import { checkpointReport } from "./checkpoint-report.js";
import { Contract } from "./contract.js";
import { buildStorageEvents } from "./build-storage-events.js";
import type { Parts } from "./build-trace.js";
import { CutRegion } from "./cut-region.js";
import { cutTape, inputsOf, type Cuts } from "./cuts.js";
import type { Interner } from "./interner.js";
import { Keeper } from "./kept.js";
import type { Measured } from "./measure.js";
import { Regions, useRegions, type ReplayMode } from "./regions.js";
import { Reconstruction } from "./reconstruction.js";
import { Rematerialisation } from "./remat.js";
import type { StepObserver } from "./replay-observer.js";
import { SHOWN_SHARE, type Room } from "./room.js";
import { strategyOf, type Strategy } from "./schedules.js";
import { sweepSegments } from "./scheduled.js";
import { onePiece, refuseEscapes, segmentsOf, segmentsTable, type Segments } from "./segments.js";
import { Shown, ShownSweep, type BadElement } from "./shown.js";

export class Execution {
  readonly regions: Regions;
  readonly shown: Shown | null = null;
  /** what compares every replay with the first run; null: nothing is replayed */
  readonly contract: Contract | null = null;
  /** how exact the inverses of coupling layers were; null: none are asked for */
  readonly reconstruction: Reconstruction | null = null;
  /** local derivatives by edge, taken while the primals were there; null: they are all there */
  locals: Float64Array | null = null;
  segments: Segments | null = null;
  private readonly strategy: Strategy;
  private decision: Decision | null = null;
  private remat: Rematerialisation | null = null;
  private remarks: readonly string[] = [];
  private shownSweeps: readonly ShownSweep[] = [];
  private flat: FlatTape | null = null;

  /**
   * @param schedule as typed
   * @param room what the memory limit leaves for primals
   * @param views whether the events and what views show are wanted; else only the sweep
   * @param mode how replays differ from the first run on purpose
   * @param dtype format of the primals
   * @throws BacksweepError `option` for a name that is no schedule
   */
  constructor(
    private readonly recorder: Recorder,
    private readonly schedule: string,
    private readonly room: Room,
    views = true,
    mode: ReplayMode = {},
    dtype: Dtype = "f64",
  ) {
    this.strategy = strategyOf(schedule);
    this.regions = new Regions(recorder, (kind, steps, index) => this.planFor(kind, steps, index));
    useRegions(recorder, this.regions);
    if (this.strategy.kind === "store-all") return;
    const log = views ? new StorageLog() : null;
    this.regions.log = log;
    this.regions.primals = new Primals(
      recorder.tape,
      log === null ? null : (node): void => log.push(Did.drop, node),
      room.collect ?? null,
    );
    this.regions.mode = mode;
    if (views) {
      const keeper = new Keeper((room.limit * SHOWN_SHARE) / Float64Array.BYTES_PER_ELEMENT);
      this.shown = new Shown(recorder.tape, keeper);
      this.observe(this.shown);
      if (this.inverts) this.observe((this.reconstruction = new Reconstruction(this.shown, dtype)));
    }
    this.contract = new Contract(recorder, mode.goOn === true, (node) => this.shown?.arrays.get(node));
    this.observe(this.contract);
  }

  private planFor(kind: SegmentKind, steps: number, index: number): Schedule | null {
    if (this.strategy.kind === "regions") return this.strategy.plan(kind, steps, index);
    return this.decision?.schedules[index] ?? null;
  }

  /** Has somebody told of every first run and every replay. */
  observe(observer: StepObserver): void {
    this.regions.observers.push(observer);
  }

  /**
   * Before the graph function runs: a budget asks for the sizes of the graph's chains, for which it runs once by itself.
   *
   * @throws BacksweepError `option` where nothing fits the budget, or whatever user code threw
   */
  prepare(measure: () => Measured[]): void {
    const { strategy } = this;
    if (strategy.kind !== "measured") return;
    const measured = measure();
    if (measured.length > 0) this.decide(measured, strategy);
  }

  private decide(measured: readonly Measured[], strategy: Strategy & { readonly kind: "measured" }): void {
    this.decision = decide(this.schedule, strategy, measured, this.room);
    this.remarks = this.decision.remarks;
  }

  private get inverts(): boolean {
    return "inverts" in this.strategy;
  }

  /** True when something is dropped and replayed. */
  get scheduled(): boolean {
    return this.strategy.kind === "nodes" || this.regions.list.some(({ executor }) => executor !== null);
  }

  /**
   * The recording has ended.
   *
   * @throws BacksweepError `definition` where a dropped value is used from outside its step
   */
  close(flat: FlatTape, nameOf: (node: number) => string): void {
    const { regions, shown, strategy } = this;
    this.flat = flat;
    if (strategy.kind !== "store-all") {
      shown?.column(flat.n);
      regions.primals!.mirror(flat.value);
      regions.constants = flat.constants;
    }
    if (this.inverts) this.requireLayers();
    if (regions.list.length === 0 && (strategy.kind === "regions" || strategy.kind === "measured"))
      this.cut(flat);
    this.segments = segmentsOf(regions, flat.n);
    if (!this.scheduled) return;
    if (this.segments !== null) refuseEscapes(flat, this.segments, regions, nameOf);
    if (shown !== null) this.locals = new Float64Array(flat.edgeFrom.length);
  }

  private requireLayers(): void {
    if (this.regions.list.some(({ kind }) => kind === SegmentKind.coupling)) return;
    throw new BacksweepError(
      "option",
      `schedule "${this.schedule}" is for coupling layers, and this graph has none: chain(n, [x1, x2], coupling(f, g)) is one; revolve and auto are for any chain`,
    );
  }

  private evaluator(flat: FlatTape): Evaluator {
    const { tape, round, customRules } = this.recorder;
    const { mode } = this.regions;
    return new Evaluator(flat, tape, mode.round === undefined ? round : mode.round, customRules);
  }

  /** A graph without regions is cut into steps, and carries out the first sweep on what the recording left. */
  private cut(flat: FlatTape): void {
    const { regions, strategy } = this;
    const cuts = cutOf(flat);
    if (cuts === null) {
      this.remarks = ["The graph is too small to be cut into steps: everything is kept."];
      return;
    }
    const region = new CutRegion(flat, cuts, this.evaluator(flat), this.contract);
    if (strategy.kind === "measured") this.decide([region.measured()], strategy);
    const schedule = this.planFor(SegmentKind.cut, region.count, 0);
    const said = cuts.states.slice(1).map((state) => state.length);
    this.remarks = [
      ...this.remarks,
      `The graph has no chain or checkpoint: it was cut into ${region.count} steps where few values are live (${said.length === 0 ? 0 : Math.max(...said)} at most); while the graph function runs, everything is held.`,
    ];
    if (schedule === null) return;
    regions.list.push(region);
    region.begin(schedule, regions.primals!, regions.log);
  }

  /** Where each of `count` sweeps leaves its arrays when they have been used; undefined: it keeps them. */
  sweeps(count: number): readonly (ShownSweep | undefined)[] {
    if (!this.scheduled || this.shown === null) return new Array<undefined>(count).fill(undefined);
    const { keeper } = this.shown;
    return (this.shownSweeps = Array.from({ length: count }, () => new ShownSweep(keeper)));
  }

  /** Runs sweeps over one execution; their results have the means of arrays in the columns. */
  sweep(
    order: Int32Array,
    active: Uint8Array,
    outputs: readonly number[],
    sweeps: readonly RunningSweep[],
  ): SweepResult[] {
    const { segments, regions, recorder, locals, strategy } = this;
    const flat = this.flat!;
    const local = (v: number): void => {
      if (locals !== null) writeLocals(flat, v, recorder.customRules, locals);
    };
    if (strategy.kind === "nodes") {
      this.remat = new Rematerialisation(flat, outputs, order, strategy.budget);
      // of dead nodes nothing will be asked again
      for (let v = 0; v < flat.n; v++) if (active[v] === 0) local(v);
      this.remat.run(regions.primals!, this.evaluator(flat), regions.log, sweeps, local, this.contract);
      this.remarks = this.remat.remarks();
    } else if (segments === null || !this.scheduled) for (const sweep of sweeps) sweep.visit(0, order.length);
    else {
      sweepSegments(regions, segments, order, active, sweeps, (row) => {
        for (let v = segments.first[row]; v < segments.end[row]; v++) local(v);
      });
    }
    return sweeps.map((sweep) => {
      const result = sweep.result();
      fillMeans(result);
      return result;
    });
  }

  /** The tape with every number as it was first computed. */
  shownTape(flat: FlatTape): FlatTape {
    return this.scheduled && this.shown !== null ? { ...flat, value: this.shown.column(flat.n) } : flat;
  }

  get bad(): ReadonlyMap<number, BadElement> | null {
    return this.scheduled && this.shown !== null ? this.shown.bad : null;
  }

  /** What sweep number `which` adds to its trace; null for a recording without segments. */
  parts(
    which: number,
    strings: Interner,
    flat: FlatTape,
    sweep: SweepResult,
    active: Uint8Array,
    seeds: readonly Seed[],
  ): Parts | null {
    const { segments, regions } = this;
    if (segments === null && !this.scheduled) return null;
    const storage =
      this.scheduled && regions.log !== null
        ? buildStorageEvents(flat, sweep, active, seeds, segments ?? onePiece(flat.n), regions.log)
        : null;
    return {
      segments: segments === null ? null : segmentsTable(segments, regions, strings),
      shownSweep: this.shownSweeps[which] ?? null,
      storage,
    };
  }

  /**
   * The report's part on checkpoints; empty for a graph without segments of which everything was kept, unless it is to
   * be set beside other schedules: then it counts as kept step by step, in the steps it would be cut into.
   */
  report(beside = false): Pick<RunReport, "checkpoint"> {
    const { regions, strategy, scheduled, contract, reconstruction } = this;
    if (regions.list.length === 0 && strategy.kind === "store-all" && !beside) return {};
    const cuts = beside && strategy.kind !== "nodes" ? cutOf(this.flat!) : null;
    return {
      checkpoint: checkpointReport({
        schedule: this.schedule,
        regions: regions.list,
        flat: this.flat!,
        replay: scheduled && contract !== null ? contract.report() : null,
        peakBytes: scheduled ? regions.primals!.peakBytes : null,
        reconstruction,
        remarks: this.remarks,
        first: strategy.kind === "nodes" ? 0 : inputsOf(this.flat!),
        keptSteps: !beside || strategy.kind === "nodes" ? null : (cuts?.starts.length ?? 2) - 1,
      }),
    };
  }
}

/** Where the recording of a graph without regions is cut; null: it is too small. */
function cutOf(flat: FlatTape): Cuts | null {
  return cutTape(flat, inputsOf(flat), (v) => primalBytes(flat, v));
}
