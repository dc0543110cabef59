/** One run inside its realm: load, evaluate, sweep, lay out; and whatever happens, one answer. */
import { registerModule } from "../engine/tape/sites.js";
import type { CompiledModule } from "../engine/compile/compiled.js";
import { GraphRun } from "../engine/graph/run.js";
import { connectMonitor } from "../engine/compile/runtime/index.js";
import * as runtime from "../engine/compile/runtime/index.js";
import { analyse, type AnalysisKind, type AnalysisOf } from "../engine/analysis/analysis.js";
import { resolveOptions } from "../engine/graph/options.js";
import { keepWrongDefinitions, type GraphDefinition } from "../engine/graph/definition.js";
import { keepWrongAudits } from "../engine/audit/definition.js";
import * as engine from "../engine/index.js";
import { layoutTrace } from "../engine/layout/layout.js";
import type { Trace } from "../engine/trace/trace.js";
import { auditModule } from "./audit-job.js";
import type { AuditSuccess } from "./audit-messages.js";
import { failureOf, requestedEnd, type FailureContext } from "./failures.js";
import { showFramesOf, userFrames } from "./frames.js";
import { ModuleLoader } from "./loader.js";
import { Measurement } from "./measure.js";
import type { MemoryGuard } from "./memory.js";
import type {
  AnalysedGraph,
  AnalysisSuccess,
  Failure,
  JobResult,
  RunFailure,
  RunRequest,
} from "./messages.js";
import { Phase, PHASE, REQUEST, Request } from "./monitor.js";
import { graphNames, pickGraph } from "./pick-graph.js";
import { realPath } from "./resolve.js";
import type { StopState } from "./stop.js";
import type { WorkerToRunner } from "./wire.js";

interface JobTools {
  readonly monitor: Int32Array;
  readonly stop: StopState;
  readonly memory: MemoryGuard;
  readonly tell: (message: WorkerToRunner) => void;
}

/** Milliseconds between looks at the stop request while the job waits for a promise of the user's. */
const WAIT_MS = 20;

export class Job {
  private readonly context: FailureContext & { loader: ModuleLoader | null };
  private run_: GraphRun | null = null;

  constructor(
    private readonly request: RunRequest,
    private readonly tools: JobTools,
  ) {
    this.context = { request, monitor: tools.monitor, stop: tools.stop, loader: null };
  }

  /** Never rejects. */
  async run(): Promise<JobResult> {
    const { monitor, tell } = this.tools;
    const started = performance.now();
    try {
      const result = await this.work(started);
      const requested = requestedEnd(this.context);
      if (requested === null) return result;
      return this.failed(requested);
    } catch (error) {
      // reading an error may run code of the user's (a getter, a Proxy), so the deadline still counts here
      const failure = this.failureOf(error);
      tell({ type: "packing" });
      monitor[PHASE] = Phase.packing;
      return this.failed(failure);
    }
  }

  private failed(failure: Failure): RunFailure {
    return { ok: false, failure, partial: this.partial(), files: this.context.loader?.paths() ?? [] };
  }

  private failureOf(error: unknown): Failure {
    try {
      return failureOf(error, this.context);
    } catch (stopped) {
      return failureOf(stopped, this.context);
    }
  }

  private async work(started: number): Promise<JobResult> {
    const { request } = this;
    const { monitor, tell } = this.tools;
    monitor[PHASE] = Phase.loading;
    const loader = this.createLoader();
    this.context.loader = loader;
    showFramesOf(loader);
    connectMonitor(monitor, () => this.sample());
    keepWrongDefinitions(true);
    keepWrongAudits(true);
    const entry = await loader.load(request.file);
    // before the deadline counts
    if (request.analysis?.kind === "compare") Measurement.warm();
    this.begin();
    await this.untilStopped(entry.evaluate());
    const namespace = entry.namespace as Record<string, unknown>;
    if (request.audit !== undefined) return this.audit(namespace, started);
    if (request.analysis !== undefined) return this.analyse(namespace, request.analysis, started);
    const { name, definition, graphs } = pickGraph(namespace, request.options.graph);
    const settings = resolveOptions(definition, request.options);
    this.run_ = new GraphRun(definition, settings, {
      name,
      graphs,
      root: request.root,
      limitBytes: request.memoryBytes,
    });
    const { trace, counterpart, report } = this.run_.run((userCode) => {
      monitor[PHASE] = Phase.sweep;
      tell({ type: "recorded", userCode });
    });
    tell({ type: "packing" });
    monitor[PHASE] = Phase.packing;
    const positions = request.layout ? layoutTrace(trace) : null;
    const files = loader.paths();
    return { ok: true, trace, counterpart, report, positions, files, elapsedMs: performance.now() - started };
  }

  private audit(namespace: Record<string, unknown>, started: number): AuditSuccess {
    const { engines, audited } = auditModule(namespace, this.request.audit!, {
      file: this.request.file,
      frames: (error) => userFrames(error, this.context.loader),
      failureOf: (error) => this.failureOf(error),
      ending: () => requestedEnd(this.context) !== null,
      begun: () => this.tools.tell({ type: "begun" }),
      tell: (word) => this.tools.tell({ type: "audit", word }),
    });
    this.tools.tell({ type: "packing" });
    this.tools.monitor[PHASE] = Phase.packing;
    const files = this.context.loader?.paths() ?? [];
    return { ok: true, engines, audited, files, elapsedMs: performance.now() - started };
  }

  /** The analysis of the one graph, or of each; a stop request or a failure of the only graph ends it all. */
  private analyse(
    namespace: Record<string, unknown>,
    analysis: AnalysisOf<AnalysisKind>,
    started: number,
  ): AnalysisSuccess<AnalysisKind> {
    const { request } = this;
    const graphs = graphNames(namespace);
    const wanted = request.everyGraph === true ? graphs : [pickGraph(namespace, request.options.graph).name];
    const analysed: AnalysedGraph<AnalysisKind>[] = [];
    const measurement = analysis.kind === "compare" ? new Measurement() : null;
    measurement?.begin();
    for (const name of wanted) {
      // each graph has the whole time to itself
      if (analysed.length > 0) this.tools.tell({ type: "begun" });
      try {
        const { definition } = pickGraph(namespace, name);
        analysed.push(this.analyseOne(name, definition, graphs, analysis, measurement?.collect));
      } catch (error) {
        if (wanted.length === 1 || requestedEnd(this.context) !== null) throw error;
        analysed.push({ graph: name, failure: this.failureOf(error) });
      }
    }
    const measured = measurement?.end();
    this.tools.tell({ type: "packing" });
    this.tools.monitor[PHASE] = Phase.packing;
    return {
      ok: true,
      graphs,
      analysed,
      elapsedMs: performance.now() - started,
      ...(measured === undefined ? {} : { measured }),
    };
  }

  private analyseOne(
    name: string,
    definition: GraphDefinition,
    graphs: readonly string[],
    analysis: AnalysisOf<AnalysisKind>,
    collect: (() => void) | undefined,
  ): AnalysedGraph<AnalysisKind> {
    const { request } = this;
    const settings = resolveOptions(definition, request.options);
    const recorded = (userCode: boolean): void => {
      this.tools.monitor[PHASE] = Phase.sweep;
      this.tools.tell({ type: "recorded", userCode });
    };
    const limited = { name, graphs, root: request.root, limitBytes: request.memoryBytes, recorded };
    const context = collect === undefined ? limited : { ...limited, collect };
    const result = analyse({ definition, settings, context }, analysis);
    const { dtype, cotangentDtype, accumulate, order, schedule, seed } = settings;
    const shown = { dtype, cotangentDtype, accumulation: accumulate, order, schedule, seed };
    return { graph: name, settings: shown, result, failure: null };
  }

  private createLoader(): ModuleLoader {
    const { request, tools } = this;
    const texts = request.texts ?? {};
    return new ModuleLoader({
      walls: {
        root: realPath(request.root),
        allowImports: request.allowImports,
        texts: new Set(Object.keys(texts)),
      },
      texts,
      observe: request.audit !== undefined,
      engine,
      runtime,
      onCompiled: (compiled, text) => this.register(compiled, text, tools),
      onForeign: () => this.begin(),
    });
  }

  /** Code that is not ours runs from here on, and the deadline counts. */
  private begin(): void {
    const { monitor, tell } = this.tools;
    if (monitor[PHASE] === Phase.user) return;
    monitor[PHASE] = Phase.user;
    tell({ type: "begun" });
  }

  private register(compiled: CompiledModule, text: string, { tell }: JobTools): void {
    const { sites, file } = compiled;
    const base = registerModule({ ...sites, file, text });
    tell({
      type: "sites",
      base,
      file,
      line: Int32Array.from(sites.line),
      column: Int32Array.from(sites.col),
      endLine: Int32Array.from(sites.endLine),
      endColumn: Int32Array.from(sites.endCol),
    });
  }

  /** Waits for a promise of user code; a stop request ends the wait. */
  private async untilStopped(promise: Promise<unknown>): Promise<void> {
    const { monitor } = this.tools;
    let timer: NodeJS.Timeout | undefined;
    const stopped = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        const request = Atomics.load(monitor, REQUEST);
        if (request !== Request.none && request !== Request.sample)
          reject(new Error("the run was asked to stop"));
      }, WAIT_MS);
    });
    try {
      await Promise.race([promise, stopped]);
    } finally {
      clearInterval(timer);
    }
  }

  /** The watch wants to know how much memory is in use. */
  private sample(): void {
    const { monitor, memory } = this.tools;
    Atomics.compareExchange(monitor, REQUEST, Request.sample, Request.none);
    if (memory.passed()) memory.refuse();
  }

  private partial(): Trace | null {
    try {
      return this.run_?.partial() ?? null;
    } catch {
      // what was recorded cannot be put together: the failure is the answer
      return null;
    }
  }
}
