/** Collects the writes and draws of one run, and ends a run that writes without end. */
import { observing } from "../tape/writes.js";
import { call } from "../tape/callsite.js";
import type { Draw, Phase, Write } from "./outcome.js";

/** Writes kept for looking at; further ones are only counted. */
const KEPT = 20_000;

/** Thrown inside user code when it has written, or read its tape, more often than any honest sweep would. */
export class TooManyVisits extends Error {
  constructor(readonly visits: number) {
    super(`stopped after ${visits} visits`);
  }
}

export class Listener {
  readonly writes: Write[] = [];
  readonly draws: Draw[] = [];
  /** functions that were called, by their site: the first of them */
  readonly entered: { readonly site: number; readonly phase: Phase; readonly node: number }[] = [];
  readonly perSite = new Map<number, number>();
  /** calls of functions, in all and by the function's site */
  readonly perFunction = new Map<number, number>();
  calls = 0;
  count = 0;
  reads = 0;
  phase: Phase = "forward";
  node = -1;

  constructor(private readonly most = Infinity) {}

  /** Runs a part of the adapter and listens. */
  during<T>(phase: Phase, node: number, body: () => T): T {
    this.phase = phase;
    this.node = node;
    return observing(
      {
        write: (write) => {
          this.visit();
          this.perSite.set(write.site, (this.perSite.get(write.site) ?? 0) + 1);
          if (this.writes.length < KEPT) this.writes.push({ ...write, phase: this.phase, node: this.node });
        },
        draw: ({ site }) => {
          if (this.draws.length < KEPT) this.draws.push({ site, phase: this.phase });
        },
        enter: (site) => {
          this.calls++;
          if (this.entered.length < KEPT) this.entered.push({ site, phase: this.phase, node: this.node });
          this.perFunction.set(site, (this.perFunction.get(site) ?? 0) + 1);
          if (this.calls > this.most) throw new TooManyVisits(this.calls);
        },
      },
      body,
    );
  }

  read(): void {
    this.reads++;
    if (this.reads > this.most) throw new TooManyVisits(this.reads);
  }

  private visit(): void {
    this.count++;
    if (this.count > this.most) throw new TooManyVisits(this.count);
  }
}

/** Sites of calls that user code made before must not be taken for ours. */
export function forgetCall(): void {
  call.site = -1;
  call.scope = null;
}
