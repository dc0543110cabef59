/**
 * Entry of the runner process. It runs no user code itself: it starts workers, watches the one at work, and passes its
 * words and its result on. Its own event loop stays free, so a deadline is always kept.
 */
import { Socket } from "node:net";
import { bytesOf, pack } from "../engine/trace/columns.js";
import { DATA_FD } from "./lifeline.js";
import { DEFAULT_MEMORY_BYTES, type RunRequest, type JobResult } from "./messages.js";
import { Realm } from "./realm.js";
import { RunWatch } from "./watch.js";
import type { HostToRunner, RunnerToHost } from "./wire.js";

function option(name: string, fallback: number): number {
  const text = process.argv.find((arg) => arg.startsWith(`--${name}=`));
  return text === undefined ? fallback : Number(text.slice(name.length + 3));
}

/** Milliseconds into a run after which the next worker is made ready. */
const SPARE_AFTER_MS = 150;
/** Milliseconds a cancelled worker may take to end before the process is given up. */
const STUCK_AFTER_MS = 3_000;

const keepsSpare = option("spare", 1) === 1;
const data = new Socket({ fd: DATA_FD });
let spare: Realm | null = new Realm(option("memory", DEFAULT_MEMORY_BYTES));
let current: { readonly id: number; readonly watch: RunWatch } | null = null;

function tell(message: RunnerToHost): void {
  if (process.connected) process.send!(message);
}

function takeRealm(memoryBytes: number): Realm {
  const ready = spare;
  spare = null;
  if (ready !== null && ready.memoryBytes === memoryBytes && !ready.dead) return ready;
  void ready?.terminate();
  return new Realm(memoryBytes);
}

function prepareSpare(memoryBytes: number): void {
  if (keepsSpare && spare === null) spare = new Realm(memoryBytes);
}

function sendResult(id: number, result: JobResult): void {
  const { packed, columns } = pack(result);
  tell({ type: "result", id, packed });
  for (const column of columns) data.write(bytesOf(column));
}

function cancel(id: number): void {
  if (current?.id !== id) {
    tell({ type: "gone", id });
    return;
  }
  const { watch } = current;
  current = null;
  const timer = setTimeout(() => tell({ type: "stuck", id }), STUCK_AFTER_MS);
  void watch.cancel().then(() => {
    clearTimeout(timer);
    tell({ type: "gone", id });
  });
}

function run(id: number, request: RunRequest): void {
  if (current !== null) cancel(current.id);
  const realm = takeRealm(request.memoryBytes);
  const watch = new RunWatch(realm, request, {
    onStarted: () => tell({ type: "started", id }),
    onRecorded: (sweepMs) => tell({ type: "recorded", id, sweepMs }),
    onConsole: (line) => tell({ type: "console", id, line }),
    onAudit: (word) => tell({ type: "audit", id, word }),
    onLast: (place) => tell({ type: "last", id, place }),
    onEnding: (kind) => tell({ type: "ending", id, kind }),
    onPacking: () => tell({ type: "progress", id }),
    onResult: (result) => {
      if (current?.watch === watch) current = null;
      sendResult(id, result);
      prepareSpare(request.memoryBytes);
    },
  });
  current = { id, watch };
  watch.start();
  const timer = setTimeout(() => prepareSpare(request.memoryBytes), SPARE_AFTER_MS);
  timer.unref();
}

process.on("message", (message: HostToRunner) => {
  if (message.type === "run") run(message.id, message.request);
  else cancel(message.id);
});
// the host is gone: nobody is left to run for
process.on("disconnect", () => process.exit(0));
data.on("error", () => process.exit(0));
