/**
 * A run that must end: the graph called `process.exit`, or asked for more memory than it may have. The first reason is
 * kept, and the rewritten code is told to stop, so that a `catch` in user code does not undo it.
 */
import type { FailureKind } from "./messages.js";
import { REQUEST, Request } from "./monitor.js";

export class StopRun extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
  ) {
    super(message);
  }
}

export class StopState {
  reason: StopRun | null = null;

  constructor(private readonly monitor: Int32Array) {}

  /** Ends the run from inside user code. */
  stop(kind: FailureKind, message: string): never {
    this.reason ??= new StopRun(kind, message);
    Atomics.store(this.monitor, REQUEST, Request.cancel);
    throw this.reason;
  }
}
