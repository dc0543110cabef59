/**
 * Watches one run from the runner's main thread: deadline, memory, cancellation. Each is first asked of the worker
 * through shared memory, so that what was traced can still be handed over; a worker that does not answer is terminated,
 * and the host kills the process when even that does not come to an end.
 */
import type { AuditWord } from "./audit-messages.js";
import { ended, failed } from "./lost.js";
import type { ConsoleLine, FailureKind, RunRequest, JobResult } from "./messages.js";
import { Phase, PHASE, REQUEST, Request, SITE } from "./monitor.js";
import type { Realm } from "./realm.js";
import type { Place, WorkerToRunner } from "./wire.js";

interface WatchEvents {
  onStarted(): void;
  onRecorded(sweepMs: number): void;
  onConsole(line: ConsoleLine): void;
  onAudit(word: AuditWord): void;
  onLast(place: Place): void;
  onEnding(kind: FailureKind): void;
  onPacking(): void;
  onResult(result: JobResult): void;
}

const POLL_MS = 50;
/** The first looks come sooner: a realm can be filled within milliseconds. */
const FIRST_POLLS_MS = [5, 10, 20, 30];
/** Milliseconds the rewritten code has for reaching its next check. */
const GRACE_MS = 400;
/** Resident memory beyond the limit at which a worker that does not answer is ended, in parts of the limit and bytes. */
const RESIDENT_FACTOR = 1.5;
const RESIDENT_BYTES = 192 * 2 ** 20;
/** Milliseconds a terminated worker has for ending. */
const KILL_MS = 1_000;
/**
 * Milliseconds the sweep has at least when no code of the user's runs in it: its work is bounded by the memory limit, and
 * a busy machine must not turn a large graph into a failure.
 */
const SWEEP_MS = 30_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class RunWatch {
  private readonly timers: NodeJS.Timeout[] = [];
  private poll: NodeJS.Timeout | null = null;
  private deadline: NodeJS.Timeout | null = null;
  private polls = 0;
  private residentAtStart = 0;
  private lastSite = -1;
  private last: Place | null = null;
  private over = false;
  private forced: FailureKind | null = null;

  constructor(
    private readonly realm: Realm,
    private readonly request: RunRequest,
    private readonly events: WatchEvents,
  ) {}

  start(): void {
    const { worker } = this.realm;
    worker.on("message", (message: WorkerToRunner) => this.receive(message));
    worker.on("error", (error: NodeJS.ErrnoException) => this.onWorkerError(error));
    worker.once("exit", () => {
      // a little later than "error", which says why
      setImmediate(() => this.finish(ended(this.request, this.forced ?? "exit", this.look())));
    });
    this.residentAtStart = process.memoryUsage.rss();
    this.realm.send({ type: "run", request: this.request });
    this.schedulePoll();
  }

  /** Ends the run without a result; resolves when its worker has ended. */
  async cancel(): Promise<void> {
    this.close();
    Atomics.store(this.realm.monitor, REQUEST, Request.cancel);
    await this.realm.terminate();
  }

  private receive(message: WorkerToRunner): void {
    if (message.type === "sites") this.realm.addSites(message);
    if (this.over) return;
    if (message.type === "begun") {
      this.events.onStarted();
      this.setDeadline(this.request.timeoutMs);
    } else if (message.type === "recorded") {
      const sweepMs = message.userCode ? this.request.timeoutMs : Math.max(this.request.timeoutMs, SWEEP_MS);
      this.events.onRecorded(sweepMs);
      this.setDeadline(sweepMs);
    } else if (message.type === "console") this.events.onConsole(message.line);
    else if (message.type === "audit") this.events.onAudit(message.word);
    else if (message.type === "packing") {
      this.clearTimers();
      this.events.onPacking();
    } else if (message.type === "result") this.finish(message.result);
  }

  private setDeadline(milliseconds: number): void {
    if (this.deadline !== null) clearTimeout(this.deadline);
    const wait = Math.min(milliseconds, LONGEST_TIMER_MS);
    this.deadline = this.later(wait, () => this.stop("deadline", Request.deadline));
  }

  /** Asks for the end, and takes it by force when nothing happens. */
  private stop(kind: FailureKind, request: number): void {
    if (this.over) return;
    Atomics.store(this.realm.monitor, REQUEST, request);
    const grace = this.realm.monitor[PHASE] === Phase.packing ? 10 * GRACE_MS : GRACE_MS;
    this.later(grace, () => this.force(kind));
  }

  private force(kind: FailureKind): void {
    if (this.over || this.forced !== null) return;
    this.forced = kind;
    this.look();
    this.events.onEnding(kind);
    void this.realm.terminate();
    // one long built-in call cannot be interrupted: then the process goes, and the host knows why
    this.later(KILL_MS, () => process.kill(process.pid, "SIGKILL"));
  }

  private onWorkerError(error: NodeJS.ErrnoException): void {
    if (this.over) return;
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") this.forced ??= "memory";
    else if (this.forced === null) {
      this.finish(failed(this.request, "internal", `the worker failed: ${error.message}`, this.look()));
    }
  }

  private schedulePoll(): void {
    const delay = FIRST_POLLS_MS[this.polls] ?? POLL_MS;
    this.polls++;
    this.poll = setTimeout(() => {
      if (this.over) return;
      this.look();
      this.weigh();
      this.schedulePoll();
    }, delay);
  }

  /** Notes the last place reached, here and with the host. */
  private look(): Place | null {
    const site = this.realm.monitor[SITE];
    if (site !== this.lastSite) {
      const place = this.realm.placeOf(site);
      if (place !== null) {
        this.lastSite = site;
        this.last = place;
        if (!this.over) this.events.onLast(place);
      }
    }
    return this.last;
  }

  /**
   * Asks the worker to look at its own heap. One that has not answered since the last time is inside one long built-in
   * call or the sweep; then the process's resident memory is all there is to go by.
   */
  private weigh(): void {
    const { monitor } = this.realm;
    const unanswered = monitor[REQUEST] !== Request.none;
    if (!unanswered) {
      Atomics.compareExchange(monitor, REQUEST, Request.none, Request.sample);
      return;
    }
    const grown = process.memoryUsage.rss() - this.residentAtStart;
    if (grown > this.request.memoryBytes * RESIDENT_FACTOR + RESIDENT_BYTES) this.force("memory");
  }

  private later(milliseconds: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(act, milliseconds);
    this.timers.push(timer);
    return timer;
  }

  private clearTimers(): void {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    if (this.poll !== null) clearTimeout(this.poll);
    this.poll = null;
  }

  private close(): void {
    this.over = true;
    this.clearTimers();
  }

  private finish(result: JobResult): void {
    if (this.over) return;
    this.close();
    this.events.onResult(result);
    void this.realm.terminate();
  }
}
