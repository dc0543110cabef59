/** Moves of a session: steps, and runs to the next place where something stops. Only what is asked for moves the index. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Breakpoint } from "../../engine/debug/breakpoints/breakpoint.js";
import { Scan, type Hit } from "../../engine/debug/breakpoints/scan.js";
import type { Direction, Spot } from "../../engine/debug/cursor.js";
import type { BreakpointSet } from "./breakpoint-set.js";
import type { State } from "./state.js";

/** Why a session stands still. */
export interface Stop {
  readonly reason:
    | "entry"
    | "step"
    | "breakpoint"
    | "function breakpoint"
    | "data breakpoint"
    | "exception"
    | "goto"
    | "pause";
  /** what is wrong, of an exception; a condition that could not be evaluated */
  readonly wrong: string | null;
  readonly breakpoints: readonly number[];
}

export interface Watcher {
  stopped(stop: Stop): void;
  logged(text: string, spot: Spot): void;
  /** continued at the end of the sweep */
  finished(): void;
}

export class RunControl {
  private running = false;
  private pausing = false;
  private cancelled = false;

  constructor(
    private readonly state: State,
    private readonly breakpoints: BreakpointSet,
    private readonly watcher: Watcher,
  ) {}

  /** On its way: no stop has been told yet. */
  get isRunning(): boolean {
    return this.running;
  }

  /** From the entry: to the first place that stops, the first position included. */
  async start(): Promise<void> {
    await this.run(-1, 1);
  }

  async continue(): Promise<void> {
    const { cursor } = this.state;
    if (cursor.position >= cursor.steps) return this.watcher.finished();
    await this.run(cursor.position, 1);
  }

  async reverseContinue(): Promise<void> {
    await this.run(this.state.cursor.position, -1);
  }

  pause(): void {
    if (this.running) this.pausing = true;
    else this.stop("pause");
  }

  /** Ends a run without a word: the session is over. */
  cancel(): void {
    this.pausing = true;
    this.cancelled = true;
  }

  private async run(from: number, direction: Direction): Promise<void> {
    const { cursor } = this.state;
    cursor.forgetReturns();
    const end = direction === 1 ? cursor.steps : 0;
    const hit = await this.scan(from, end, direction);
    if (this.cancelled) return;
    if (hit === null) {
      cursor.moveTo(end, direction);
      this.stop(direction === 1 ? "step" : "entry");
    } else if (typeof hit === "number") {
      cursor.moveTo(hit, direction);
      this.stop("pause");
    } else this.stopAt(hit, direction);
  }

  /** The first hit on the way; null: none; a position: paused there. */
  private async scan(from: number, to: number, direction: Direction): Promise<Hit | number | null> {
    const scan = this.scanOf(from, to, direction);
    this.running = true;
    this.pausing = this.cancelled;
    try {
      for (;;) {
        const hit = scan.slice();
        if (hit !== "more") return hit;
        await nextTurn();
        if (this.pausing) return scan.reached;
      }
    } finally {
      this.running = false;
    }
  }

  private scanOf(from: number, to: number, direction: Direction): Scan {
    return new Scan(this.state.debuggee, this.breakpoints.active, from, to, direction, (_, text, spot) =>
      this.watcher.logged(text, spot),
    );
  }

  /** Steps by the session's unit, or by `contribution` where that is asked for. */
  async next(contribution = false): Promise<void> {
    const { cursor, granularity } = this.state;
    const statement = granularity === "statement" && !contribution;
    await this.step(statement ? cursor.nextStatement() : cursor.next(), 1);
  }

  async back(contribution = false): Promise<void> {
    const { cursor, granularity } = this.state;
    const statement = granularity === "statement" && !contribution;
    await this.step(statement ? cursor.backStatement() : cursor.back(), -1);
  }

  /**
   * Into what comes next: a replay action by action; in the sweep else the forward evaluation of the node that pays
   * (or of `target`), from where stepping out leads back.
   */
  async stepIn(target?: number): Promise<void> {
    const { cursor, debuggee } = this.state;
    const step = cursor.position + 1;
    const forward = cursor.thread === "forward";
    const acts = step <= cursor.steps && debuggee.isAction(step);
    if (target === undefined && (forward || acts || step > cursor.steps)) return this.step(step, 1);
    const node = target ?? debuggee.payerAt(step);
    if (!cursor.enterEvaluation(node)) return this.step(step, 1);
    this.stop("step");
  }

  async stepOut(): Promise<void> {
    const { cursor } = this.state;
    const spot = cursor.leave();
    if (spot === null) return this.step(cursor.out(), 1);
    cursor.moveTo(spot.position, 1, spot.focus);
    this.stop("step");
  }

  goTo(spot: Spot): void {
    this.state.cursor.goTo(spot);
    this.stop("goto");
  }

  /** One step, in which what lies on the way still stops. */
  private async step(target: number, direction: Direction): Promise<void> {
    const { cursor } = this.state;
    const to = Math.max(0, Math.min(cursor.steps, target));
    if (Math.abs(to - cursor.position) > 1) {
      const hit = await this.scan(cursor.position, to, direction);
      if (this.cancelled) return;
      if (hit !== null && typeof hit !== "number") return this.stopAt(hit, direction);
    }
    cursor.moveTo(to, direction);
    this.stop("step");
  }

  private stopAt(hit: Hit, direction: Direction): void {
    const { cursor, debuggee } = this.state;
    cursor.moveTo(hit.position, direction, hit.focus < 0 ? undefined : hit.focus);
    const first: Breakpoint = hit.breakpoints[0];
    const wrong = this.breakpoints.words(first, debuggee, hit.position, hit.focus);
    this.watcher.stopped({
      reason: first.reason as Stop["reason"],
      wrong: wrong ?? hit.problem,
      breakpoints: hit.breakpoints.map(({ id }) => id),
    });
  }

  private stop(reason: Stop["reason"]): void {
    this.watcher.stopped({ reason, wrong: null, breakpoints: [] });
  }
}
