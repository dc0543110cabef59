/** Entry of a worker: one fresh realm, which runs one request and is thrown away. */
import { parentPort, workerData } from "node:worker_threads";
import { installConsole } from "./console.js";
import { guardRealm } from "./guard.js";
import { Job } from "./job.js";
import { MemoryGuard } from "./memory.js";
import { Phase, PHASE } from "./monitor.js";
import type { RunRequest, JobResult } from "./messages.js";
import { StopState } from "./stop.js";
import type { RunnerToWorker, WorkerData, WorkerToRunner } from "./wire.js";
import { pack } from "../engine/trace/columns.js";

// without this, a thrown error shows ten frames, and the runtime's own may be all of them
Error.stackTraceLimit = 60;

const port = parentPort!;
const { monitor, memoryBytes } = workerData as WorkerData;

function tell(message: WorkerToRunner, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

/** The buffers of a result, so that they are handed over and not copied. */
function buffersOf(result: JobResult): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const { buffer } of pack(result).columns) {
    if (buffer instanceof ArrayBuffer && Object.prototype.toString.call(buffer) === "[object ArrayBuffer]")
      buffers.add(buffer);
  }
  return [...buffers];
}

async function serve(request: RunRequest): Promise<void> {
  const stop = new StopState(monitor);
  installConsole(globalThis, (line) => tell({ type: "console", line }));
  guardRealm(globalThis, stop, request.allowImports);
  const memory = new MemoryGuard(memoryBytes, monitor, stop);
  memory.install(globalThis);
  const job = new Job(request, { monitor, stop, memory, tell });
  const result = await job.run();
  monitor[PHASE] = Phase.packing;
  tell({ type: "result", result }, buffersOf(result));
}

port.on("message", (message: RunnerToWorker) => void serve(message.request));
// a promise user code left behind must not end the realm while its sweep is on the way
process.on("unhandledRejection", () => undefined);
process.on("uncaughtException", () => undefined);
