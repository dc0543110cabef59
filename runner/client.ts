/**
 * The host's side of the runner: extension host and CLI talk to user code only through this. The runner process is
 * forked at the first run and again after it was lost; a run that it took down still gets one message.
 */
import { Lifeline, type Death } from "./lifeline.js";
import { cancelled, lostProcess, overdue } from "./lost.js";
import { auditEach } from "./audit-each.js";
import type { AuditAsked, AuditSuccess, AuditTold, AuditWord } from "./audit-messages.js";
import type { AnalysisKind } from "../engine/analysis/analysis.js";
import type {
  AnalysisRequest,
  AnalysisSuccess,
  ConsoleLine,
  FailureKind,
  JobResult,
  RunFailure,
  RunRequest,
  RunResult,
} from "./messages.js";
import type { Place, RunnerToHost } from "./wire.js";

export interface RunnerOptions {
  /** absolute path of the runner's entry, `dist/runner.js` */
  readonly runnerPath: string;
  /** diagnostic lines of the runner itself, never of the user's code */
  readonly log: (line: string) => void;
  /** what user code wrote with `console` */
  readonly onConsole: (line: ConsoleLine) => void;
  /** keep a warm spare worker for the next run; default true. A host that runs once has no use for it. */
  readonly spare?: boolean;
}

interface Pending {
  readonly id: number;
  readonly request: RunRequest;
  readonly settle: (result: JobResult) => void;
  readonly hear: ((word: AuditWord) => void) | undefined;
  last: Place | null;
  ending: FailureKind | null;
  timer: NodeJS.Timeout | null;
  restarted: boolean;
}

/** Milliseconds the runner has for ending an overdue run by itself before its process is killed. */
const KILL_AFTER_MS = 4_000;
/** Milliseconds a process may take to come up and to compile the modules. */
const START_MS = 60_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Runner {
  private child: Lifeline | null = null;
  private pending: Pending | null = null;
  private lastId = 0;
  /** cancelled runs whose workers may still be at work in the process */
  private readonly lingering = new Set<number>();
  private disposed = false;

  constructor(private readonly options: RunnerOptions) {}

  /** Starts the process ahead of the first run. */
  warm(memoryBytes: number): void {
    if (!this.disposed && this.child === null) this.child = this.fork(memoryBytes);
  }

  /**
   * Runs a graph. Never rejects: every way to fail is a `RunFailure`. The latest run wins: one that is still going is
   * ended and answers `cancelled`.
   */
  async run(request: RunRequest, signal?: AbortSignal): Promise<RunResult> {
    const { analysis: _, ...plain } = request;
    return (await this.request(plain, signal)) as RunResult;
  }

  /** Asks for an analysis of a graph, or of every graph of its module; otherwise as `run`. */
  async analyse<K extends AnalysisKind>(
    request: AnalysisRequest<K>,
    signal?: AbortSignal,
  ): Promise<AnalysisSuccess<K> | RunFailure> {
    return (await this.request(request, signal)) as AnalysisSuccess<K> | RunFailure;
  }

  /**
   * Audits the engines a module exports; otherwise as `run`. One that does not end, or takes the process with it, fails
   * alone. `told` is called now and then with how far it is.
   */
  async audit(
    request: RunRequest & { readonly audit: AuditAsked },
    signal?: AbortSignal,
    told?: (told: AuditTold) => void,
  ): Promise<AuditSuccess | RunFailure> {
    const ask = async (
      asked: AuditAsked,
      hear: (word: AuditWord) => void,
    ): Promise<AuditSuccess | RunFailure> =>
      (await this.request({ ...request, audit: asked }, signal, hear)) as AuditSuccess | RunFailure;
    return auditEach(ask, request, told);
  }

  private request(
    request: RunRequest,
    signal?: AbortSignal,
    hear?: (word: AuditWord) => void,
  ): Promise<JobResult> {
    this.abandon();
    if (this.disposed || signal?.aborted) return Promise.resolve(cancelled(request));
    return new Promise((resolve) => {
      const onAbort = (): void => {
        if (this.pending?.id === id) this.abandon();
      };
      const id = ++this.lastId;
      const settle = (result: JobResult): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve(result);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const pending: Pending = {
        id,
        request,
        settle,
        hear,
        last: null,
        ending: null,
        timer: null,
        restarted: false,
      };
      this.pending = pending;
      this.start(pending);
    });
  }

  /** Ends the process; a run that is going answers `cancelled`. */
  dispose(): void {
    this.disposed = true;
    this.abandon();
    this.child?.kill();
    this.child = null;
  }

  private start(pending: Pending): void {
    const { id, request } = pending;
    this.child ??= this.fork(request.memoryBytes);
    this.arm(pending, START_MS);
    this.child.send({ type: "run", id, request });
  }

  /** The process is gone. A run that shared it with a cancelled one may not be the reason: it gets one more try. */
  private lost(death: Death): void {
    this.child = null;
    const suspects = this.lingering.size;
    this.lingering.clear();
    const { pending } = this;
    if (pending === null) return;
    if (suspects > 0 && !pending.restarted) {
      pending.restarted = true;
      this.start(pending);
      return;
    }
    this.finish(pending.id, lostProcess(pending.request, pending.last, pending.ending, death));
  }

  private fork(memoryBytes: number): Lifeline {
    const child: Lifeline = new Lifeline({
      path: this.options.runnerPath,
      args: [`--memory=${memoryBytes}`, `--spare=${this.options.spare === false ? 0 : 1}`],
      log: this.options.log,
      onMessage: (message) => this.receive(message),
      onResult: (id, result) => this.finish(id, result as JobResult),
      onLost: (death) => {
        if (this.child === child) this.lost(death);
      },
    });
    return child;
  }

  private receive(message: Exclude<RunnerToHost, { type: "result" }>): void {
    if (message.type === "gone") this.lingering.delete(message.id);
    if (message.type === "stuck") {
      this.child?.kill();
      this.lost({ code: null, signal: "SIGKILL", stderr: "" });
      return;
    }
    const { pending } = this;
    if (pending === null || message.id !== pending.id) return;
    switch (message.type) {
      case "started":
        this.arm(pending, pending.request.timeoutMs + KILL_AFTER_MS);
        break;
      case "recorded":
        this.arm(pending, message.sweepMs + KILL_AFTER_MS);
        break;
      case "console":
        this.options.onConsole(message.line);
        break;
      case "audit":
        pending.hear?.(message.word);
        break;
      case "last":
        pending.last = message.place;
        break;
      case "ending":
        pending.ending = message.kind;
        break;
      case "progress":
        // the run itself is over and its result is on the way: how long that takes depends on its size alone
        this.arm(pending, LONGEST_TIMER_MS);
    }
  }

  /** Kills the process when nothing is heard of the run for this long. */
  private arm(pending: Pending, milliseconds: number): void {
    if (pending.timer !== null) clearTimeout(pending.timer);
    const child = this.child;
    pending.timer = setTimeout(
      () => {
        if (this.pending !== pending) return;
        if (this.child === child) this.child = null;
        child?.kill();
        this.lingering.clear();
        this.finish(pending.id, overdue(pending.request, pending.last, pending.ending));
      },
      Math.min(milliseconds, LONGEST_TIMER_MS),
    );
  }

  private abandon(): void {
    const { pending } = this;
    if (pending === null) return;
    this.lingering.add(pending.id);
    this.child?.send({ type: "cancel", id: pending.id });
    this.finish(pending.id, cancelled(pending.request));
  }

  private finish(id: number, result: JobResult): void {
    const { pending } = this;
    if (pending === null || pending.id !== id) return;
    if (pending.timer !== null) clearTimeout(pending.timer);
    this.pending = null;
    pending.settle(result);
  }
}
